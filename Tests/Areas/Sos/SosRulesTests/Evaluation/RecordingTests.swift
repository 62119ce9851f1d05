import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import SosRules

/// The evaluation against what was really measured.
@Suite struct RecordingTests {
  private static let folder = Repository.fixtures.appending(path: "recordings")

  /// Heart rates of a run, of a person of 35.
  private static func run(_ name: String) throws -> ScalarColumns {
    let unpack = Process()
    unpack.executableURL = URL(fileURLWithPath: "/bin/gzip")
    unpack.arguments = ["-dc", folder.appendingPathComponent(name + ".gpx.gz").path]
    let pipe = Pipe()
    unpack.standardOutput = pipe
    try unpack.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    unpack.waitUntilExit()
    let dates = ISO8601DateFormatter()
    var columns = ScalarColumns()
    for point in text.components(separatedBy: "<trkpt").dropFirst() {
      guard let rate = between(point, "hr>", "<").flatMap(Double.init), let time = between(point, "<time>", "Z"),
        let date = dates.date(from: String(time.prefix(19)) + "Z")
      else { continue }
      columns.person.append(7)
      columns.metric.append(VitalSign.heartRate)
      columns.source.append(1)
      columns.time.append(Microseconds(date.timeIntervalSince1970) * 1_000_000)
      columns.value.append(rate)
    }
    return columns
  }

  private static func between(_ text: String, _ start: String, _ end: String) -> String? {
    guard let from = text.range(of: start), let to = text.range(of: end, range: from.upperBound..<text.endIndex) else {
      return nil
    }
    return String(text[from.upperBound..<to.lowerBound])
  }

  @Test("a pulse of 178 in a run is not 178 asleep", arguments: ["run-2020-07-13", "run-2020-08-21", "run-2020-11-22"])
  func runs(name: String) throws {
    let readings = try Self.run(name)
    #expect(readings.count > 300)
    #expect(try #require(readings.value.max()) >= 185)
    let (first, last) = (readings.time[0], readings.time[readings.count - 1])
    for isDeclared in [true, false] {
      let person = MonitorRig.person {
        $0.dateOfBirth = CalendarDate(year: 1985, month: 3, day: 4)
        if isDeclared { $0.exertions = [first..<last + 1] }
      }
      var backtest = Backtest(person, on: CalendarDate(utc: first))
      backtest.take(readings)
      backtest.finish(at: last + 600_000_000)
      #expect(backtest.evaluatedReadings == readings.count)
      #expect(backtest.episodes.count == (isDeclared ? 0 : 1), "declared: \(isDeclared)")
    }
  }

  /// A course of an intensive care unit.
  private static func course(_ name: String) throws -> ScalarColumns {
    var columns = ScalarColumns()
    let text = try String(contentsOf: folder.appendingPathComponent("icu-courses.csv"), encoding: .utf8)
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",")
      guard fields[0] == name else { continue }
      columns.person.append(7)
      columns.time.append(try #require(Microseconds(fields[1])))
      columns.metric.append(try #require(MetricID(fields[2])))
      columns.value.append(try #require(Double(fields[3])))
      columns.source.append(try #require(SourceID(fields[4])))
    }
    return columns
  }

  private static func backtest(_ readings: ScalarColumns) -> [Backtest.Episode] {
    var backtest = Backtest(MonitorRig.person(), on: CalendarDate(year: 2020, month: 1, day: 1))
    backtest.take(readings)
    backtest.finish(at: (readings.time.last ?? 0) + 600_000_000)
    return backtest.episodes
  }

  @Test("patients who got worse", arguments: ["worse", "bad"]) func deterioration(name: String) throws {
    let readings = try Self.course(name)
    let episodes = Self.backtest(readings)
    let crossings = episodes.flatMap(\.crossings)
    #expect(!crossings.isEmpty)
    // Each metric whose values were extreme has called, and the score with them.
    for (metric, threshold) in DefaultThresholds.thresholds(age: 60, usesOxygenScale2: false) {
      let extreme = zip(readings.metric, readings.value).contains {
        $0 == metric && CompiledLimits(threshold.rest).side(of: $1) != .within
      }
      #expect(crossings.contains { $0.metric == metric && $0.kind != .score } == extreme, "metric \(metric)")
    }
    #expect(crossings.contains { $0.kind == .score })
    #expect(episodes.count < 20)
  }

  @Test func aStablePatientCallsNobody() throws {
    let readings = try Self.course("stable")
    #expect(readings.count > 100)
    #expect(Self.backtest(readings).isEmpty)
  }

  @Test func aBacktestKeepsNoMoreThanWasAskedFor() {
    var readings = ScalarColumns()
    for round in 0..<5 {
      for second in 0..<5 {
        readings.person.append(second == 4 ? 8 : 7)
        readings.metric.append(1)
        readings.source.append(0)
        readings.time.append(MonitorRig.time(Double(round) * 3_600 + Double(second)))
        readings.value.append(second == 0 ? 70 : 30)
      }
      readings.person.append(7)
      readings.metric.append(1)
      readings.source.append(0)
      readings.time.append(MonitorRig.time(Double(round) * 3_600 + 10))
      readings.value.append(70)
    }
    var backtest = Backtest(MonitorRig.person(), on: nil, maxEpisodes: 3)
    backtest.take(readings)
    #expect(backtest.episodes.count == 3 && backtest.isTruncated && backtest.evaluatedReadings == 25)
  }
}
