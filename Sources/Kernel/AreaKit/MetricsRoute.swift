package import HTTPServer
package import Metering

extension HTTPRoute {
  /// `GET /metrics`, in Prometheus's text format. It is for whoever runs the server: it says nothing of anybody, but much of
  /// what is going on.
  package static func metrics(_ address: ListenAddress, _ page: MetricsPage) -> HTTPRoute {
    HTTPRoute(address, "/metrics") { request in
      guard request.method == "GET" else { return .plain(405) }
      return HTTPResponse(
        status: 200,
        headers: [("content-type", "text/plain; version=0.0.4; charset=utf-8"), ("cache-control", "no-store")],
        body: await page.text())
    }
  }
}
