internal import HTTPServer
internal import RPCRuntime
internal import ServiceAPI
internal import WebRules

extension LocalCall {
  /// Sends what whoever sent a request has to say, once the handler reads: so nothing is read for a call that is refused, and
  /// the reading ends when the call does. What the call ends with is left for who reads its answer.
  ///
  /// - Parameter messages: reads the body and sends.
  /// - Throws: `CancellationError`.
  nonisolated(nonsending) func sendAll(
    from request: HTTPRequest, _ messages: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    guard try await isWanted() else { return }
    do {
      try await whileOpen(stop: { request.stopReading() }, messages)
      finishSending()
    } catch {
      // Of a call that has ended before, nothing changes.
      cancel(because: RPCStatus(ofRequest: error))
    }
  }
}

extension RPCStatus {
  /// The one table from what can go wrong between a request and its call to statuses.
  init(ofRequest error: any Error) {
    switch error {
    case let status as RPCStatus: self = status
    case let page as ForeignPage: self = page.status
    case let fault as EnvelopeFault: self.init(fault)
    case let error as HTTPBodyError: self.init(error)
    case is CancellationError, is HTTPBodyWriter.Gone: self.init(.cancelled, "the call was cancelled")
    default: self.init(.internal, "the answer can't be written")
    }
  }
}
