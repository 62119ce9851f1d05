internal import Domain
public import Storage
internal import Synchronization

/// Wakes the streams of accounts that have news. The server asks the database once a second for all of them, and at
/// once when it knows of a cause of its own.
public final class NotificationBoard: CommitObserver {
  private struct State {
    var streams: [AccountID: [StreamSignal]] = [:]
    /// What has been told to the streams; nil before the first look.
    var seen: NotificationNumber?
    var isDraining = false
  }

  /// Between two looks, however many causes there are.
  private static let pause: Duration = .milliseconds(50)

  private let store: NotificationStore
  private let interval: Duration
  private let state = Mutex(State())
  private let nudges: AsyncStream<Void>
  private let nudger: AsyncStream<Void>.Continuation

  /// - Parameter interval: how often the database is asked when nothing happens here.
  public init(storage: StorageSystem, interval: Duration = .seconds(1)) {
    store = storage.notifications
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
    let seen = state.withLock(\.seen)
    let news = try await store.news(after: seen)
    let signals = state.withLock { state -> [StreamSignal] in
      state.seen = news.head
      // Streams that began before the first look may have missed something.
      if seen == nil { return state.streams.values.flatMap { $0 } }
      return news.accounts.flatMap { state.streams[$0] ?? [] }
    }
    for signal in signals { signal.signal(.data) }
  }

  /// How many streams wait for news.
  var streamCount: Int { state.withLock { $0.streams.values.reduce(0) { $0 + $1.count } } }

  /// Wakes a stream at each news of an account from now on, until `leave`.
  func join(_ account: AccountID, _ signal: StreamSignal) {
    let isDraining = state.withLock { state in
      state.streams[account, default: []].append(signal)
      return state.isDraining
    }
    if isDraining { signal.signal(.drain) }
  }

  func leave(_ account: AccountID, _ signal: StreamSignal) {
    state.withLock { state in
      state.streams[account]?.removeAll { $0 === signal }
      if state.streams[account]?.isEmpty == true { state.streams[account] = nil }
    }
  }

  /// Sends a heartbeat on every stream that has been silent since the instant.
  public func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    for signal in everySignal() { signal.beat(ifWaitingSince: instant) }
  }

  /// Ends every stream, and those that will come.
  public func drain() {
    state.withLock { $0.isDraining = true }
    for signal in everySignal() { signal.signal(.drain) }
  }

  private func everySignal() -> [StreamSignal] { state.withLock { $0.streams.values.flatMap { $0 } } }
}
