public import Domain
public import Logging
internal import Metering
public import SosRules
internal import Synchronization
internal import Threads

/// Takes what the monitor detects, and calls for help until somebody has taken each call.
///
/// It works on threads of its own and needs nothing but its directory: it goes on from its journal before the database is
/// open, and while PostgreSQL is gone. An emergency goes into the journal first, but waits no longer than 200 ms for it.
/// Then two channels try at the same time, each until it has been taken: dispatchers' systems one after the other
/// (`connect`, then webhooks), and SMS and voice by a gateway.
///
/// Its threads keep it alive until `stop`, which `run` calls when it ends.
public final class EmergencyDesk: Sendable {
  let configuration: DeskConfiguration
  let logger: Logger
  let state: Mutex<DeskState>
  let inbox = Monitored(DeskInbox())
  let journal = Journal()
  let recorder = Recorder()
  let observers = Mutex<[@Sendable (Emergency) -> Void]>([])
  let deskObservers = Mutex<[@Sendable (AccountID) -> Void]>([])
  /// Positions of desks are of one run: after a restart nobody knows what came between.
  public let runNumber = Int64.random(in: 0...Int64.max)
  private let threads = Mutex<[DedicatedThread]>([])
  let lateLog = Mutex<[PersonID: Microseconds]>([:])
  let failureLog = Mutex<[Channel: Microseconds]>([:])

  /// Opens the journal, takes up what was not over, and starts.
  ///
  /// - Throws: `JournalError` if the directory can't be used. A journal that is damaged is read as far as it is whole.
  public init(configuration: DeskConfiguration, logger: Logger = Logger(label: "trackme.sos")) throws {
    let (book, contents) = try JournalBook.open(directory: configuration.directory)
    self.configuration = configuration
    self.logger = logger
    var state = DeskState(configuration)
    state.last = contents.last
    for emergency in contents.emergencies {
      state.restore(emergency, recorded: contents.recorded[emergency.id] ?? .min, isSafe: true)
    }
    self.state = Mutex(state)
    if contents.brokenLines > 0 {
      logger.warning("lines of the journal were not whole", metadata: ["lines": "\(contents.brokenLines)"])
    }
    let writer = journal.start(book, logger: logger) { [inbox] sequence in
      inbox.change { $0.safe = max($0.safe ?? 0, sequence) }
    }
    let worker = DedicatedThread("sos-desk") { self.work() }
    threads.withLock { $0 = [writer, worker] }
    // What the journal held has to go on.
    poke()
  }

  // MARK: - What comes in

  /// Takes what the monitor has seen; never blocks. Of events that can't be taken in time none is lost: beyond a limit
  /// whoever brings one does the desk's work for it.
  public func handle(_ event: MonitorEvent) {
    if case .late(let person, let metric, let age) = event {
      logLate(person, metric, age)
      return
    }
    let isTaken = inbox.change { inbox in
      if inbox.events.count >= configuration.inboxMax { return false }
      inbox.events.append(event)
      return true
    }
    if !isTaken {
      take(event)
      poke()
    }
  }

  /// Whether calls are meant, for emergencies from now on; `exercise` until it is set.
  public var status: DispatchStatus {
    get { state.withLock { $0.status } }
    set { state.withLock { $0.status = newValue } }
  }

  /// Emergencies that are not over, and those that were over in the last hours, oldest first.
  public func active() -> [Emergency] {
    state.withLock { $0.cases.values.map(\.emergency) }.sorted { $0.detected < $1.detected }
  }

  /// An emergency as it stands; nil if it is not known, or over for hours.
  public func emergency(_ id: EmergencyID) -> Emergency? { state.withLock { $0.cases[id]?.emergency } }

  /// Says that it was a false alarm; returns when that is in the journal, or after 200 ms.
  public func cancel(_ id: EmergencyID, by person: PersonID, reason: String) async -> CancelOutcome {
    let outcome = state.withLock { $0.cancel(id, by: person, reason: reason) }
    guard case .cancelled = outcome else { return outcome }
    await withCheckedContinuation { continuation in
      state.withLock { $0.whenSafe(within: configuration.journalWait) { _ in continuation.resume() } }
      poke()
    }
    return outcome
  }

  /// Forgets everything of a person: in memory, in the journal, and in files of messages. When it returns the disk has it.
  ///
  /// - Parameter archived: the person's emergencies that only the archive knows.
  /// - Throws: `JournalError` if a file can't be changed; it may be tried again.
  public func forget(_ person: PersonID, archived: Set<EmergencyID>) async throws {
    let known = Mutex<Set<EmergencyID>>([])
    let isSafe = await withCheckedContinuation { continuation in
      state.withLock { state in
        let ids = state.forget(person)
        known.withLock { $0 = ids }
        state.whenSafe(within: configuration.forgetWait) { continuation.resume(returning: $0) }
      }
      poke()
    }
    guard isSafe else { throw JournalError("the journal of emergencies can't be written now") }
    // What was on its way to a gateway is there by now.
    guard let gateways = configuration.gateways else { return }
    let emergencies = archived.union(known.withLock { $0 })
    for gateway in [gateways.sms, gateways.voice, gateways.contacts] {
      try await gateway.forget(person, emergencies)
    }
  }

  /// A dispatcher's system is there: it is told at once of calls that nobody has accepted, and of its own.
  public func connect(_ dispatcher: any ConnectedDispatcher) {
    state.withLock { $0.connect(dispatcher) }
    poke()
  }

  /// A stream has ended; nothing happens if the dispatcher has a newer one.
  public func disconnect(_ dispatcher: any ConnectedDispatcher) {
    state.withLock { $0.disconnect(dispatcher) }
    poke()
  }

  /// Takes a dispatcher's word.
  ///
  /// - Returns: whether the emergency stands as the dispatcher says; false if it came too late or is of no call that the
  ///   dispatcher was told of.
  @discardableResult
  public func answer(
    _ id: EmergencyID, _ answer: DispatcherAnswer, note: String, from dispatcher: any ConnectedDispatcher
  ) -> Bool {
    let stands = state.withLock { $0.answer(id, answer, note: note, from: dispatcher.account) }
    if stands, let result = DispatchResult(answer) { MetricFamily.dispatchCalls.count(.dispatchers, result) }
    poke()
    return stands
  }

  /// Calls `observer` after every transition, in their order, on the desk's thread: it must not block.
  public func observe(_ observer: @escaping @Sendable (Emergency) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Emergencies that the archive does not have as they stand.
  public var unrecordedCount: Int { recorder.waitingCount }

  // MARK: - The archive

  /// Takes over what the archive knows and the journal does not, and records there from now on. Until it can be read it is
  /// tried again.
  ///
  /// - Throws: `CancellationError`.
  public func attach(archive: any EmergencyArchive) async throws {
    var backOff = BackOff(initial: .milliseconds(100), max: .seconds(5), jitter: 0)
    while true {
      do {
        let after = configuration.clock.wall() - configuration.retention
        let known = try await archive.unfinished(orChangedAfter: after)
        state.withLock { state in
          for emergency in known { state.restore(emergency, recorded: emergency.changed, isSafe: false) }
        }
        poke()
        recorder.attach(archive)
        return
      } catch {
        logger.warning("the archive of emergencies can't be read", metadata: ["error": "\(error)"])
        try await Task.sleep(for: backOff.next())
      }
    }
  }

  /// Records emergencies in the archive until the task is cancelled; then stops the desk.
  public func run() async {
    let emergency: @Sendable (EmergencyID) -> Emergency? = { [weak self] in self?.emergency($0) }
    let recorded: @Sendable (EmergencyID, Microseconds) -> Void = { [weak self] id, changed in
      guard let self else { return }
      state.withLock { $0.recorded(id, changed: changed) }
      poke()
    }
    await recorder.run(logger: logger, emergency: emergency, recorded: recorded)
    await Task { await recorder.finish(emergency, recorded) }.value
    stop()
  }

  /// Ends the threads when everything that is known is in the journal. Calls under way are not waited for: who opens the
  /// journal again makes them again, with the same keys.
  public func stop() {
    inbox.change { $0.isStopped = true }
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    if let worker = threads.last { worker.join() }
    journal.close()
    if let writer = threads.first, threads.count > 1 { writer.join() }
    let waiters = state.withLock { state in
      defer { state.waiters = [:] }
      state.hasEnded = true
      return state.waiters.values.map(\.resume)
    }
    for resume in waiters { resume(false) }
  }

  /// Tells the thread that there is something to do.
  func poke() { inbox.change { $0.isPoked = true } }
}
