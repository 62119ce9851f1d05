internal import AreaKit
internal import ArgumentParser
internal import Console
package import HTTPServer
internal import Identity
internal import OpenIDConnect
internal import WebRules
package import WebAssets

/// Where browsers come, and what they get.
package struct WebSettings: Sendable {
  /// nil: nowhere.
  let address: ListenAddress?
  /// Connections that there may be, whatever gRPC then has left; nil: `connectionsMax`, or of few descriptors a part.
  let connections: Int?
  /// Pages and their files.
  let assets: WebAssets
  /// Where people sign in who do not by password; nil: nowhere.
  let openID: OpenIDSite?
  let accessibility: AccessibilitySettings

  package init(
    address: ListenAddress? = nil, connections: Int? = nil, assets: WebAssets = .builtIn, openID: OpenIDSite? = nil,
    accessibility: AccessibilitySettings = AccessibilitySettings()
  ) {
    self.address = address
    self.connections = connections
    self.assets = assets
    self.openID = openID
    self.accessibility = accessibility
  }

  /// The most connections of browsers and programs.
  static let connectionsMax = 20_000

  static let help = """
    Pages and the Connect protocol are served at TRACKME_WEB_LISTEN, HOST:PORT, by plain HTTP; without the variable, \
    nowhere. Off loopback it needs --insecure, and a proxy in front that ends TLS: browsers keep cookies for TLS alone.
    """

  /// - Throws: `ValidationError` with the name of the variable.
  init(_ start: AreaStart) throws {
    assets = try Self.assets(start)
    openID = try Self.openID(start)
    accessibility = try AccessibilitySettings(start.environment)
    connections = try start.environment.number("TRACKME_WEB_CONNECTIONS", 16...Self.connectionsMax)
    guard let text = start.environment["TRACKME_WEB_LISTEN"] else {
      guard connections == nil else {
        throw ValidationError("TRACKME_WEB_CONNECTIONS: without TRACKME_WEB_LISTEN there is nowhere to connect to")
      }
      address = nil
      return
    }
    guard let address = ListenAddress(text) else {
      throw ValidationError("TRACKME_WEB_LISTEN: \(text) must be HOST:PORT")
    }
    guard start.isInsecure || address.isLoopback else {
      throw ValidationError(
        "TRACKME_WEB_LISTEN: \(text) can be reached from other machines, and nothing would be encrypted: add "
          + "--insecure if a proxy in front encrypts")
    }
    self.address = address
  }

  /// The issuer that identity trusts, where it is known where it sends browsers back to.
  private static func openID(_ start: AreaStart) throws -> OpenIDSite? {
    let origin = try start.pageOrigin()
    guard let provider = start[IdentityArea.self].openID, let origin else { return nil }
    let name = start.environment["TRACKME_OIDC_NAME"] ?? provider.host
    guard name.count <= nameLengthMax,
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw ValidationError("TRACKME_OIDC_NAME must be a name of at most \(nameLengthMax) characters") }
    return OpenIDSite(provider, name: name, origin: origin.text)
  }

  /// The most characters of an issuer's name: it stands on a button.
  static let nameLengthMax = 40

  /// The pages that are built in, or for who develops them those of another file.
  private static func assets(_ start: AreaStart) throws -> WebAssets {
    guard let path = start.environment["TRACKME_WEB_ASSETS"] else { return .builtIn }
    guard let bytes = readBytes(path), let assets = try? WebAssets(bytes) else {
      throw ValidationError("TRACKME_WEB_ASSETS: \(path) is no file that `make web` has written")
    }
    return assets
  }
}
