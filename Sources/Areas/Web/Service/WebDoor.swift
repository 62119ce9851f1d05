internal import AreaKit
internal import HTTPServer

/// Everything that browsers and programs ask for over HTTP, each at its place.
struct WebDoor: Sendable {
  let calls: ConnectRoute
  let sessions: SessionRoutes
  let downloads: DownloadRoute
  let openID: OpenIDRoutes
  let facts: SiteFacts
  let probes: Probes
  /// What other areas show.
  let resources: [WebResource]
  let pages: Pages

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    await response(to: request).adding(Self.headers)
  }

  private func response(to request: HTTPRequest) async -> HTTPResponse {
    if let method = calls.method(request.path) { return await calls.answer(request, method) }
    if SessionRoutes.has(request.path) { return await sessions.answer(request) }
    if openID.has(request.path) { return await openID.answer(request) }
    if facts.has(request.path) { return facts.answer(request) }
    if downloads.has(request.path) { return await downloads.answer(request) }
    if Probes.has(request.path) { return probes.answer(request) }
    if let resource = resources.first(where: { $0.fits(request.path) }) { return await resource.answer(request) }
    return pages.answer(request)
  }

  /// With every answer. Pages load nothing from elsewhere, run no script that is not a file of ours, and stand in no frame.
  static let headers = [
    (
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        + "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
  ]
}
