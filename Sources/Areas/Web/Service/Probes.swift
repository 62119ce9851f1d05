internal import HTTPServer
internal import ServiceKit

/// What those ask who run the server: whether it lives, and whether it serves.
struct Probes: Sendable {
  static let livePath = "/healthz"
  static let readyPath = "/readyz"

  private let health: HealthRegistry

  init(_ health: HealthRegistry) { self.health = health }

  static func has(_ path: String) -> Bool { [livePath, readyPath].contains(path) }

  /// 200 from a server that answers at all; `readyPath` says 503 while it does not serve, as the health service does.
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard ["GET", "HEAD"].contains(request.method) else {
      return HTTPResponse(status: 405, headers: [("allow", "GET, HEAD")])
    }
    guard request.path == Self.readyPath else { return .plain(200, "ok") }
    return health.status(of: "") == .serving ? .plain(200, "ok") : .plain(503, "not serving")
  }
}
