import CGRPC

/// The calls of one loop whose clients have not sent their first message. The loop's own thread only.
///
/// How long they have taken is counted in looks at them, not by the clock: a loop that was held up, or a process that
/// was stopped, has read nothing meanwhile, and blames no client for it.
struct SilentCalls {
  /// A silent call: where it stands in the list, and the look since which the server waits for it.
  struct Entry {
    fileprivate var place: Int
    fileprivate var since: Int
  }

  private static let intervalMilliseconds: Int64 = 100

  private var calls: [ServerCall] = []
  private var looks = 0
  /// When the next look is due.
  private(set) var nextLook = gpr_inf_past(GPR_CLOCK_MONOTONIC)

  var isEmpty: Bool { calls.isEmpty }

  mutating func add(_ call: ServerCall) {
    call.silence = Entry(place: calls.count, since: looks)
    calls.append(call)
  }

  /// Takes a call out, if it is there.
  mutating func remove(_ call: ServerCall) {
    guard let entry = call.silence else { return }
    let last = calls.removeLast()
    if last !== call {
      calls[entry.place] = last
      last.silence!.place = entry.place
    }
    call.silence = nil
  }

  /// Looks at all of them, if that is due: ends those whose clients have taken too long.
  mutating func look() {
    let now = gpr_now(GPR_CLOCK_MONOTONIC)
    guard gpr_time_cmp(nextLook, now) <= 0 else { return }
    nextLook = gpr_time_add(now, gpr_time_from_millis(Self.intervalMilliseconds, GPR_TIMESPAN))
    looks += 1
    for call in calls {
      // What the server does before it reads, or while it does not, is no silence of the client.
      if !call.isReceiving || call.connection?.isAheadOfServer == true { call.silence!.since = looks }
      call.endIfSilent(
        for: .milliseconds(Self.intervalMilliseconds * Int64(looks - call.silence!.since)), among: calls.count)
    }
  }
}
