package import Domain
public import Log
package import Metering
internal import RPCRuntime
internal import Synchronization

/// Takes each committed row to the feeds that want some of it. It hears of every commit in order, on the writer's
/// thread, and does nothing there but find out whose readings they are.
public final class DeliveryHub: CommitObserver {
  private struct State {
    var feeds: [ReadingFilter: Feed] = [:]
    /// Feeds of certain persons.
    var byPerson = Members<PersonID, Feed>()
    /// Feeds of everyone.
    var everyone: [Feed] = []
    /// Feeds of those who hear of entries: under a grant, about a race.
    var byTopic = Members<LogTopic, Feed>()
    var head: LogPosition = 0
  }

  public let stage = CommitStage.feeds
  private static let reachTime: Duration = .seconds(5)

  /// For streams that are behind.
  package let catchingUp = FairTurns.forCatchingUp()
  private let state = Mutex(State())
  private let tail: LogTail
  /// Where those who follow a feed hear of heartbeats and of the server's end.
  private let streams: Board<LogTopic>

  /// Hears of every commit from now on; `head` begins where the log is.
  package init(tail: LogTail, streams: Board<LogTopic>) {
    self.tail = tail
    self.streams = streams
    let head = tail.observe(self)
    state.withLock { $0.head = max($0.head, head) }
  }

  /// The newest position that was offered to the feeds.
  package var head: LogPosition { state.withLock(\.head) }

  /// How far deliveries are behind the log, and how many streams wait to read from storage.
  package var measures: [Measure] {
    [.follower("deliveries", of: tail) { [self] in head }, catchingUp.measure("catch_up")]
  }

  /// Waits until a position that is committed was offered to the feeds, which takes a moment.
  /// - Throws: UNAVAILABLE if it takes longer; `CancellationError`.
  package func reach(_ position: LogPosition) async throws {
    let deadline = ContinuousClock.now + Self.reachTime
    while head < position {
      guard ContinuousClock.now < deadline else {
        throw RPCStatus.failure(
          .unavailable, reason: "LOG_BEHIND", message: "this server has not heard of the newest readings: try again")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// How many filters streams follow now.
  var feedCount: Int { state.withLock(\.feeds.count) }

  /// Joins the feed of a filter, and the board of streams; every row after the hub's head will reach it.
  package func join(_ filter: ReadingFilter, signal: StreamSignal) -> Feed {
    streams.join(signal)
    return state.withLock { state in
      if let feed = state.feeds[filter] {
        feed.add(signal)
        return feed
      }
      let feed = Feed(filter: filter, head: state.head)
      feed.add(signal)
      state.feeds[filter] = feed
      for reader in filter.entries { state.byTopic.add(feed, to: reader.topic) }
      if let persons = filter.persons {
        for person in persons { state.byPerson.add(feed, to: person) }
      } else {
        state.everyone.append(feed)
      }
      return feed
    }
  }

  /// Leaves a feed and the board; a feed without streams is forgotten.
  package func leave(_ feed: Feed, signal: StreamSignal) {
    streams.leave(signal)
    state.withLock { state in
      guard feed.remove(signal), state.feeds.removeValue(forKey: feed.filter) != nil else { return }
      for reader in feed.filter.entries { state.byTopic.remove(feed, from: reader.topic) }
      if let persons = feed.filter.persons {
        for person in persons { state.byPerson.remove(feed, from: person) }
      } else {
        state.everyone.removeAll { $0 === feed }
      }
    }
  }

  /// Called on the thread of the log's writer, in the order of the log.
  public func committed(_ rows: [CommittedRow]) {
    let floor = tail.floor
    state.withLock { state in
      for row in rows {
        if row.position != state.head + 1 {
          for feed in state.feeds.values { feed.reset(to: row.position - 1) }
        }
        state.head = row.position
        if let entry = row.entry {
          for topic in entry.topics {
            for feed in state.byTopic[topic] ?? [] {
              feed.append(.init(position: row.position, entry: entry), floor: floor)
            }
          }
          continue
        }
        for feed in state.everyone { offer(row, to: feed, floor: floor) }
        if !state.byPerson.isEmpty { offer(row, toFeedsOf: state.byPerson, floor: floor) }
      }
    }
  }

  private func offer(_ row: CommittedRow, to feed: Feed, floor: LogPosition) {
    guard let metrics = feed.filter.metrics else {
      feed.append(.init(position: row.position, columns: row.columns, isShared: true), floor: floor)
      return
    }
    var indices: [Int32] = []
    // Who follows everyone has no interval of time.
    row.columns.forEachKey { index, _, metric in if metrics.contains(metric) { indices.append(Int32(index)) } }
    if !indices.isEmpty { append(indices, of: row, to: feed, floor: floor) }
  }

  private func offer(_ row: CommittedRow, toFeedsOf byPerson: Members<PersonID, Feed>, floor: LogPosition) {
    var wanted: [ObjectIdentifier: (feed: Feed, indices: [Int32])] = [:]
    var lastPerson: PersonID = 0
    var feeds: [Feed]? = nil
    row.columns.forEachKey { index, person, metric in
      if person != lastPerson {
        lastPerson = person
        feeds = byPerson[person]
      }
      guard let feeds else { return }
      for feed in feeds where feed.filter.metrics?.contains(metric) ?? true {
        if let time = feed.filter.time, !time.contains(row.columns.time(of: index)) { continue }
        wanted[ObjectIdentifier(feed), default: (feed, [])].indices.append(Int32(index))
      }
    }
    for (feed, indices) in wanted.values { append(indices, of: row, to: feed, floor: floor) }
  }

  private func append(_ indices: [Int32], of row: CommittedRow, to feed: Feed, floor: LogPosition) {
    var columns = ReadingColumns()
    columns.append(indices, of: row.columns)
    feed.append(.init(position: row.position, columns: columns, isShared: false), floor: floor)
  }
}
