package import AreaKit
package import Log
internal import HTTPServer
internal import Logging
internal import ProtoJSON
package import ServiceLifecycle

/// What browsers and programs that speak HTTP find: every RPC by the Connect protocol, sign-in with cookies, and pages.
package struct WebArea: Area {
  package static let tables = AreaTables(migrations: [], personal: [:])
  package static let help = WebSettings.help

  private let settings: WebSettings
  private let logger: Logger
  private let door: WebDoor

  package static func settings(_ start: AreaStart) throws -> WebSettings { try WebSettings(start) }

  package init(_ house: House, _ settings: WebSettings) {
    self.settings = settings
    logger = house.logger
    let gateway = ConnectGateway(schema: .embedded, calls: house.calls)
    let sessions = BrowserSessions(house.calls)
    door = WebDoor(
      calls: ConnectRoute(gateway: gateway, sessions: sessions),
      sessions: SessionRoutes(gateway: gateway, sessions: sessions),
      downloads: DownloadRoute(gateway: gateway, sessions: sessions),
      openID: OpenIDRoutes(gateway: gateway, sessions: sessions, site: settings.openID) {
        settings.assets.page(at: $0.path) != nil
      },
      facts: SiteFacts(settings), probes: Probes(house.health),
      resources: house.areas.flatMap(\.resources), pages: Pages(assets: settings.assets))
  }

  package var lives: [any Service] { [EncodedFrames(frames: door.calls.gateway.frames, logger: logger)] }

  package var routes: [HTTPRoute] {
    guard let address = settings.address else { return [] }
    return [
      HTTPRoute(address, prefix: "/", limits: limits, reservesConnections: settings.connections != nil) { [door] in
        await door.answer($0)
      }
    ]
  }

  /// What browsers and programs may take.
  private var limits: HTTPLimits {
    var limits = HTTPLimits()
    limits.connections = settings.connections ?? WebSettings.connectionsMax
    limits.connectionsPerAddress = 256
    // Which of them are answered is for the server of the calls to say: whoever waits for a body keeps nobody else out.
    limits.requests = limits.connections
    limits.bodyBytes = ConnectGateway.uploadBytesMax
    limits.answerTime = .seconds(60)
    return limits
  }
}

/// Says at the end how many frames of streams were made JSON, however many they were sent to.
private struct EncodedFrames: Service {
  let frames: SharedFrames
  let logger: Logger

  func run() async throws {
    try? await gracefulShutdown()
    guard frames.encodings > 0 else { return }
    logger.notice("streams were read as JSON", metadata: ["json_frames": "\(frames.encodings)"])
  }
}
