internal import Crypto
internal import HTTPServer
internal import ProtoJSON
internal import ServiceAPI

/// An answer that is the same for everybody, so that browsers and proxies may keep it and only ask whether it still holds.
///
/// There is one to whoever asks, by GET and without a token, for an RPC that has no side effects and is for anyone: the
/// options in `Protos/` say so. Cookies of such a request are not read, and none are set.
enum PublicAnswer {
  /// Kept by anybody, and used after asking whether it still holds: the newest release may be another one by then.
  private static let cacheControl = ("cache-control", "public, no-cache")

  /// Whether the answer to a request is one.
  static func isAsked(of method: MethodType, by request: HTTPRequest) -> Bool {
    request.method == "GET" && method.hasNoSideEffects && ServiceDescriptors.callers[method.path] == .anyone
      && request.header("authorization") == nil
  }

  /// The whole answer, or that it is still the one that whoever asks has.
  /// - Parameter headers: what else is said of the body.
  static func response(to request: HTTPRequest, _ body: [UInt8], _ headers: [(String, String)]) -> HTTPResponse {
    // The same bytes have the same tag, whichever server they are from.
    let entityTag = "\"\(Hexadecimal.text(of: Array(SHA256.hash(of: body).prefix(16))))\""
    let all = headers + [cacheControl, ("etag", entityTag)]
    guard !request.hasKept(entityTag) else { return HTTPResponse(status: 304, headers: all) }
    return HTTPResponse(status: 200, headers: all, body: body)
  }
}
