import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import RacesRules

/// Runners who really ran. Two recordings are of the same course, out and back on one road by the sea: 8 km, recorded by
/// two devices, one position a second and one in four. The course is drawn from the one that is coarser.
@Suite struct RecordedRaceTests {
  private static let folder = Repository.fixtures.appending(path: "recordings")

  /// Positions as recorded; devices say nothing of their accuracy here.
  static func recording(_ name: String) throws -> [Fix] {
    let unpack = Process()
    unpack.executableURL = URL(fileURLWithPath: "/bin/gzip")
    unpack.arguments = ["-dc", folder.appendingPathComponent(name + ".gpx.gz").path]
    let pipe = Pipe()
    unpack.standardOutput = pipe
    try unpack.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    unpack.waitUntilExit()
    let dates = ISO8601DateFormatter()
    return try text.components(separatedBy: "<trkpt ").dropFirst().map { point in
      // lat="…" lon="…"> … <time>…Z</time>
      let parts = point.split(separator: "\"", maxSplits: 4)
      let time = try #require(point.range(of: "<time>")).upperBound
      let date = try #require(dates.date(from: String(point[time...].prefix(19)) + "Z"))
      let fraction = Double("0" + point[time...].dropFirst(19).prefix { $0 != "Z" }) ?? 0
      return Fix(
        time: Microseconds(date.timeIntervalSince1970) * 1_000_000 + Microseconds(fraction * 1e6),
        latitude: try #require(Double(parts[1])), longitude: try #require(Double(parts[3])), source: 1)
    }
  }

  /// A course along a recording, `laps` times, with stages at every sixth of the way. It ends 250 m before the recording:
  /// these were no races, and nobody ran to the same place.
  static func course(_ fixes: [Fix], laps: Int = 1) throws -> Course {
    var (latitudes, longitudes): ([Double], [Double]) = ([], [])
    let ways = ways(fixes)
    for lap in 1...laps {
      let fixes = lap < laps ? fixes[...] : fixes[..<ways.firstIndex { $0 > ways.last! - 250 }!]
      latitudes += fixes.map(\.latitude)
      longitudes += fixes.map(\.longitude)
    }
    func course(_ stages: [Course.Stage]) throws -> Course {
      try Course(
        source: .gpx, latitudes: latitudes, longitudes: longitudes,
        start: Place(latitude: latitudes[0], longitude: longitudes[0]),
        arrival: Place(latitude: latitudes.last!, longitude: longitudes.last!), stages: stages)
    }
    let place = Place(latitude: latitudes[0] + 1, longitude: longitudes[0])
    let length = try course([Course.Stage(place: place, distance: 1)]).length
    return try course((1...5).map { Course.Stage(place: place, distance: length * Double($0) / 6) })
  }

  /// The same positions from another start on, at another speed, several times over.
  static func shifted(_ fixes: [Fix], by seconds: Double = 0, slower: Double = 1, laps: Int = 1, source: SourceID = 1)
    -> [Fix]
  {
    let (first, last) = (fixes[0].time, fixes[fixes.count - 1].time)
    return (0..<laps).flatMap { lap in
      fixes.map { fix in
        let since = Double(fix.time - first + Microseconds(lap) * (last - first + 30_000_000)) * slower
        return Fix(
          time: SimulatedRunner.gun + Microseconds(seconds * 1e6 + since), latitude: fix.latitude,
          longitude: fix.longitude, source: source)
      }
    }
  }

  /// Metres that positions add up to, up to each of them.
  static func ways(_ fixes: [Fix]) -> [Double] {
    var way = 0.0
    return fixes.indices.map { index in
      if index > 0 {
        way += Geodesy.distance(
          fixes[index - 1].latitude, fixes[index - 1].longitude, fixes[index].latitude, fixes[index].longitude)
      }
      return way
    }
  }

  /// - Parameter ways: where the runner is at each position, in metres along the course.
  /// - Returns: how many positions are further from there than `tolerance`, as a share; and how often the distance went
  ///   back.
  static func follow(
    _ fixes: [Fix], on course: Course, ways: [Double], tolerance: Double
  ) -> (wrong: Double, back: Int, track: RunnerTrack) {
    var rig = TrackRig(course)
    let distances = rig.take(fixes).map(\.distance)
    let wrong = zip(distances, ways).count { abs($0 - min(course.length, $1)) > tolerance }
    let back = zip(distances, distances.dropFirst()).count { $0 > $1 }
    return (Double(wrong) / Double(fixes.count), back, rig.track)
  }

  @Test(
    "A-R23: a runner on the course that was drawn from the own recording is where the way says",
    arguments: ["run-2020-07-13", "run-2020-08-21", "run-2020-09-04", "run-2020-11-22"])
  func own(name: String) throws {
    let fixes = Self.shifted(try Self.recording(name))
    let found = Self.follow(fixes, on: try Self.course(fixes), ways: Self.ways(fixes), tolerance: 60)
    #expect(found.wrong <= 0.001, "\(found.wrong)")
    #expect(found.back == 0)
    #expect(found.track.splits.map(\.point) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test("A-R23: another runner's recording of the same course, out and back, stays on its leg")
  func other() throws {
    let recorded = try Self.recording("run-2020-08-21")
    let fixes = Self.shifted(try Self.recording("run-2020-09-04"))
    // The ways are not equally long; legs are kilometres apart, but for the surroundings of the turning point.
    let scale = Self.ways(recorded).last! / Self.ways(fixes).last!
    let ways = Self.ways(fixes).map { $0 * scale }
    let found = Self.follow(fixes, on: try Self.course(recorded), ways: ways, tolerance: 300)
    #expect(found.wrong == 0, "\(found.wrong)")
    #expect(found.back == 0)
    #expect(found.track.splits.count == 7)
  }

  /// No recording of a marathon may be shipped: this one is five times a real run of 8 km, with the real errors. The other
  /// runner turns more than 100 m before the end of each lap, which looks like running back until it has gone on for a
  /// while.
  @Test("A-R23: five times out and back, 40 km: every lap and leg is told from the others")
  func marathon() throws {
    let recorded = try Self.recording("run-2020-08-21")
    let course = try Self.course(recorded, laps: 5)
    #expect(course.length > 39_000)
    for (name, slower) in [("run-2020-08-21", 1.3), ("run-2020-09-04", 1.0)] {
      let once = try Self.recording(name)
      let scale = course.length / Self.ways(recorded).last! / 5
      let fixes = Self.shifted(once, slower: slower, laps: 5)
      let way = Self.ways(once)
      let lap = way.map { $0 / way.last! }
      let ways = fixes.indices.map { (Double($0 / once.count) + lap[$0 % once.count]) * course.length / 5 / scale }
      let found = Self.follow(fixes, on: course, ways: ways, tolerance: 700)
      #expect(found.wrong == 0, "\(name): \(found.wrong)")
      #expect(found.back == 0 || name == "run-2020-09-04", "\(found.back)")
      #expect(found.track.splits.count == 7, "\(name)")
    }
  }

  /// The third runner is the first one, a seventh slower.
  @Test("A-R23: a race of three on one course")
  func race() throws {
    let recorded = try Self.recording("run-2020-08-21")
    let other = try Self.recording("run-2020-09-04")
    var rig = BoardRig(3, course: try Self.course(recorded), timeLimit: 2 * BoardRig.hour)
    var log: [(person: PersonID, fix: Fix)] = Self.shifted(recorded).map { (1, $0) }
    log += Self.shifted(other).map { (2, $0) }
    log += Self.shifted(recorded, by: 20, slower: 8.0 / 7).map { (3, $0) }
    log.sort { ($0.fix.time, $0.person) < ($1.fix.time, $1.person) }
    var ranks: Set<[PersonID]> = []
    var last: [PersonID: Double] = [:]
    for start in stride(from: 0, to: log.count, by: 100) {
      let commit = Array(log[start..<min(log.count, start + 100)])
      rig.take(commit)
      let rows = rig.board.standing(at: commit.last!.fix.time)
      ranks.insert(rows.map(\.person))
      for row in rows {
        #expect(row.distance >= last[row.person, default: 0])
        last[row.person] = row.distance
        #expect(row.firstRank <= row.rank && row.rank <= row.lastRank)
      }
    }
    let rows = rig.board.standing(at: log.last!.fix.time)
    #expect(rows.map(\.status) == [.finished, .finished, .finished])
    #expect(rows.last?.person == 3)
    for row in rows { #expect(zip(row.splits, row.splits.dropFirst()).allSatisfy { $0.time < $1.time }) }
    // Of the slower runner each time is an eighth seventh of the first one's.
    let first = rows.first { $0.person == 1 }!
    for (split, slow) in zip(first.splits, rows.last!.splits).dropFirst() {
      let expected = 20 + Double(split.time) / 1e6 * 8 / 7
      let found = Double(slow.time) / 1e6
      #expect(abs(found - expected) < 5)
    }
  }
}
