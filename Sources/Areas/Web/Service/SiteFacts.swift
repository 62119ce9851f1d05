internal import Console
internal import HTTPServer

/// What whoever runs the server has decided, and pages have to know before anybody has signed in: `GET /web/site`.
struct SiteFacts: Sendable {
  static let path = "/web/site"

  private let json: [UInt8]

  init(_ settings: WebSettings) {
    var members: [String] = []
    if let openID = settings.openID { members.append(#""openIdName": \#(JSONValue.string(openID.name).text)"#) }
    json = Array("{\(members.joined(separator: ", "))}".utf8)
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard ["GET", "HEAD"].contains(request.method) else {
      return HTTPResponse(status: 405, headers: [("allow", "GET, HEAD")])
    }
    return HTTPResponse(
      status: 200, headers: [("content-type", "application/json"), ("cache-control", "no-cache")], body: json)
  }
}
