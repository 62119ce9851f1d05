import CGRPC
import CGRPCSupport
import Synchronization

/// One wait for a channel's connection to change.
// @unchecked: the tag is written before gRPC knows it and read by the loop only.
final class ConnectivityWatch: @unchecked Sendable {
  /// What a look at the connection says.
  enum Step {
    case ready
    case failed
    case waits(grpc_connectivity_state)
  }

  private let tag: UnsafeMutablePointer<tmrpc_tag>
  private var continuation: UnsafeContinuation<Void, Never>?
  private var loop: EventLoop?

  init() {
    tag = .allocate(capacity: 1)
    tag.initialize(to: tmrpc_tag(owner: nil, kind: UInt32(TMRPC_CONNECTIVITY)))
  }

  deinit { tag.deallocate() }

  /// Waits until the connection's state is no longer `state`, or `limit` has passed.
  func wait(channel: OpaquePointer, from state: grpc_connectivity_state, for limit: Duration, loop: EventLoop) async {
    guard loop.callStarted() else { return }
    await withUnsafeContinuation { continuation in
      self.continuation = continuation
      self.loop = loop
      // Unmanaged: gRPC holds the tag until the state has changed or time is up; `completed` releases the reference.
      tag.pointee.owner = Unmanaged.passRetained(self).toOpaque()
      grpc_channel_watch_connectivity_state(channel, state, .after(limit), loop.queue, tag)
    }
  }

  /// The state changed, or time is up. Loop thread only.
  func completed(_: Bool) {
    loop?.callEnded()
    continuation?.resume()
    // Unmanaged: what `wait` took. gRPC answers each wait once; whoever waits has a reference of its own.
    Unmanaged.passUnretained(self).release()
  }
}

extension gpr_timespec {
  /// The moment after `duration`, on gRPC's monotonic clock.
  static func after(_ duration: Duration) -> gpr_timespec {
    let (seconds, attoseconds) = duration.components
    let span = gpr_timespec(
      tv_sec: seconds, tv_nsec: Int32(attoseconds / 1_000_000_000), clock_type: GPR_TIMESPAN)
    return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), span)
  }
}
