import Domain
import Postgres
import RacesRules
import RPCRuntime
import ServiceAPI
import Synchronization
import Testing
import TestSupport
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

/// A clock that tests set.
final class TestClock: Sendable {
  private let microseconds: Atomic<Int64>

  init(_ time: Microseconds) { microseconds = Atomic(time) }

  var time: Microseconds {
    get { microseconds.load(ordering: .acquiring) }
    set { microseconds.store(newValue, ordering: .releasing) }
  }
}

/// A race of three runners over 1.1 km with one stage, on a whole server with a clock of its own.
struct LiveRig: Sendable {
  static let second: Microseconds = 1_000_000
  static let minute: Microseconds = 60 * second
  /// The gun.
  static let starts = ServiceRig.now
  static let timeLimit: Microseconds = 3_600 * second

  let rig: ServiceRig
  let clock: TestClock
  let race: RaceID
  let organizer: PersonID
  let runners: [PersonID]
  let course: Course
  /// Of somebody who has nothing to do with the race.
  let stranger: Metadata

  var live: LiveServiceClient { LiveServiceClient(channel: rig.channel) }

  static func course() throws -> Course {
    try Course(
      source: .straight, latitudes: [45.47, 45.48], longitudes: [9.17, 9.17],
      start: Place(latitude: 45.47, longitude: 9.17, name: "Castello"),
      arrival: Place(latitude: 45.48, longitude: 9.17, name: "Arco"),
      stages: [.init(place: Place(latitude: 45.475, longitude: 9.17, name: "Arena"), distance: 555.7)])
  }

  /// Enrolment ends an hour before the start.
  init(
    _ rig: ServiceRig, _ clock: TestClock, byInvitation: Bool = false, runners count: Int = 3
  ) async throws {
    self.rig = rig
    self.clock = clock
    let connection = try rig.connection()
    func person(_ name: String) throws -> PersonID {
      let account = try connection.query(
        "INSERT INTO account (kind, username, email, display_name) VALUES ('person', $1, $1 || '@example.org', $1) RETURNING id",
        [.text(name)]
      ).int64(0, 0)
      try connection.query(
        """
        INSERT INTO person (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm)
        VALUES ($1, 'Ada', 'Rossi', lpad($1::text, 16, 'A'), '1950-12-31', 'female', 60, 170)
        """, [.int8(account)])
      try connection.query(
        "UPDATE sos_settings SET enabled = true, changed_in = pg_current_xact_id() WHERE person = $1", [.int8(account)])
      return account
    }
    organizer = try person("organizer")
    runners = try (1...count).map { try person("runner\($0)") }
    stranger = try await rig.token(for: try person("stranger"))
    course = try Self.course()
    let planned = try #require(try await rig.storage.courses.insert(course, plannedBy: organizer))
    race = try connection.query(
      """
      INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at, time_limit_us,
        is_opened, by_invitation, capacity)
      VALUES ($1, 'Corsa', '', 'Milano', $2::text::uuid, $3, $4, $5, true, $6, 100) RETURNING id
      """,
      [
        .int8(organizer), .text(planned), .timestamptz(microsecondsSinceUnixEpoch: Self.starts),
        .timestamptz(microsecondsSinceUnixEpoch: Self.starts - 60 * Self.minute), .int8(Self.timeLimit),
        .bool(byInvitation),
      ]
    ).int64(0, 0)
    try connection.query(
      "INSERT INTO race_organizer (race, account) VALUES ($1, $2)", [.int8(race), .int8(organizer)])
    for (index, runner) in runners.enumerated() {
      try connection.query(
        """
        INSERT INTO race_enrolment (race, person, state, number, runner_name) VALUES ($1, $2, 3, $3, 'Runner ' || $3::text)
        """, [.int8(race), .int8(runner), .int4(Int32(index + 1))])
    }
  }

  /// What organisers decide about runners by their numbers.
  @discardableResult
  func decide(
    _ kind: RaceChange.Kind, _ numbers: [Int] = [], finishTime: Microseconds = 0, reason: String = ""
  ) async throws -> LogPosition? {
    let action: RaceAction =
      switch kind {
      case .present, .absent: .markPresent
      case .disqualified: .disqualify
      case .reinstated: .reinstate
      case .retired: .retire
      case .finishTime, .didNotFinish, .asMeasured: .correctResult
      case .withdrawn: .withdraw
      case .raceFinished: .finish
      case .raceCancelled: .cancel
      case .planChanged: .changeCourseAndDates
      }
    let position = try await rig.storage.decisions.decide(
      RaceChange(
        race: race, kind: kind, persons: numbers.map { runners[$0 - 1] }, author: organizer, time: clock.time,
        finishTime: finishTime),
      as: action, reason: reason)
    #expect(position != nil, "\(kind) was not allowed")
    return position
  }

  /// A runner's device reports, one position a second, from one time of the race to another, in seconds since the start.
  func run(_ number: Int, from: Int, to: Int, speed: Double = 4, since distance: Double = 0) async throws {
    clock.time = max(clock.time, Self.starts + Microseconds(to) * Self.second)
    let readings = (from...to).map { at -> Trackme_Readings_V1_Reading in
      let place = course.point(at: distance + speed * Double(at - from))
      return .init(
        personID: runners[number - 1], metric: "position", timeUs: Self.starts + Microseconds(at) * Self.second,
        value: .position(.init(latitude: place.latitude, longitude: place.longitude, accuracy: 4)))
    }
    let answer = try await rig.ingestClient.recordReadings(
      .init(readings: readings), metadata: ServiceRig.asOperator)
    #expect(answer.acknowledgement?.accepted == UInt32(readings.count))
  }

  /// Watches as somebody who has nothing to do with the race.
  func watch(
    cursor: String = "", as caller: Metadata? = nil
  ) async throws -> ResponseStream<Trackme_Races_V1_WatchRaceResponse> {
    try await live.watchRace(.init(raceID: race, cursor: cursor), metadata: caller ?? stranger)
  }

  /// The leaderboard now, or at a moment.
  func leaderboard(
    _ moment: Trackme_Races_V1_GetLeaderboardRequest.OneOf_Moment? = nil
  ) async throws -> Trackme_Races_V1_Leaderboard {
    let answer = try await live.getLeaderboard(.init(raceID: race, moment: moment), metadata: stranger)
    return try #require(answer.leaderboard)
  }

  /// Waits until the leaderboard is as it should be.
  func eventuallyShows(_ condition: (Trackme_Races_V1_Leaderboard) -> Bool) async throws {
    try await eventually { condition(try await leaderboard()) }
  }
}

/// Runs `body` with a race on a server whose clock shows half an hour before the start.
func withRace(
  _ name: String = #function, byInvitation: Bool = false, _ body: (LiveRig) async throws -> Void
) async throws {
  let clock = TestClock(LiveRig.starts - 30 * LiveRig.minute)
  try await withServer(name, clock: { clock.time }) { rig in
    let live = try await LiveRig(rig, clock, byInvitation: byInvitation)
    try await rig.races.refresh()
    try await body(live)
  }
}

/// What a spectator knows, made of the frames alone.
struct Spectacle {
  var state = Trackme_Races_V1_RaceState.unspecified
  var race: Trackme_Races_V1_Race?
  var rows: [UInt32: Trackme_Races_V1_LeaderboardRow] = [:]
  var leaders: [UInt32] = []
  var cursor = ""
  var snapshots = 0
  var deltas = 0
  var heartbeats = 0

  mutating func take(_ frame: Trackme_Races_V1_WatchRaceResponse) {
    cursor = frame.cursor
    switch frame.frame {
    case .snapshot(let snapshot):
      snapshots += 1
      race = snapshot.race
      state = snapshot.leaderboard?.state ?? .unspecified
      let all = snapshot.leaderboard?.rows ?? []
      rows = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })
      leaders = all.map(\.number)
    case .delta(let delta):
      deltas += 1
      state = delta.state
      for row in delta.changed + delta.leaders { rows[row.number] = row }
      for (index, number) in delta.numbers.enumerated() {
        rows[number]?.markerM = Double(delta.markerM[index])
        rows[number]?.fixAgeMs = Int64(delta.fixAgeMs[index])
      }
      leaders = delta.leaders.map(\.number)
    case .heartbeat: heartbeats += 1
    case nil: Issue.record("a frame without content")
    }
  }

  /// Takes frames until something holds.
  mutating func read(
    _ stream: ResponseStream<Trackme_Races_V1_WatchRaceResponse>, until condition: (Spectacle) -> Bool
  ) async throws {
    while !condition(self) {
      guard let frame = try await stream.next() else { throw WaitedInVain() }
      take(frame)
    }
  }
}
