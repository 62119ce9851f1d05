import Testing

@testable import HTTPServer

@Suite("Headers of answers")
struct ResponseTests {
  @Test("A line end in a value, or a name that is none, is an error of the programmer")
  func injection() async {
    await #expect(processExitsWith: .failure) { _ = HTTPResponse(status: 200, headers: [("A", "b\r\nC: d")]) }
    await #expect(processExitsWith: .failure) { _ = HTTPResponse(status: 200, headers: [("A", "b\u{0}")]) }
    await #expect(processExitsWith: .failure) { _ = HTTPResponse(status: 200, headers: [("A:", "b")]) }
    await #expect(processExitsWith: .failure) { _ = HTTPResponse(status: 200, headers: [("", "b")]) }
  }

  @Test("What the server says itself nobody else says")
  func ours() async {
    await #expect(processExitsWith: .failure) { _ = HTTPResponse(status: 200, headers: [("content-LENGTH", "1")]) }
    await #expect(processExitsWith: .failure) { _ = HTTPResponse(status: 100) }
  }

  @Test("What came in a request's field can stand in an answer's")
  func echoed() {
    let response = HTTPResponse(status: 200, headers: [("A", "b\tc \u{e9}\u{fffd}"), ("Empty", "")])
    #expect(response.headers.map(\.0) == ["A"])
  }
}
