public import Domain

/// Judges the readings of one person as they arrive: a value without clocks, locks or threads, so that the same readings
/// at the same times always decide the same.
///
/// It takes readings in any order. What it decides after all have come is what it would have decided had they come in the
/// order of their times, as far as they are not older than `freshness` when they come and the clock of their source is not
/// set back meanwhile; where memory has to be bounded it errs on the side of a call.
///
/// State is kept in a track for each metric and source: one sensor's fine value does not hide another's, and clocks of two
/// sources need not agree. Order and distance of readings are those of their source's clock; hold times that nothing
/// contradicts are the server's, from the receipt. `Evidence` says what speaks for a crossing and against it, and what
/// happens when a clock is set back. A person who is well takes some 150 bytes.
public struct PersonMonitor: Sendable {
  /// Readings that are older than this when they are received never raise a call.
  public static let freshness: Microseconds = 300_000_000
  /// How long a crossing must have been over for its episode to close.
  public static let quiet: Microseconds = 600_000_000
  /// The limits for exertion hold for so long after it.
  public static let recovery: Microseconds = 600_000_000
  /// How long a value counts in the score and among the recent vitals, and how long a source that has said nothing since
  /// a value beyond a limit counts as if it still said so.
  public static let wordLasts: Microseconds = 3_600_000_000
  /// A newest reading so far in the future is of a clock that is wrong, and whose next steps back are believed at once.
  static let clockError: Microseconds = 30_000_000
  /// The work of a reading is counted in steps: entries of evidence that are looked at or moved, one to three nanoseconds
  /// each. What a reading costs without them, when it is fine and in order, when it has to be judged, and when it is the
  /// first of its source and another has to give way.
  public static let plainSteps = 50
  static let judgingSteps = 300
  static let newTrackSteps = 1_000
  /// The most crossings that are kept apart by source for the time when they are over.
  static let maxJoined = 64
  /// Of metrics and sources; the one that has been silent for longest gives way.
  static let maxTracks = 32
  /// Times further off than this are no times: nothing overflows below it.
  static let farthest: Microseconds = 1 << 58

  // What nearly every reading needs stands first, in one cache line.
  public let person: PersonID
  public internal(set) var rules: RuleSet
  /// One entry while something is the matter: apart, because most persons are well.
  var trouble: [Trouble] = []
  /// One entry for persons who have contacts, exertions or silence as an alarm.
  var extras: [Extras] = []
  var first: VitalTrack
  /// The points of all tracks together: the score is not more.
  var pointSum: Int16 = 0
  var second: VitalTrack
  var others: [VitalTrack] = []
  var profile = Profile()
  var place = Place()

  /// - Parameter rules: made of `RuleSet.Key(person, on: today)`.
  public init(_ person: MonitoredPerson, rules: RuleSet) {
    self.person = person.person
    self.rules = rules
    first = Self.noTrack
    second = Self.noTrack
    set(person)
  }

  /// Replaces settings and limits. What has been received is judged anew as far as it is kept; what has been decided
  /// stays.
  public mutating func update(_ person: MonitoredPerson, rules: RuleSet) {
    set(person)
    use(rules)
  }

  /// Goes over to other rules, as on a birthday.
  public mutating func use(_ rules: RuleSet) {
    self.rules = rules
    pointSum = 0
    for index in 0..<trackCount {
      let points = rules.points(self[track: index].metric, self[track: index].value)
      self[track: index].note(points: points)
      pointSum += Int16(points)
    }
    guard !trouble.isEmpty else { return }
    for index in trouble[0].evidence.indices {
      guard let place = rules.place(of: trouble[0].evidence[index].metric) else { continue }
      var evidence = trouble[0].evidence[index]
      evidence.judge { limits(place, at: $0.time).side(of: $0.value) }
      trouble[0].evidence[index] = evidence
    }
    trouble[0].due = .min
  }

  /// When `check(at:)` has something to do, or earlier; silence is not counted.
  public var due: Microseconds { trouble.isEmpty ? .max : trouble[0].due }
  /// `due`, read where the person stands: a getter is given a copy, which costs more than most readings.
  public mutating func dueInPlace() -> Microseconds { due }
  /// Whether silence is an alarm for this person.
  public var listensForSilence: Bool { !extras.isEmpty && extras[0].silence != nil }

  /// Whether a heart rate has come since silence has been an alarm.
  public var hasBeenHeard: Bool { !extras.isEmpty && extras[0].silence?.heard != nil }

  /// Takes a reading.
  ///
  /// - Parameters:
  ///   - vital: of any metric; of those that nothing depends on nothing is kept.
  ///   - received: the server's time when it was received.
  ///   - now: the server's time, by which a reading is told to be too old; later than `received` only when the past is
  ///     gone through again after a restart.
  ///   - stream: the stream that brought it.
  ///   - decisions: takes what is decided, seldom anything.
  /// - Returns: the work that it took, in steps of one to three nanoseconds; bounded, however readings come.
  @discardableResult
  public mutating func take(
    _ vital: Vital, receivedAt received: Microseconds, now: Microseconds, stream: UInt64 = 0,
    into decisions: inout [Decision]
  ) -> Int {
    guard let place = rules.place(of: vital.metric), vital.value.isFinite, Self.isTime(vital.time),
      Self.isTime(received),
      Self.isTime(now)
    else { return Self.plainSteps }
    if !extras.isEmpty { hear(vital, received, stream) }
    let limits = limits(place, at: vital.time)
    if trouble.isEmpty, limits.side(of: vital.value) == .within, advance(vital, received) {
      if Int(pointSum) + rules.standingPoints >= rules.scoreLimit, rules.scoreLimit > 0 {
        judgeScore(vital.time, received, now, &decisions)
      }
      return Self.plainSteps
    }
    return judge(vital, place, limits, received, now, &decisions)
  }

  /// The way of nearly every reading: within the limits, newer than the newest of its track, and all is well.
  /// - Returns: false if there is more to it.
  @inline(__always) private mutating func advance(_ vital: Vital, _ received: Microseconds) -> Bool {
    let points = rules.points(vital.metric, vital.value)
    if first.isOf(vital.metric, vital.source) { return Self.advance(&first, vital, received, points, &pointSum) }
    if second.isOf(vital.metric, vital.source) { return Self.advance(&second, vital, received, points, &pointSum) }
    for index in others.indices where others[index].isOf(vital.metric, vital.source) {
      return Self.advance(&others[index], vital, received, points, &pointSum)
    }
    return false
  }

  @inline(__always) private static func advance(
    _ track: inout VitalTrack, _ vital: Vital, _ received: Microseconds, _ points: Int, _ sum: inout Int16
  ) -> Bool {
    guard vital.time > track.newest else { return false }
    track.advance(to: vital.time, vital.value)
    sum += Int16(points) - Int16(track.points)
    track.note(points: points, receivedAt: received)
    return true
  }

  private mutating func hear(_ vital: Vital, _ received: Microseconds, _ stream: UInt64) {
    guard extras[0].silence != nil else { return }
    extras[0].silence?.take(stream: stream)
    guard vital.metric == VitalSign.heartRate else { return }
    extras[0].silence?.hear(takenAt: vital.time, receivedAt: received)
    guard !trouble.isEmpty else { return }
    for index in trouble[0].joined.indices where trouble[0].joined[index].kind == .silence {
      guard !trouble[0].joined[index].isOver else { continue }
      (trouble[0].joined[index].isOver, trouble[0].joined[index].lastUnwell) = (true, received)
      trouble[0].due = min(trouble[0].due, trouble[0].joined[index].ends)
    }
  }

  /// Takes a position; the newest by time is kept.
  ///
  /// - Parameters:
  ///   - position: an accuracy of nil is not known.
  ///   - stream: the stream that brought it.
  public mutating func take(_ position: LastPosition, receivedAt received: Microseconds, stream: UInt64 = 0) {
    guard Self.isTime(position.time), Self.isTime(received), abs(position.latitude) <= 90,
      abs(position.longitude) <= 180
    else { return }
    if listensForSilence {
      extras[0].silence?.take(stream: stream)
      extras[0].silence?.move(to: position.latitude, position.longitude, at: received)
    }
    if place.time == .min || position.time >= place.time { place = Place(position) }
  }

  static func isTime(_ time: Microseconds) -> Bool { -farthest < time && time < farthest }

  /// The limits that hold for a reading of a time.
  @inline(__always) func limits(_ place: Int, at time: Microseconds) -> CompiledLimits {
    isExerting(at: time) ? rules.exertion[place] : rules.rest[place]
  }

  /// Whether the limits for exertion hold for a reading of a time.
  @inline(__always) func isExerting(at time: Microseconds) -> Bool {
    guard !extras.isEmpty else { return false }
    return extras[0].exertions.contains { $0.lowerBound <= time && time - Self.recovery < $0.upperBound }
  }
}
