internal import DequeModule
internal import Domain
internal import Log
internal import ServiceKit
internal import Synchronization

/// The batches of one stream that have no acknowledgement yet, in the order in which they came.
///
/// The stream's reader adds them, the log's writer says which are committed, and the stream's sender takes what can
/// be acknowledged. Bounded: the reader waits for room.
final class PendingAcknowledgements: IngestSessionOwner {
  struct Batch: Sendable {
    let sequence: UInt64
    let accepted: Int
    let rejections: [Rejection]
    /// Whether nothing waits for a commit, because there was one before.
    var isRepeat = false
    var position: LogPosition = 0
  }

  enum Next: Sendable {
    /// These batches are committed.
    case committed([Batch])
    /// Nothing to say yet.
    case nothing
    /// All batches are acknowledged and no more will come.
    case finished
    /// A newer stream of the same client has taken over.
    case superseded
    /// The server is ending, and all batches that it has taken are acknowledged.
    case draining
    /// Batches were not kept, and could be now.
    case resend
  }

  enum Addition: Sendable {
    case added
    /// The server is ending and the batch is not wanted any more.
    case draining
    /// There is no room, and the log makes no progress.
    case stalled
  }

  private struct State {
    var waiting: Deque<Batch> = []
    var committed: [Batch] = []
    var rejections = 0
    var position: LogPosition = 0
    var isFinished = false
    var isSuperseded = false
    var isDraining = false
    var hasStalled = false
    var isKeeping = true
    var mustResend = false
  }

  /// The most batches of one stream that are not acknowledged.
  private static let maxBatches = 8_192
  /// The most refused readings that are kept for the acknowledgements of one stream.
  private static let maxRejections = 100_000

  /// Whether a stall ends it, committed or not: a single call, which would keep others of its account from being made.
  private let endsWhenStalled: Bool
  private let state = Mutex(State())
  private let sender = StreamSignal()
  private let reader = StreamSignal()

  init(endsWhenStalled: Bool = false) { self.endsWhenStalled = endsWhenStalled }

  // MARK: The reader's side

  /// Adds a batch that is about to be offered to the log, once there is room or the log is known to have stalled.
  /// - Throws: `CancellationError` if the call is gone.
  @discardableResult
  func add(_ batch: Batch) async throws -> Addition {
    try await reader.first { addAtOnce(batch) }
  }

  /// The same without waiting; nil if that is needed.
  func addAtOnce(_ batch: Batch) -> Addition? {
    state.withLock { state in
      if state.isDraining { return .draining }
      guard state.waiting.count + state.committed.count < Self.maxBatches, state.rejections < Self.maxRejections
      else { return state.hasStalled ? .stalled : nil }
      state.waiting.append(batch)
      state.rejections += batch.rejections.count
      return .added
    }
  }

  /// The batch added last has found no room in the log: it is not kept.
  func dropLast() {
    state.withLock { state in
      if let last = state.waiting.popLast() { state.rejections -= last.rejections.count }
    }
  }

  /// No batch is kept from here on.
  func keepNothing() { state.withLock { $0.isKeeping = false } }

  /// The log makes no progress. Called again and again as long as it is so.
  func stall() {
    state.withLock { $0.hasStalled = true }
    reader.signal(.data)
    if endsWhenStalled { sender.signal(.data) }
  }

  /// The client has to send again what is not acknowledged, if anything was not kept.
  func resend() {
    let isDue = state.withLock { state in
      state.hasStalled = false
      state.mustResend = state.mustResend || !state.isKeeping
      return state.mustResend
    }
    if isDue { sender.signal(.data) }
  }

  /// The batch added last is a repeat: it is acknowledged after those before it.
  func lastIsRepeat(at position: LogPosition) {
    state.withLock { state in
      guard let last = state.waiting.popLast() else { return }
      state.rejections -= last.rejections.count
      state.waiting.append(
        Batch(sequence: last.sequence, accepted: 0, rejections: [], isRepeat: true, position: position))
      Self.releaseRepeats(&state)
    }
    sender.signal(.data)
  }

  /// No more batches will come.
  func finish() {
    state.withLock { $0.isFinished = true }
    sender.signal(.data)
  }

  // MARK: The writer's side

  func committed(_ notice: CommitNotice) {
    state.withLock { state in
      state.position = notice.position
      state.hasStalled = false
      var left = notice.batches
      while left > 0, var batch = state.waiting.popFirst() {
        if !batch.isRepeat { left -= 1 }
        batch.position = notice.position
        state.committed.append(batch)
      }
      Self.releaseRepeats(&state)
    }
    sender.signal(.data)
  }

  func superseded() {
    state.withLock { $0.isSuperseded = true }
    sender.signal(.data)
  }

  func drain() {
    state.withLock { $0.isDraining = true }
    sender.signal(.data)
    reader.signal(.data)
  }

  // MARK: The sender's side

  /// What there is to say now.
  func take() -> Next {
    let (next, isRoomMade) = state.withLock { state -> (Next, Bool) in
      if !state.committed.isEmpty {
        let committed = state.committed
        state.committed = []
        for batch in committed { state.rejections -= batch.rejections.count }
        return (.committed(committed), true)
      }
      if state.isSuperseded { return (.superseded, false) }
      if state.isDraining, state.waiting.isEmpty { return (.draining, false) }
      if state.mustResend || endsWhenStalled && state.hasStalled { return (.resend, false) }
      return (state.isFinished && state.waiting.isEmpty ? .finished : .nothing, false)
    }
    if isRoomMade { reader.signal(.data) }
    return next
  }

  /// Waits until there may be something to say.
  /// - Throws: `CancellationError` if the call is gone.
  func wait() async throws {
    if await sender.wait().contains(.cancelled) { throw CancellationError() }
  }

  /// A repeat needs no commit: it is acknowledged as soon as everything before it is.
  private static func releaseRepeats(_ state: inout State) {
    while var first = state.waiting.first, first.isRepeat {
      state.waiting.removeFirst()
      // What it repeats may have been committed since it came.
      first.position = max(first.position, state.position)
      state.committed.append(first)
    }
  }
}
