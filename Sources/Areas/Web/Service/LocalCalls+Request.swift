internal import AreaKit
internal import HTTPServer
internal import RPCRuntime

extension LocalCalls {
  /// Begins a call of whoever sent a request, as if it had come by gRPC from there: nothing else of the request is passed
  /// on, least of all its cookies.
  func call(_ path: String, from request: HTTPRequest, authorization: String?, deadline: Duration?) -> LocalCall {
    var metadata = Metadata()
    if let authorization { metadata.append("authorization", authorization) }
    for hops in request.headers("x-forwarded-for") { metadata.append("x-forwarded-for", hops) }
    return call(path, metadata: metadata, peer: request.peer, deadline: deadline)
  }
}
