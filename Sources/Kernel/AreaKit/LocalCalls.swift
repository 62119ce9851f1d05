package import RPCRuntime
internal import Synchronization

/// Calls of this process to its own server, without a network: they go through everything that other calls go through.
package final class LocalCalls: Sendable {
  private let server = Mutex<Server?>(nil)

  package init() {}

  /// To be called once, before the first call.
  package func begin(on server: Server) { self.server.withLock { $0 = server } }

  /// Begins a call: see `Server.call`.
  package func call(_ path: String, metadata: Metadata, peer: String, deadline: Duration?) -> LocalCall {
    guard let server = server.withLock({ $0 }) else { preconditionFailure("there is no server to call yet") }
    return server.call(path, metadata: metadata, peer: peer, deadline: deadline)
  }
}
