internal import HTTPServer
internal import RPCRuntime
internal import ServiceAPI
internal import WebRules

/// A request that lives off a cookie, and that another site's page may have made.
struct ForeignPage: Error {
  var status: RPCStatus {
    RPCStatus(
      .permissionDenied, reason: "FOREIGN_PAGE",
      message: "A call with a cookie must come from a page of this server, by Connect, with its version.")
  }
}

extension HTTPRequest {
  /// Whether a page of this server made it, as the browser says.
  var isOfOwnPage: Bool {
    RequestOrigin(site: header("sec-fetch-site"), origin: header("origin"), host: header("host")).isSame
  }
}
