public import Domain
public import SosRules
internal import Synchronization

/// Checks every reading of the persons who have AutomatedSOS on, as it arrives and before anything else is done with it.
///
/// All in memory, without waiting for anything: persons are spread over shards, each with a lock of its own, and a batch
/// is walked in runs of the same person. Somebody who is not watched costs one lookup, a reading of somebody who is well
/// less than 100 ns, a person with a heart rate, blood oxygen and a position less than 200 bytes.
///
/// To measure it in a process of its own: make one with a sink that counts, `watch` persons, `take` columns; the bytes a
/// person are the difference that `mallinfo2` shows.
public final class VitalsMonitor: ReadingTap {
  /// How often timers are looked at.
  public static let pace: Microseconds = 50_000
  /// The work that is done under one lock, and by one call of `takePiece`, in the steps of `PersonMonitor.take`: some 70 µs,
  /// 1,000 readings of persons who are well or some dozens that are hard to judge.
  static let pieceSteps = 50_000
  /// What it costs to pass by readings of one person, in the same steps.
  private static let passingSteps = 2
  /// The most persons of a batch who come before the others.
  static let maxUrgent = 8
  /// Tells who may be urgent: the limits of adults, which most persons have.
  private static let usualRules = RuleSet(RuleSet.Key(age: nil))
  /// How often silence is looked at; it is a matter of minutes.
  static let silencePace: Microseconds = 1_000_000

  private let shards: [MonitorShard]
  private let shift: UInt64
  private let streams = StreamTable()
  private let rules = RuleSetCache()
  private let clock: @Sendable () -> Microseconds
  private let sink: @Sendable (MonitorEvent) -> Void
  private let count = Atomic<Int>(0)
  private let today: Mutex<CalendarDate?>
  private let nextSilence = Atomic<Int64>(0)

  /// - Parameters:
  ///   - shards: how many locks the persons are spread over; a power of two, 1 to 4,096.
  ///   - clock: the server's time.
  ///   - sink: takes what is decided, on the thread that brought the reading; must not block, and may be called on
  ///     several threads at once.
  public init(
    shards: Int = 64, clock: @escaping @Sendable () -> Microseconds, sink: @escaping @Sendable (MonitorEvent) -> Void
  ) {
    precondition(shards > 0 && shards <= 4_096 && shards & (shards - 1) == 0, "shards must be a power of two")
    self.shards = (0..<shards).map { _ in MonitorShard(clock: clock) }
    shift = UInt64(64 - shards.trailingZeroBitCount)
    self.clock = clock
    self.sink = sink
    today = Mutex(CalendarDate(utc: clock()))
  }

  /// How many persons are watched.
  public var personCount: Int { count.load(ordering: .relaxed) }

  public var isIdle: Bool { personCount == 0 }

  // MARK: Persons

  /// Watches a person, or replaces settings and limits of one who is watched and keeps the state. A person who has
  /// AutomatedSOS off is forgotten.
  public func watch(_ person: MonitoredPerson) {
    guard person.settings.isEnabled, person.person > 0 else { return forget(person.person) }
    let rules = rules.rules(RuleSet.Key(person, on: today.withLock { $0 }))
    if shard(of: person.person).withLock({ $0.watch(person, rules) }) { count.add(1, ordering: .relaxed) }
  }

  /// Forgets a person: who has turned AutomatedSOS off, or is erased.
  public func forget(_ person: PersonID) {
    if shard(of: person).withLock({ $0.forget(person) }) { count.subtract(1, ordering: .relaxed) }
  }

  /// Whether a person is watched.
  public func isWatched(_ person: PersonID) -> Bool { shard(of: person).withLock { $0.place(of: person) != nil } }

  /// The numbers of all persons who are watched, in no order.
  public var persons: [PersonID] {
    shards.flatMap { shard in
      shard.withLock { state in
        var persons: [PersonID] = []
        state.forEach { persons.append($0.person) }
        return persons
      }
    }
  }

  /// Those of them for whom silence is an alarm and of whom no heart rate is known.
  public var unheard: [PersonID] {
    shards.flatMap { shard in
      shard.withLock { state in
        var persons: [PersonID] = []
        state.forEach { if $0.listensForSilence, !$0.hasBeenHeard { persons.append($0.person) } }
        return persons
      }
    }
  }

  /// The emergency is final: what it was about calls no more until it has been over for a while.
  public func emergencyEnded(_ person: PersonID, _ id: EmergencyID) {
    let now = clock()
    shard(of: person).withLock { $0.change(person) { monitor, _ in monitor.end(id, at: now) } }
  }

  /// Takes up an emergency at start: one that is open, or was closed lately. The person is watched already, and readings
  /// come later.
  public func restore(_ emergency: Emergency) {
    shard(of: emergency.person).withLock { $0.change(emergency.person) { monitor, _ in monitor.restore(emergency) } }
  }

  // MARK: Readings

  /// Checks readings, all of them.
  ///
  /// - Parameters:
  ///   - columns: validated readings; of persons who are not watched nothing is done.
  ///   - receivedAt: the server's time when the message that holds them was received.
  ///   - stream: that brought them.
  public func take(_ columns: borrowing ReadingColumns, receivedAt: Microseconds, from stream: StreamNumber) {
    var progress = CheckProgress()
    while takePiece(columns, receivedAt: receivedAt, from: stream, &progress) {}
  }

  /// Checks the next piece of a batch, so that who brings a large one can let others have their turn: `take` says what the
  /// parameters are.
  ///
  /// Persons with a value beyond the usual limits come first, wherever their readings stand: an alarm does not wait for the
  /// turns of others. Who has limits of their own comes in order, and so does everybody after the first few.
  ///
  /// - Parameter progress: new for the first piece, then as it was left.
  /// - Returns: whether there is more.
  public func takePiece(
    _ columns: borrowing ReadingColumns, receivedAt: Microseconds, from stream: StreamNumber,
    _ progress: inout CheckProgress
  ) -> Bool {
    guard personCount > 0 else { return false }
    var steps = Self.pieceSteps
    let urgent = progress.urgent ?? urgent(in: columns.scalars, &steps)
    progress.urgent = urgent
    if urgent.isEmpty {
      take(columns.scalars, from: &progress.scalars, &steps, stream, now: receivedAt) { _ in receivedAt }
    } else {
      take(columns.scalars, from: &progress.ahead, &steps, stream, now: receivedAt, of: { urgent.contains($0) }) { _ in
        receivedAt
      }
      take(columns.scalars, from: &progress.scalars, &steps, stream, now: receivedAt, of: { !urgent.contains($0) }) {
        _ in receivedAt
      }
    }
    take(columns.positions, from: &progress.positions, &steps, stream) { _ in receivedAt }
    return progress.scalars < columns.scalars.count || progress.positions < columns.positions.count
  }

  /// The first persons of a batch, if it takes more than a piece, who are watched and have a value beyond the usual limits.
  private func urgent(in readings: borrowing ScalarColumns, _ steps: inout Int) -> [PersonID] {
    guard readings.count > Self.pieceSteps / PersonMonitor.plainSteps else { return [] }
    steps -= readings.count
    let rules = Self.usualRules
    var urgent: [PersonID] = []
    var next = 0
    while let place = rules.firstBeyondLimit(in: readings, from: next) {
      next = place + 1
      let person = readings.person[place]
      if urgent.contains(person) { continue }
      // However many there are who are not watched, some of the piece is left to judge with.
      guard urgent.count < Self.maxUrgent, steps > Self.pieceSteps / 2 else { break }
      steps -= PersonMonitor.plainSteps
      if isWatched(person) { urgent.append(person) }
    }
    return urgent
  }

  /// Goes through readings of the past again after a restart: they count as received when they were taken, and those
  /// that are too old by now raise no call.
  ///
  /// - Parameters:
  ///   - columns: in the order of the log or of time.
  ///   - now: the server's time.
  public func takePast(_ columns: borrowing ReadingColumns, now: Microseconds) {
    guard personCount > 0 else { return }
    var progress = CheckProgress()
    while progress.scalars < columns.scalars.count || progress.positions < columns.positions.count {
      var steps = Self.pieceSteps
      take(columns.scalars, from: &progress.scalars, &steps, 0, now: now) { min($0, now) }
      take(columns.positions, from: &progress.positions, &steps, 0) { min($0, now) }
    }
  }

  @inline(__always) private func take(
    _ readings: ScalarColumns, from first: inout Int, _ steps: inout Int, _ stream: StreamNumber, now: Microseconds,
    of isTaken: (PersonID) -> Bool = { _ in true }, receivedAt: (Microseconds) -> Microseconds
  ) {
    var events: [MonitorEvent] = []
    let end = readings.count
    while first < end, steps > 0 {
      let person = readings.person[first]
      var next = first + 1
      while next < end, readings.person[next] == person, next - first < Self.pieceSteps / PersonMonitor.plainSteps {
        next += 1
      }
      guard isTaken(person) else {
        steps -= Self.passingSteps
        first = next
        continue
      }
      shard(of: person).withLock { state in
        guard let place = state.place(of: person) else {
          steps -= PersonMonitor.plainSteps
          first = next
          return
        }
        state.withPerson(at: place, now, &events) { monitor, decisions in
          repeat {
            let time = readings.time[first]
            steps -= monitor.take(
              Vital(
                metric: readings.metric[first], source: readings.source[first], time: time,
                value: readings.value[first]),
              receivedAt: receivedAt(time), now: now, stream: stream, into: &decisions)
            first += 1
          } while first < next && steps > 0
        }
      }
      if !events.isEmpty { send(&events) }
    }
  }

  private func take(
    _ readings: PositionColumns, from first: inout Int, _ steps: inout Int, _ stream: StreamNumber,
    receivedAt: (Microseconds) -> Microseconds
  ) {
    while first < readings.count, steps > 0 {
      let accuracy = readings.accuracy[first]
      let position = LastPosition(
        latitude: readings.latitude[first], longitude: readings.longitude[first],
        accuracy: accuracy.isNaN ? nil : accuracy, time: readings.time[first])
      shard(of: readings.person[first]).withLock { state in
        state.change(readings.person[first]) { monitor, _ in
          monitor.take(position, receivedAt: receivedAt(position.time), stream: stream)
        }
      }
      steps -= PersonMonitor.plainSteps
      first += 1
    }
  }

  /// A source that was known by a number for the time being has got its own.
  public func rename(source old: SourceID, to new: SourceID, of person: PersonID) {
    shard(of: person).withLock { $0.change(person) { monitor, _ in monitor.rename(source: old, to: new) } }
  }

  /// A stream has ended.
  /// - Parameter inOrder: whether the client had said that no more would come.
  public func streamEnded(_ stream: StreamNumber, inOrder: Bool) {
    streams.end(stream, inOrder ? .inOrder : .brokenOff)
  }

  /// A device has said how it is.
  /// - Parameter isWorn: nil if it can't tell.
  public func report(_ person: PersonID, isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds) {
    shard(of: person).withLock { state in
      state.change(person) { monitor, _ in monitor.report(isWorn: isWorn, hasLowBattery: hasLowBattery, at: now) }
    }
  }

  // MARK: Time

  /// Does what the server's time asks for: hold times that have passed, silence, episodes that are over.
  public func check(at now: Microseconds) {
    newDay(now)
    let listens = now >= nextSilence.load(ordering: .relaxed)
    if listens { nextSilence.store(now &+ Self.silencePace, ordering: .relaxed) }
    var events: [MonitorEvent] = []
    for shard in shards {
      shard.withLock { state in
        state.check(at: now, &events)
        if listens { state.checkSilence(at: now, streams, &events) }
      }
      if !events.isEmpty { send(&events) }
    }
  }

  /// Checks about every 50 ms, on a thread of its own, which nothing else delays. Returns when the task is cancelled.
  public func run() async { await MonitorThread { [self] in check(at: clock()) }.run() }

  /// On a birthday the rules may change.
  private func newDay(_ now: Microseconds) {
    guard let day = CalendarDate(utc: now) else { return }
    let isNew = today.withLock { today in
      defer { today = day }
      return today != day
    }
    guard isNew else { return }
    for shard in shards {
      shard.withLock { state in
        state.forEach { monitor in
          guard let birth = monitor.dateOfBirth, monitor.rules.key.age != birth.age(on: day) else { return }
          monitor.use(rules.rules(monitor.rules.key(atAge: birth.age(on: day))))
        }
      }
    }
  }

  private func send(_ events: inout [MonitorEvent]) {
    for event in events { sink(event) }
    events.removeAll(keepingCapacity: true)
  }

  @inline(__always) private func shard(of person: PersonID) -> MonitorShard {
    shards[Int(truncatingIfNeeded: MonitorShard.State.hash(person) >> shift & UInt64(shards.count - 1))]
  }
}
