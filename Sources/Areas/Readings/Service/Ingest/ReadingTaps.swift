package import Domain
internal import RPCRuntime
internal import Synchronization

/// Everybody who looks at readings before they are committed.
package final class ReadingTaps: Sendable {
  /// How far each of them has looked at a batch.
  struct Progress: Sendable {
    fileprivate var first = CheckProgress()
    /// Of the taps after the first one.
    fileprivate var others: [CheckProgress] = []
  }

  private let all = Mutex<[any ReadingTap]>([])
  private let lastStream = Atomic<StreamNumber>(0)

  /// - Parameter tap: sees every reading that comes from now on; to be added before the first one comes.
  package func add(_ tap: any ReadingTap) { all.withLock { $0.append(tap) } }

  private var taps: [any ReadingTap] { all.withLock { $0 } }

  /// Whether nobody looks at anybody's readings.
  var isIdle: Bool { taps.allSatisfy(\.isIdle) }

  /// Shows them the next piece of a batch. Never waits.
  /// - Returns: whether there is more.
  func takePiece(
    _ columns: borrowing ReadingColumns, receivedAt: Microseconds, from stream: StreamNumber,
    _ progress: inout Progress
  ) -> Bool {
    let taps = taps
    guard let first = taps.first else { return false }
    var hasMore = first.takePiece(columns, receivedAt: receivedAt, from: stream, &progress.first)
    for (index, tap) in taps.dropFirst().enumerated() {
      if progress.others.count == index { progress.others.append(CheckProgress()) }
      if tap.takePiece(columns, receivedAt: receivedAt, from: stream, &progress.others[index]) { hasMore = true }
    }
    return hasMore
  }

  /// Shows them a batch, the first piece at once. Between the pieces of a large one the loop does other work.
  /// - Parameter progress: what they have seen already.
  func take(
    _ columns: ReadingColumns, after progress: Progress = Progress(), receivedAt: Microseconds,
    from stream: StreamNumber
  ) async {
    var progress = progress
    while takePiece(columns, receivedAt: receivedAt, from: stream, &progress) { await EventLoop.turn() }
  }

  /// The number of a stream that begins.
  func newStream() -> StreamNumber { lastStream.add(1, ordering: .relaxed).newValue }

  func streamEnded(_ stream: StreamNumber, inOrder: Bool) {
    for tap in taps { tap.streamEnded(stream, inOrder: inOrder) }
  }

  func rename(source old: SourceID, to new: SourceID, of person: PersonID) {
    for tap in taps { tap.rename(source: old, to: new, of: person) }
  }

  func report(_ person: PersonID, isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds) {
    for tap in taps { tap.report(person, isWorn: isWorn, hasLowBattery: hasLowBattery, at: now) }
  }
}
