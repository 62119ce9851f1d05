import Domain
import Synchronization
import Testing

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Those who look at readings before they are committed.
@Suite struct ReadingTapsTests {
  @Test func everyTapSeesAllOfABatchHoweverManyPiecesItTakes() {
    let (quick, slow) = (Tap(perPiece: 100), Tap(perPiece: 2))
    let taps = ReadingTaps()
    #expect(taps.isIdle)
    for tap in [quick, slow] { taps.add(tap) }
    #expect(!taps.isIdle)
    let columns = Self.columns(5)
    let stream = taps.newStream()
    var progress = ReadingTaps.Progress()
    var pieces = 1
    while taps.takePiece(columns, receivedAt: 0, from: stream, &progress) { pieces += 1 }
    #expect(pieces == 3)
    #expect(quick.seen == columns.scalars.time && slow.seen == columns.scalars.time)
  }

  @Test func everyTapHearsOfStreamsSourcesAndDevices() {
    let both = [Tap(perPiece: 1), Tap(perPiece: 1)]
    let taps = ReadingTaps()
    for tap in both { taps.add(tap) }
    let (first, second) = (taps.newStream(), taps.newStream())
    #expect(first != second && first != 0 && second != 0)
    taps.streamEnded(second, inOrder: true)
    taps.rename(source: -1, to: 7, of: 3)
    taps.report(3, isWorn: false, hasLowBattery: true, at: 9)
    for tap in both { #expect(tap.heard == ["ended \(second) true", "renamed -1 7 3", "reported 3"]) }
  }

  @Test func withoutATapNothingIsLookedAt() {
    let taps = ReadingTaps()
    var progress = ReadingTaps.Progress()
    #expect(!taps.takePiece(Self.columns(1), receivedAt: 0, from: 0, &progress))
  }

  private static func columns(_ count: Int64) -> ReadingColumns {
    var columns = ReadingColumns()
    for time in 0..<count {
      columns.scalars.person.append(1)
      columns.scalars.metric.append(1)
      columns.scalars.source.append(1)
      columns.scalars.time.append(time)
      columns.scalars.value.append(60)
    }
    return columns
  }
}

/// Takes so many readings of a batch at once.
private final class Tap: ReadingTap {
  private let perPiece: Int
  private let state = Mutex<(seen: [Microseconds], heard: [String])>(([], []))

  init(perPiece: Int) { self.perPiece = perPiece }

  var seen: [Microseconds] { state.withLock { $0.seen } }
  var heard: [String] { state.withLock { $0.heard } }
  var isIdle: Bool { false }

  func takePiece(
    _ columns: borrowing ReadingColumns, receivedAt: Microseconds, from stream: StreamNumber,
    _ progress: inout CheckProgress
  ) -> Bool {
    let end = min(progress.scalars + perPiece, columns.scalars.count)
    let times = Array(columns.scalars.time[progress.scalars..<end])
    state.withLock { $0.seen += times }
    progress.scalars = end
    return end < columns.scalars.count
  }

  func rename(source old: SourceID, to new: SourceID, of person: PersonID) {
    state.withLock { $0.heard.append("renamed \(old) \(new) \(person)") }
  }

  func streamEnded(_ stream: StreamNumber, inOrder: Bool) {
    state.withLock { $0.heard.append("ended \(stream) \(inOrder)") }
  }

  func report(_ person: PersonID, isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds) {
    state.withLock { $0.heard.append("reported \(person)") }
  }
}
