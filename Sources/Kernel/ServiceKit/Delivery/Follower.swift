package import Domain
package import Log
package import Postgres

/// Follows the log for one stream: from storage while it is behind, from the feed's memory when it is not. It keeps a
/// position and nothing else, so a slow client costs one frame of memory and slows nobody.
package struct Follower: ~Copyable {
  package enum Step {
    /// Readings from memory.
    case live(FeedSlice)
    /// Readings from storage, in the order of the log; none where the storage held nothing of the filter.
    case stored([CatchUpReader.Row])
    /// Everything has been seen up to `position`.
    case upToDate
  }

  private let hub: DeliveryHub
  /// Of those who have the same filter.
  package let feed: Feed
  private let signal: StreamSignal
  private var reader: CatchUpReader
  /// Everything of the filter up to here has been taken.
  package private(set) var position: LogPosition

  /// - Parameter position: where to go on; nil means now.
  package init(hub: DeliveryHub, pool: Pool, filter: ReadingFilter, after position: LogPosition?, signal: StreamSignal)
  {
    self.hub = hub
    self.signal = signal
    feed = hub.join(filter, signal: signal)
    reader = CatchUpReader(pool: pool, filter: filter)
    self.position = position ?? hub.head
  }

  deinit { hub.leave(feed, signal: signal) }

  /// Takes the next readings.
  /// - Throws: `PostgresError` when it reads from storage.
  package mutating func next() async throws -> Step {
    // The head is read before the feed is asked: what is committed between the two is signalled.
    let head = hub.head
    switch feed.next(after: position) {
    case .slice(let slice):
      position = slice.through
      return .live(slice)
    case .nothing:
      position = max(position, head)
      return .upToDate
    case .behind:
      // Copied in and out, because a closure can't hold a part of a noncopyable value.
      let (page, next) = try await hub.catchingUp.run { [reader, position] in
        var reader = reader
        return (try await reader.page(after: position, through: head), reader)
      }
      reader = next
      position = page.reached
      return .stored(page.rows)
    }
  }
}
