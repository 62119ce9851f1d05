internal import Domain
public import Log
internal import ServiceKit
internal import Synchronization

/// Looks for news in inboxes and wakes the streams of their accounts. The server asks the database once a second for all of them, and at
/// once when it knows of a cause of its own.
public final class NotificationBoard: CommitObserver {
  /// Between two looks, however many causes there are.
  private static let pause: Duration = .milliseconds(50)

  public let stage = CommitStage.background
  private let store: NotificationStore
  private let interval: Duration
  /// Those of inboxes follow `inbox` and `anyInbox`.
  let streams: Board<LogTopic>
  /// What has been told to the streams; nil before the first look.
  private let seen = Mutex<NotificationNumber?>(nil)
  private let nudges: AsyncStream<Void>
  private let nudger: AsyncStream<Void>.Continuation

  /// - Parameter interval: how often the database is asked when nothing happens here.
  init(storage: StorageSystem, streams: Board<LogTopic>, interval: Duration = .seconds(1)) {
    store = storage.notifications
    self.streams = streams
    self.interval = interval
    // One nudge that waits says as much as many.
    (nudges, nudger) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    _ = storage.tail.observe(self)
  }

  /// Tells that something may have been put into an inbox. Never blocks.
  public func nudge() { nudger.yield() }

  /// An entry of the log may have told somebody something.
  public func committed(_ rows: [CommittedRow]) {
    if rows.contains(where: { $0.entry != nil }) { nudge() }
  }

  /// Looks for news until the task is cancelled.
  ///
  /// - Parameter failed: hears of the looks that failed; the next one makes up for it.
  public func run(failed: @escaping @Sendable (any Error) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        while (try? await Task.sleep(for: interval)) != nil { nudge() }
      }
      group.addTask { [self] in
        nudge()
        for await _ in nudges {
          do { try await look() } catch { failed(error) }
          guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
        }
      }
    }
  }

  private func look() async throws {
    let seen = seen.withLock { $0 }
    let news = try await store.news(after: seen)
    self.seen.withLock { $0 = news.head }
    // Streams that began before the first look may have missed something.
    streams.wake(seen == nil ? [.anyInbox] : news.accounts.map { .inbox($0) })
  }
}

extension LogTopic {
  /// News in the inbox of an account.
  static func inbox(_ account: AccountID) -> LogTopic { LogTopic("inbox", account) }

  /// News in any inbox.
  static let anyInbox = LogTopic("inboxes", 0)
}
