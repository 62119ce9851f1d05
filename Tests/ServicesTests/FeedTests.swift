import Domain
import RPCRuntime
import Synchronization
import Testing
import TestSupport

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

/// What one filter has let through, shared by its streams.
@Suite struct FeedTests {
  private func entry(_ position: LogPosition, readings: Int = 1, isShared: Bool = false) -> Feed.Entry {
    var columns = ReadingColumns()
    for index in 0..<readings {
      columns.scalars.person.append(1)
      columns.scalars.metric.append(1)
      columns.scalars.source.append(0)
      columns.scalars.time.append(position * 100_000 + Int64(index))
      columns.scalars.value.append(60)
    }
    return .init(position: position, columns: columns, isShared: isShared)
  }

  private func feed(streams: Int, head: LogPosition = 0) -> Feed {
    let feed = Feed(filter: .init(persons: [1], metrics: nil), head: head)
    for _ in 0..<streams { feed.add(StreamSignal()) }
    return feed
  }

  private func slice(_ next: Feed.Next) -> FeedSlice? {
    if case .slice(let slice) = next { return slice }
    return nil
  }

  private func isBehind(_ next: Feed.Next) -> Bool {
    if case .behind = next { return true }
    return false
  }

  @Test func streamsThatAreEquallyFarShareOneEncodedFrame() throws {
    let feed = feed(streams: 2)
    feed.append(entry(1), floor: 0)
    let first = try #require(slice(feed.next(after: 0)))
    let second = try #require(slice(feed.next(after: 0)))
    #expect(first === second)
    var encodings = 0
    let messages = [first, second].map { slice in
      slice.message { _ in
        encodings += 1
        return RPCMessage([1, 2, 3])
      }
    }
    #expect(encodings == 1 && messages[0] === messages[1])
  }

  @Test func aSliceThatIsSharedMissesNothingThatCameAfterIt() throws {
    let feed = feed(streams: 2)
    feed.append(entry(1), floor: 0)
    _ = feed.next(after: 0)
    feed.append(entry(2), floor: 0)
    let old = try #require(slice(feed.next(after: 0)))
    let next = try #require(slice(feed.next(after: old.through)))
    #expect([old.through, next.through] == [1, 2])
    #expect(slice(feed.next(after: 2)) == nil)
  }

  @Test func aBacklogIsCutIntoFrames() throws {
    let feed = feed(streams: 1)
    for position in 1...100 as ClosedRange<LogPosition> { feed.append(entry(position, readings: 300), floor: 0) }
    var position: LogPosition = 0
    var readings = 0
    while let slice = slice(feed.next(after: position)) {
      #expect(slice.columns.approximateBytes <= Feed.sliceBytes)
      readings += slice.columns.count
      position = slice.through
    }
    #expect(position == 100 && readings == 30_000)
  }

  @Test func whoIsBehindTheTailReadsFromStorage() throws {
    let feed = feed(streams: 1, head: 10)
    #expect(isBehind(feed.next(after: 9)))
    #expect(slice(feed.next(after: 10)) == nil && !isBehind(feed.next(after: 10)))
    feed.append(entry(11), floor: 10)
    feed.append(entry(15), floor: 12)
    #expect(isBehind(feed.next(after: 10)))
    #expect(slice(feed.next(after: 11))?.through == 15)
  }

  @Test func aFeedHoldsAMebibyteOfItsOwnAtMost() throws {
    let feed = feed(streams: 1)
    for position in 1...40 as ClosedRange<LogPosition> { feed.append(entry(position, readings: 2_000), floor: 0) }
    #expect(isBehind(feed.next(after: 0)))
    // 16 entries of 62.5 KiB are a mebibyte.
    #expect(isBehind(feed.next(after: 22)) && !isBehind(feed.next(after: 24)))
    // What the log's tail holds anyway costs nothing.
    let everyone = self.feed(streams: 1)
    for position in 1...40 as ClosedRange<LogPosition> {
      everyone.append(entry(position, readings: 2_000, isShared: true), floor: 0)
    }
    #expect(!isBehind(everyone.next(after: 0)))
  }

  @Test func rowsThatWereNotOfferedAreReadFromStorage() throws {
    let feed = feed(streams: 2)
    feed.append(entry(1), floor: 0)
    _ = feed.next(after: 0)
    feed.reset(to: 4)
    #expect(isBehind(feed.next(after: 0)) && isBehind(feed.next(after: 3)))
    feed.append(entry(5), floor: 4)
    #expect(slice(feed.next(after: 4))?.through == 5)
  }

  @Test func thereIsMoreUntilItIsTaken() {
    for streams in 1...2 {
      let feed = feed(streams: streams, head: 7)
      #expect(!feed.hasMore(after: 7))
      #expect(feed.hasMore(after: 6))
      feed.append(entry(9), floor: 0)
      #expect(feed.hasMore(after: 7))
      #expect(slice(feed.next(after: 7))?.through == 9)
      #expect(!feed.hasMore(after: 9))
      // Rows that were not offered are in storage.
      feed.reset(to: 12)
      #expect(feed.hasMore(after: 9))
      #expect(!feed.hasMore(after: 12))
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct StreamSignalTests {
  @Test func signalsThatComeWhileNobodyWaitsAreKeptAndMerged() async {
    let signal = StreamSignal()
    signal.signal(.data)
    signal.signal(.acknowledged)
    signal.signal(.data)
    #expect(await signal.wait() == [.data, .acknowledged])
    signal.signal(.drain)
    #expect(signal.isDraining)
    #expect(await signal.wait() == .drain)
    // An end is not forgotten.
    #expect(await signal.wait() == .drain)
  }

  @Test func aCancelledTaskStopsWaiting() async {
    let signal = StreamSignal()
    let waiting = Task { await signal.wait() }
    waiting.cancel()
    #expect(await waiting.value.contains(.cancelled))
  }

  @Test func onlyWhoHasWaitedLongEnoughHearsTheBeat() async throws {
    let signal = StreamSignal()
    signal.beat(ifWaitingSince: .now)
    let start = ContinuousClock.now
    let isOver = Counter()
    let waiting = Task {
      let reasons = await signal.wait()
      isOver.add(1)
      return reasons
    }
    signal.beat(ifWaitingSince: start - .seconds(1))
    try await eventually {
      signal.beat(ifWaitingSince: .now)
      return isOver.value == 1
    }
    #expect(await waiting.value == .heartbeat)
  }

  @Test func manySignalsFromManyThreadsWakeOneWaiterEachTime() async throws {
    let signal = StreamSignal()
    let count = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2_000 {
            count.add(1)
            signal.signal(.data)
          }
        }
      }
      group.addTask {
        // Every signal is seen, alone or with others: the last one too.
        while count.value < 8_000 { _ = await signal.wait() }
      }
    }
  }
}
