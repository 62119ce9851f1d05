internal import Domain
internal import Emergencies
internal import Identity
internal import Log
internal import RPCRuntime
internal import ServiceKit
internal import SosRules
internal import Synchronization

/// Calls for the systems of emergency services, and for the people at their desks: each RPC has its own file.
public final class DispatchService: Sendable {
  private struct State {
    /// Of each dispatcher the newest stream.
    var streams: [AccountID: DispatcherStream] = [:]
    /// As the database has said: where it can't be asked, a dispatcher that was here before can come back.
    var priorities: [AccountID: Int32] = [:]
  }

  private let desk: (any CallDesk)?
  private let accounts: StaffAccounts
  /// What people at desks need of the desk; nil: there are no calls.
  let staff: (any StaffDesk)?
  let roster: DeskRoster
  /// The open streams of people at desks.
  let desks: DeskStreams
  let seal: Seal
  let metrics: MetricRegistry
  let sources: SourceRegistry
  /// Hears which system a dispatcher has connected with.
  let connected: @Sendable (AccountID, _ system: String) -> Void
  /// Where dispatchers' streams hear of heartbeats and of the server's end.
  private let open: Board<LogTopic>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - desk: gives out the calls; nil: there are none.
  ///   - staff: the same desk for people; nil: there are no calls.
  ///   - roster: who they are.
  ///   - streams: those that are open.
  ///   - storage: names and priorities.
  ///   - connected: hears which system a dispatcher has connected with. Must not block.
  init(
    desk: (any CallDesk)?, staff: (any StaffDesk)? = nil, roster: DeskRoster, streams: Board<LogTopic>,
    storage: StorageSystem,
    connected: @escaping @Sendable (AccountID, _ system: String) -> Void = { _, _ in }
  ) {
    self.desk = desk
    open = streams
    accounts = StaffAccounts(pool: storage.pool)
    self.staff = staff
    self.roster = roster
    desks = DeskStreams(open: streams, desk: staff)
    seal = storage.seal
    metrics = storage.metrics
    sources = storage.sources
    self.connected = connected
  }

  /// The priority of a dispatcher.
  /// - Throws: `PostgresError` if the database can't be asked and the dispatcher has not been here before.
  func priority(of account: AccountID) async throws -> Int32 {
    do {
      guard let dispatcher = try await accounts.dispatcher(account) else { throw RPCStatus.unauthenticated }
      state.withLock { $0.priorities[account] = dispatcher.priority }
      return dispatcher.priority
    } catch let status as RPCStatus {
      throw status
    } catch {
      guard let known = state.withLock({ $0.priorities[account] }) else { throw error }
      return known
    }
  }

  /// Calls go to the stream from now on; an older stream of the same dispatcher ends.
  func join(_ stream: DispatcherStream) {
    let older = state.withLock { state in
      let older = state.streams.updateValue(stream, forKey: stream.account)
      // Within the lock, so that the desk hears of two streams in the order in which they came. It does not come back
      // here, and what it tells a stream is only put down.
      if let older { desk?.disconnect(older) }
      desk?.connect(stream)
      return older
    }
    older?.end(with: .superseded)
    open.join(stream.signal)
  }

  /// The stream has ended; calls go on to others.
  func leave(_ stream: DispatcherStream) {
    open.leave(stream.signal)
    state.withLock { state in
      // A newer stream has taken its place, and it has left then.
      guard state.streams[stream.account] === stream else { return }
      state.streams[stream.account] = nil
      desk?.disconnect(stream)
    }
  }

  func answer(_ id: EmergencyID, _ answer: DispatcherAnswer, note: String, from stream: DispatcherStream) {
    // What changes nothing is no error of the dispatcher's: answers cross with news.
    _ = desk?.answer(id, answer, note: note, from: stream)
  }

  /// How many streams are open.
  var streamCount: Int { state.withLock(\.streams.count) }
}
