import CGRPC
import CGRPCSupport

/// A standing request for the next call on one loop: it accepts call after call until the server shuts down.
final class CallRequest {
  private let slots: UnsafeMutablePointer<tmrpc_request>
  private let server: Server
  private let handle: OpaquePointer
  private let loop: EventLoop

  init(server: Server, handle: OpaquePointer, loop: EventLoop) {
    self.server = server
    self.handle = handle
    self.loop = loop
    slots = tmrpc_request_create(nil)
    // Unmanaged: no reference yet. gRPC knows the tag from `begin()` on, which takes one.
    slots.pointee.tag.owner = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { tmrpc_request_destroy(slots) }

  /// Starts asking. From here to the failure of the request it keeps itself alive, because gRPC holds its tag.
  func begin() {
    // Unmanaged: the reference is the standing request's; `completed(false)`, its last completion, releases it.
    _ = Unmanaged.passRetained(self)
    post()
  }

  private func post() {
    let error = tmrpc_request_start(slots, handle, loop.queue, loop.queue)
    precondition(error == GRPC_CALL_OK, "gRPC refused to be asked for a call")
  }

  /// A call came, or the server is shutting down. Loop thread only.
  func completed(_ success: Bool) {
    guard success else {
      server.requestEnded()
      // Unmanaged: what `begin()` took. The loop holds a reference of its own until this returns.
      Unmanaged.passUnretained(self).release()
      return
    }
    let call = ServerCall(request: slots, server: server, loop: loop)
    post()
    // Released without having started anything, the call is cancelled.
    if loop.callStarted() { call.begin() }
  }
}
