/// Whose page a request comes from, as its browser says: other sites can make a browser ask, but not change what it says
/// of them.
package struct RequestOrigin: Sendable, Hashable {
  /// `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/).
  private let site: String?
  /// `Origin`, such as "https://trackme.example".
  private let origin: String?
  /// `Host`.
  private let host: String?

  package init(site: String?, origin: String?, host: String?) {
    self.site = site
    self.origin = origin
    self.host = host
  }

  /// Whether a page of this host made it. Where a browser says nothing at all, it does not count as one.
  package var isSame: Bool {
    if let site, site != "same-origin" { return false }
    if let origin { return isHost(origin) }
    return site != nil
  }

  /// Whether an origin is of the host that was asked. The scheme is not compared: a proxy in front may end TLS.
  private func isHost(_ origin: String) -> Bool {
    guard let host, let scheme = ["https://", "http://"].first(where: origin.hasPrefix) else { return false }
    return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
  }
}
