import HTTPServer
import Testing

@testable import AreaKit

@Suite("Routes over HTTP")
struct HTTPRouteTests {
  @Test(
    "The longest route that fits answers, and none where none fits",
    arguments: [
      ("/v1/payment-events", "exact"), ("/v1/payment-events/", "v1"), ("/v1/payment", "v1"), ("/v1/", "exact v1"),
      ("/v1/a/b", "v1"), ("/", "root"), ("/v1", "root"), ("/x", "root"), ("*", nil),
    ] as [(String, String?)])
  func best(_ path: String, _ name: String?) async throws {
    let address = try #require(ListenAddress("127.0.0.1:0"))
    let routes = [
      HTTPRoute(address, prefix: "/") { _ in .plain(200, "root") },
      HTTPRoute(address, "/v1/payment-events") { _ in .plain(200, "exact") },
      HTTPRoute(address, prefix: "/v1/") { _ in .plain(201, "v1") },
      HTTPRoute(address, "/v1/") { _ in .plain(202, "exact v1") },
    ]
    let names = ["root": 0, "exact": 1, "v1": 2, "exact v1": 3]
    let best = routes.best(for: path)
    #expect(best.map(\.path) == name.map { routes[names[$0]!].path })
    #expect(best.map(\.isPrefix) == name.map { routes[names[$0]!].isPrefix })
  }
}
