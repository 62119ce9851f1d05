import Domain
import Emergencies
import ServiceAPI
import SosRules
import Synchronization
import Testing
import WireCodec

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

/// After a restart the monitor of vitals is where it would be without one (A-R15, B-3.7.2).
@Suite(.timeLimit(.minutes(5))) struct MonitorRebuildTests {
  private static let now = ServiceRig.now
  private static let second: Microseconds = 1_000_000

  /// A monitor of persons, and what it has told.
  private final class Watch: Sendable {
    private let told = Mutex<[Detection]>([])
    private let made = Mutex<VitalsMonitor?>(nil)
    var monitor: VitalsMonitor { made.withLock { $0! } }
    var detections: [Detection] { told.withLock { $0 }.sorted { $0.person < $1.person } }

    init(_ persons: ClosedRange<PersonID>, restoring emergencies: [Emergency] = []) {
      let monitor = VitalsMonitor(clock: { MonitorRebuildTests.now }) { [unowned self] event in
        if case .detected(let detection) = event { told.withLock { $0.append(detection) } }
      }
      for number in persons {
        var person = MonitoredPerson(person: number, settings: SosSettings())
        person.settings.isEnabled = true
        monitor.watch(person)
      }
      for emergency in emergencies { monitor.restore(emergency) }
      made.withLock { $0 = monitor }
    }
  }

  private static func emergency(_ detection: Detection) -> Emergency {
    Emergency(
      id: detection.emergency, person: detection.person, status: .exercise, detected: detection.crossing.completed,
      crossings: [detection.crossing], vitals: [], position: nil, age: nil, sex: nil, callbackNumber: nil, contacts: [],
      number: "112", country: "", transitions: [])
  }

  private static func columns(
    _ readings: [(person: PersonID, metric: MetricID, seconds: Microseconds, value: Double)]
  ) -> Trackme_Readings_V1_ReadingColumns {
    .init(
      scalars: .init(
        personID: readings.map(\.person), metric: readings.map { UInt32($0.metric) },
        timeUs: readings.map { now + $0.seconds * second }, value: readings.map(\.value)))
  }

  @Test("out of chunks, out of the log's tail, or out of both", arguments: [0, 1, 2])
  func killedAndRebuiltIsAsNeverKilled(parts: Int) async throws {
    let before = Watch(1...7)
    try await withServer("rebuild\(parts)", checking: before.monitor) { rig in
      let first = Self.columns([
        // Complete, and known; a hold that runs; one that a fine reading has ended; an old one; all is well.
        (1, 1, -20, 30), (1, 1, -16, 30), (2, 1, -1, 30), (3, 1, -2, 30), (3, 1, -1, 70), (4, 1, -400, 30),
        (5, 1, -5, 70),
        // The last vitals of an hour, and one from before it.
        (5, 6, -3_000, 97), (5, 7, -3_700, 15),
        // A score that only the next reading makes.
        (6, 7, -1_800, 22), (6, 6, -1_700, 93), (6, 1, -1_600, 115), (7, 1, -1, 25),
      ])
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(1, first)
      _ = try await client.acknowledgements(1)
      if parts > 0 { try await rig.storage.compactor.compactEverything() }
      let place = Trackme_Readings_V1_PositionColumns(
        personID: [2], metric: [11], timeUs: [Self.now - 50], latitude: [45.5], longitude: [9.25])
      try await client.push(2, .init(positions: place))
      try await client.push(3, Self.columns([(6, 5, -10, 36.5)]))
      _ = try await client.acknowledgements(2)
      if parts == 1 { try await rig.storage.compactor.compactEverything() }

      #expect(before.detections.map(\.person) == [1])
      let after = Watch(1...7, restoring: before.detections.map(Self.emergency))
      let count = try await MonitorRebuild(storage: rig.storage, monitor: after.monitor, clock: { Self.now }).run()
      #expect(count == 14)
      #expect(after.detections.isEmpty)
      for watch in [before, after] {
        watch.monitor.check(at: Self.now + 4 * Self.second)
        var next = ReadingColumns()
        next.scalars.person = [5, 5, 6, 6]
        next.scalars.metric = [1, 1, 5, 5]
        next.scalars.source = [9, 9, 9, 9]
        next.scalars.time = [0, 4, 0, 4].map { Self.now + $0 * Self.second }
        next.scalars.value = [30, 30, 38.5, 38.5]
        watch.monitor.take(next, receivedAt: Self.now + 4 * Self.second, from: 0)
        watch.monitor.check(at: Self.now + 8 * Self.second)
      }
      let calls = after.detections
      #expect(calls.map(\.person) == [2, 5, 6, 7])
      let never = before.detections.filter { $0.person != 1 }
      #expect(calls.map(\.emergency) == never.map(\.emergency))
      #expect(calls.map(\.crossing.kind) == never.map(\.crossing.kind))
      #expect(calls.map(\.crossing.began) == never.map(\.crossing.began))
      #expect(calls.map(\.position) == never.map(\.position))
      #expect(calls.map(\.vitals) == never.map(\.vitals))
      #expect(calls[0].position?.latitude == 45.5)
      #expect(calls[1].vitals.map(\.metric) == [1, 6])
      #expect(calls[2].crossing.kind == .score)
    }
  }

  @Test func aSilenceOfHoursIsStillOne() async throws {
    try await withServer { rig in
      try await rig.record(1, [(Self.now - 5 * 3_600 * Self.second, 70)])
      let told = Mutex<[MonitorEvent]>([])
      let monitor = VitalsMonitor(clock: { Self.now }) { event in told.withLock { $0.append(event) } }
      var person = MonitoredPerson(person: 1, settings: SosSettings())
      person.settings.isEnabled = true
      person.settings.silence = SilenceRule(notifyAfterMinutes: 360, callAfterMinutes: 0)
      monitor.watch(person)
      let rebuild = MonitorRebuild(storage: rig.storage, monitor: monitor, clock: { Self.now })
      try await rebuild.run()
      #expect(try await rebuild.findLastHeartRates() == 1)
      monitor.check(at: Self.now + 3_599 * Self.second)
      #expect(told.withLock { $0 }.isEmpty)
      monitor.check(at: Self.now + 3_600 * Self.second)
      #expect(told.withLock { $0 }.count == 1)
    }
  }

  /// More persons than are asked for at once; some in chunks, some in the log's tail, some in both, two sources each.
  @Test func everybodysSilenceOfHoursIsStillOne() async throws {
    let persons: ClosedRange<PersonID> = 1...2_500
    let hour = 3_600 * Self.second
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      try await client.push(
        1, Self.columns(persons.filter { $0 % 3 != 0 }.flatMap { [($0, 1, -6 * 3_600, 71), ($0, 1, -5 * 3_600, 70)] }))
      _ = try await client.acknowledgements(1)
      try await rig.storage.compactor.compactEverything()
      try await client.push(
        2, Self.columns(persons.filter { $0 % 3 != 1 }.map { ($0, 1, $0 % 3 == 0 ? -5 * 3_600 : -7 * 3_600, 72) }))
      _ = try await client.acknowledgements(1)

      let silent = Mutex<[PersonID: Microseconds]>([:])
      let monitor = VitalsMonitor(clock: { Self.now }) { event in
        if case .silence(let notice) = event { silent.withLock { $0[notice.person] = notice.since } }
      }
      for number in persons {
        var person = MonitoredPerson(person: number, settings: SosSettings())
        person.settings.isEnabled = true
        person.settings.silence = SilenceRule(notifyAfterMinutes: 360, callAfterMinutes: 0)
        monitor.watch(person)
      }
      let rebuild = MonitorRebuild(storage: rig.storage, monitor: monitor, clock: { Self.now })
      try await rebuild.run()
      #expect(monitor.unheard.count == persons.count)
      #expect(try await rebuild.findLastHeartRates() == persons.count)
      #expect(monitor.unheard.isEmpty)
      // Somebody is heard again.
      var live = ReadingColumns()
      live.scalars.person = [1]
      live.scalars.metric = [VitalSign.heartRate]
      live.scalars.source = [0]
      live.scalars.time = [Self.now]
      live.scalars.value = [70]
      monitor.take(live, receivedAt: Self.now, from: 0)
      monitor.check(at: Self.now + hour - Self.second)
      #expect(silent.withLock { $0 }.isEmpty)
      monitor.check(at: Self.now + hour)
      let told = silent.withLock { $0 }
      #expect(told.count == persons.count - 1 && told[1] == nil)
      #expect(told.values.allSatisfy { $0 == Self.now - 5 * hour })
    }
  }

  /// 1,000 persons who measured a vital a second in the last ten minutes: a restart must not wait for more than a part of
  /// its second.
  @Test func aThousandPersonsAreRebuiltInTime() async throws {
    let watch = Watch(1...1_000)
    try await withServer(checking: watch.monitor) { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      var sequence: UInt64 = 0
      for second in stride(from: Microseconds(-600), to: 0, by: 10) {
        sequence += 1
        try await client.push(sequence, Self.columns((1...1_000).map { ($0, 1, second, 70) }))
      }
      _ = try await client.acknowledgements(Int(sequence))
      try await rig.storage.compactor.compactEverything()
      let after = Watch(1...1_000)
      var count = 0
      let time = try await ContinuousClock().measure {
        count = try await MonitorRebuild(storage: rig.storage, monitor: after.monitor, clock: { Self.now }).run()
      }
      #expect(count == 60_000)
      #expect(time < .seconds(20), "\(time)")
      print("rebuilt \(count) readings of 1,000 persons in \(time)")
    }
  }
}
