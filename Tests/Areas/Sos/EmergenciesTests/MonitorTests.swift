import Domain
import SosRules
import Glibc
import Synchronization
import Testing

@testable import Emergencies

/// Who is watched, and what is told of whom (A-R13, A-R15, B-R.S2, B-R.P1).
@Suite struct MonitorTests {
  static let start: Microseconds = 1_700_000_000_000_000

  /// A monitor, a clock, and what it has told.
  final class Rig: Sendable {
    let now = Mutex(MonitorTests.start)
    let events = Mutex<[MonitorEvent]>([])
    private let made = Mutex<VitalsMonitor?>(nil)
    var monitor: VitalsMonitor { made.withLock { $0! } }

    init(shards: Int = 4) {
      let monitor = VitalsMonitor(
        shards: shards, clock: { [unowned self] in now.withLock { $0 } },
        sink: { [unowned self] event in events.withLock { $0.append(event) } })
      made.withLock { $0 = monitor }
    }

    func watch(_ persons: Range<PersonID>, _ change: (inout MonitoredPerson) -> Void = { _ in }) {
      for number in persons {
        var person = MonitoredPerson(
          person: number, settings: SosSettings(), dateOfBirth: CalendarDate(year: 1950, month: 1, day: 1))
        person.settings.isEnabled = true
        change(&person)
        monitor.watch(person)
      }
    }

    /// A reading of person 1 that is received when it is taken: now.
    func measure(_ value: Double, _ metric: MetricID) {
      var columns = ReadingColumns()
      columns.scalars.person = [1]
      columns.scalars.metric = [metric]
      columns.scalars.source = [1]
      columns.scalars.time = [now.withLock { $0 }]
      columns.scalars.value = [value]
      monitor.take(columns, receivedAt: columns.scalars.time[0], from: 0)
    }

    func take(_ readings: [(person: PersonID, value: Double, time: Microseconds)], stream: StreamNumber = 0) {
      var columns = ReadingColumns()
      for reading in readings {
        columns.scalars.person.append(reading.person)
        columns.scalars.metric.append(VitalSign.heartRate)
        columns.scalars.source.append(1)
        columns.scalars.time.append(reading.time)
        columns.scalars.value.append(reading.value)
      }
      monitor.take(columns, receivedAt: now.withLock { $0 }, from: stream)
    }

    func pass(_ seconds: Microseconds) {
      let now = now.withLock { now in
        now += seconds * 1_000_000
        return now
      }
      monitor.check(at: now)
    }

    var detections: [Detection] {
      events.withLock { $0 }.compactMap { if case .detected(let detection) = $0 { detection } else { nil } }
    }
  }

  @Test func whoIsNotWatchedIsNotJudged() {
    let rig = Rig()
    rig.watch(1..<3)
    rig.watch(3..<4) { $0.settings.isEnabled = false }
    #expect(rig.monitor.personCount == 2)
    rig.take((1...5).map { ($0, 30, Self.start) } + (1...5).map { ($0, 30, Self.start + 4_000_000) })
    #expect(rig.detections.map(\.person) == [1, 2])
    rig.monitor.forget(1)
    rig.monitor.forget(1)
    rig.monitor.forget(9)
    #expect(rig.monitor.personCount == 1 && !rig.monitor.isWatched(1) && rig.monitor.isWatched(2))
  }

  @Test func aTimerCallsWithoutAnotherReading() {
    let rig = Rig()
    rig.watch(1..<1_000)
    rig.take((1..<1_000).map { ($0, $0 % 2 == 0 ? 30 : 70, Self.start) })
    rig.pass(2)
    #expect(rig.detections.isEmpty)
    rig.pass(1)
    #expect(rig.detections.count == 499)
    #expect(rig.detections.allSatisfy { $0.isFirst && $0.crossing.completed == Self.start + 3_000_000 })
    rig.pass(100)
    #expect(rig.detections.count == 499)
  }

  @Test func aCallSaysWhereAndWhat() throws {
    let rig = Rig()
    rig.watch(1..<2) {
      $0.sex = .male
      $0.settings.callbackNumber = PhoneNumber("+393331234567")
      $0.settings.contacts = [EmergencyContact(name: "Ada", phone: nil, email: "a@example.org")]
    }
    var columns = ReadingColumns()
    columns.positions.person = [1]
    columns.positions.metric = [11]
    columns.positions.source = [0]
    columns.positions.time = [Self.start]
    columns.positions.latitude = [45.4642]
    columns.positions.longitude = [9.19]
    columns.positions.altitude = [.nan]
    columns.positions.accuracy = [12]
    columns.positions.speed = [.nan]
    columns.positions.course = [.nan]
    rig.monitor.take(columns, receivedAt: Self.start, from: 0)
    rig.take([(1, 30, Self.start), (1, 31, Self.start + 3_000_000)])
    let detection = try #require(rig.detections.first)
    #expect(detection.position == LastPosition(latitude: 45.4642, longitude: 9.19, accuracy: 12, time: Self.start))
    #expect(detection.sex == .male && detection.callbackNumber?.description == "+393331234567")
    #expect(detection.contacts.map(\.name) == ["Ada"] && detection.vitals.map(\.value) == [31])
  }

  @Test func lateReadingsAreToldOnceAMinute() {
    let rig = Rig()
    rig.watch(1..<2)
    let old = (0..<50).map { (PersonID(1), 30.0, Self.start - 400_000_000 + Microseconds($0)) }
    rig.take(old)
    #expect(rig.events.withLock { $0 }.count == 1)
    rig.pass(60)
    rig.take(old)
    rig.take([(1, 30, Self.start - 390_000_000)])
    #expect(rig.events.withLock { $0 }.count == 2)
    #expect(rig.detections.isEmpty)
  }

  @Test func aStreamsEndTellsSilenceApart() {
    for (inOrder, cause) in [(true, SilenceCause.streamClosed), (false, .connectionLost), (nil as Bool?, .unknown)] {
      let rig = Rig()
      rig.watch(1..<2) { $0.settings.silence = SilenceRule(notifyAfterMinutes: 5, callAfterMinutes: 1) }
      let stream: StreamNumber = 1
      rig.take([(1, 70, Self.start)], stream: stream)
      if let inOrder { rig.monitor.streamEnded(stream, inOrder: inOrder) }
      rig.pass(299)
      #expect(rig.events.withLock { $0 }.isEmpty)
      rig.pass(1)
      rig.pass(60)
      let causes = rig.events.withLock { $0 }.compactMap {
        if case .silence(let notice) = $0 { notice.cause } else { nil }
      }
      #expect(causes == [cause])
      #expect(rig.detections.map(\.crossing.kind) == (cause.isHarmless ? [] : [.silence]))
    }
  }

  /// NEWS2 adds 2 points for supplemental oxygen: 5 points of readings are 7 with it. Each is within its own limits.
  @Test(arguments: [true, false]) func supplementalOxygenGivesItsPoints(usesOxygen: Bool) {
    let rig = Rig()
    rig.watch(1..<2) { $0.settings.usesSupplementalOxygen = usesOxygen }
    rig.measure(22, VitalSign.respiratoryRate)  // 2
    rig.measure(93, VitalSign.bloodOxygen)  // 2
    rig.measure(95, VitalSign.heartRate)  // 1
    rig.pass(3)
    #expect(rig.detections.map(\.crossing.kind) == (usesOxygen ? [.score] : []))
    #expect(rig.detections.map(\.crossing.value) == (usesOxygen ? [7] : []))
    #expect(rig.detections.first.map { $0.crossing.limit == 7 } ?? !usesOxygen)
  }

  @Test func turningOxygenOnCountsFromTheNextReadingAndOffEndsIt() {
    let rig = Rig()
    rig.watch(1..<2)
    rig.measure(22, VitalSign.respiratoryRate)
    rig.measure(93, VitalSign.bloodOxygen)
    rig.measure(95, VitalSign.heartRate)
    rig.pass(60)
    #expect(rig.detections.isEmpty)
    rig.watch(1..<2) { $0.settings.usesSupplementalOxygen = true }
    rig.measure(95, VitalSign.heartRate)
    rig.pass(1)
    rig.watch(1..<2)
    rig.measure(95, VitalSign.heartRate)
    rig.pass(10)
    #expect(rig.detections.isEmpty, "the hold time was not over")
    rig.watch(1..<2) { $0.settings.usesSupplementalOxygen = true }
    rig.measure(95, VitalSign.heartRate)
    rig.pass(3)
    #expect(rig.detections.map(\.crossing.value) == [7])
  }

  /// A score is over below 5 points. One that hovers about 7, or falls to 5, is one emergency; one that has been below 5
  /// for ten minutes may be another.
  @Test(arguments: [(6.0, 1), (5, 1), (4, 2)]) func aScoreThatHoversIsOneEmergency(between: Double, emergencies: Int) {
    let rig = Rig()
    rig.watch(1..<2)
    // Respiration and oxygen stay at 2 points each; the pulse and the temperature bring the rest.
    func score(_ points: Double) {
      rig.measure(22, VitalSign.respiratoryRate)
      rig.measure(93, VitalSign.bloodOxygen)
      rig.measure(points >= 6 ? 115 : points >= 5 ? 95 : 70, VitalSign.heartRate)
      rig.measure(points >= 7 ? 38.5 : 37, VitalSign.bodyTemperature)
    }
    for _ in 0..<10 {
      score(7)
      rig.pass(1)
    }
    #expect(rig.detections.map(\.crossing.value) == [7])
    for _ in 0..<20 {
      score(between)
      rig.pass(61)
    }
    for _ in 0..<10 {
      score(7)
      rig.pass(1)
    }
    #expect(Set(rig.detections.map(\.emergency)).count == emergencies)
    #expect(rig.detections.count == emergencies)
    for second in 0..<600 {
      score(second % 2 == 0 ? 6 : 7)
      rig.pass(1)
    }
    #expect(rig.detections.count == emergencies, "hovering about the limit adds none")
  }

  /// After a restart old heart rates are found while new reports come.
  @Test func anOldHeartRateDoesNotUndoWhatADeviceHasSaidSince() {
    let rig = Rig()
    rig.watch(1..<3) { $0.settings.silence = SilenceRule(notifyAfterMinutes: 5, callAfterMinutes: 0) }
    rig.monitor.report(1, isWorn: false, hasLowBattery: false, at: Self.start)
    var columns = ReadingColumns()
    columns.scalars.person = [1, 2]
    columns.scalars.metric = [VitalSign.heartRate, VitalSign.heartRate]
    columns.scalars.source = [1, 1]
    columns.scalars.time = [Self.start - 7_200_000_000, Self.start - 7_200_000_000]
    columns.scalars.value = [70, 70]
    rig.monitor.takePast(columns, now: Self.start)
    rig.pass(1)
    let silent = rig.events.withLock { $0 }.compactMap {
      if case .silence(let notice) = $0 { notice.person } else { nil }
    }
    #expect(silent == [2], "the device of the other is not worn")
  }

  @Test func theSixteenthBirthdayBringsTheLimitsOfAdults() {
    let rig = Rig()
    let birth = CalendarDate(utc: Self.start)!.adding(days: 1)!
    rig.watch(1..<2) { $0.dateOfBirth = CalendarDate(year: birth.year - 16, month: birth.month, day: birth.day) }
    rig.take([(1, 30, Self.start)])
    rig.pass(5)
    #expect(rig.detections.isEmpty)
    rig.pass(86_400)
    rig.take([(1, 30, rig.now.withLock { $0 })])
    rig.pass(5)
    #expect(rig.detections.count == 1)
  }

  @Test func personsComeAndGo() {
    let rig = Rig(shards: 1)
    var present: Set<PersonID> = []
    var state: UInt64 = 42
    func random(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    for _ in 0..<20_000 {
      let person = PersonID(random(700) + 1)
      if random(2) == 0 {
        rig.watch(person..<person + 1)
        present.insert(person)
      } else {
        rig.monitor.forget(person)
        present.remove(person)
      }
    }
    #expect(rig.monitor.personCount == present.count)
    for person in PersonID(1)...700 { #expect(rig.monitor.isWatched(person) == present.contains(person)) }
    rig.take((1...700).map { ($0, 30, Self.start) } + (1...700).map { ($0, 30, Self.start + 3_000_000) })
    #expect(Set(rig.detections.map(\.person)) == present)
  }

  @Test func theThreadOfTimersEndsWithItsTask() async throws {
    let calls = Atomic<Int>(0)
    let monitor = VitalsMonitor(
      clock: {
        calls.add(1, ordering: .relaxed)
        return Self.start
      }, sink: { _ in })
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await monitor.run() }
      while calls.load(ordering: .relaxed) < 4 { try? await Task.sleep(for: .milliseconds(5)) }
      group.cancelAll()
    }
    let after = calls.load(ordering: .relaxed)
    try await Task.sleep(for: .milliseconds(120))
    #expect(calls.load(ordering: .relaxed) == after)
  }

  /// Bytes of a person with two vitals and a position; how long a reading takes is measured by `trackme bench sos`.
  @Test func aPersonTakesLessThanTwoHundredBytes() throws {
    // Tests that run at the same time take memory as well: the least of some measurements is nearest to the truth.
    var least = Double.infinity
    for _ in 0..<5 where least >= 200 { least = min(least, try bytesOfAPerson(among: 30_000)) }
    #expect(least < 200, "\(least) bytes a person")
  }

  private func bytesOfAPerson(among persons: PersonID) throws -> Double {
    let before = try allocatedBytes()
    let monitor = VitalsMonitor(clock: { Self.start }, sink: { _ in })
    var columns = ReadingColumns()
    columns.scalars.metric = [VitalSign.heartRate, VitalSign.bloodOxygen]
    columns.scalars.source = [1, 2]
    columns.scalars.time = [Self.start, Self.start]
    columns.scalars.value = [70, 98]
    columns.positions.metric = [11]
    columns.positions.source = [0]
    columns.positions.time = [Self.start]
    columns.positions.latitude = [45]
    columns.positions.longitude = [9]
    columns.positions.altitude = [.nan]
    columns.positions.accuracy = [5]
    columns.positions.speed = [.nan]
    columns.positions.course = [.nan]
    for person in 1...persons {
      var watched = MonitoredPerson(
        person: person, settings: SosSettings(), dateOfBirth: CalendarDate(year: 1950, month: 1, day: 1), sex: .female)
      watched.settings.isEnabled = true
      watched.settings.callbackNumber = PhoneNumber("+393331234567")
      monitor.watch(watched)
      columns.scalars.person = [person, person]
      columns.positions.person = [person]
      monitor.take(columns, receivedAt: Self.start, from: 1)
    }
    let bytes = Double(try allocatedBytes() - before)
    #expect(monitor.personCount == Int(persons))
    return bytes / Double(persons)
  }
}

/// What the allocator has given out, by its own account: `malloc_info`, which Swift's module of the C library leaves out.
private func allocatedBytes() throws -> Int {
  typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
  let symbol = try #require(dlsym(nil, "malloc_info"))
  var buffer: UnsafeMutablePointer<CChar>?
  var size = 0
  let file = try #require(open_memstream(&buffer, &size))
  #expect(unsafeBitCast(symbol, to: MallocInfo.self)(0, file) == 0)
  fclose(file)
  let text = String(cString: try #require(buffer))
  free(buffer)
  let totals = text.split(separator: "</heap>").last ?? ""
  func amount(_ start: String) -> Int {
    for line in totals.split(separator: "\n") where line.contains(start) {
      return line.split(separator: "size=\"").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }
    return 0
  }
  return amount("system type=\"current\"") + amount("total type=\"mmap\"") - amount("total type=\"fast\"")
    - amount("total type=\"rest\"")
}
