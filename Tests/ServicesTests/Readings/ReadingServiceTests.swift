import Domain
import RPCRuntime
import ServiceAPI
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

/// B-R.D2, B-R.D3, A-R27: a person's own readings over the wire.
@Suite(.timeLimit(.minutes(5))) struct ReadingServiceTests {
  private static let caller = ServiceRig.asOperator
  typealias List = Trackme_Readings_V1_ListReadingsRequest

  private func pages(_ rig: ServiceRig, _ request: List) async throws -> [[Trackme_Readings_V1_Reading]] {
    var pages: [[Trackme_Readings_V1_Reading]] = []
    var request = request
    repeat {
      let page = try await rig.readings.listReadings(request, metadata: Self.caller)
      pages.append(page.readings)
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return pages
  }

  @Test func theRegistryIsListedAndNewMetricsShowUp() async throws {
    try await withServer { rig in
      let metrics = try await rig.readings.listMetrics(.init(), metadata: Self.caller).metrics
      #expect(metrics.map(\.id) == Array(1...11))
      #expect(
        metrics[0]
          == .init(
            id: 1, name: "heart_rate", kind: .scalar, unit: "/min", loincCode: "8867-4", minimum: 0, maximum: 400,
            displayName: "Heart rate", zeroIsNoValue: true))
      #expect(Set(metrics.filter { !$0.zeroIsNoValue }.map(\.name)) == ["ecg", "steps"])
      #expect(metrics.map(\.kind).filter { $0 == .waveform }.count == 1)
      try rig.connection().execute(
        """
        INSERT INTO metric (id, name, display_name, kind, unit, minimum, maximum)
        VALUES (500, 'lactate', 'Blood lactate', 'scalar', 'mmol/L', 0, 40)
        """)
      try await rig.storage.metrics.refresh()
      let response = try await rig.ingestClient.recordReadings(
        .init(readings: [.init(personID: 1, metric: "lactate", timeUs: 1, value: .scalar(2.5))]), metadata: Self.caller)
      #expect(response.acknowledgement?.accepted == 1)
      let stored = try await pages(rig, List(personID: 1, metrics: ["lactate"]))
      #expect(stored.map { $0.map(\.metric) } == [["lactate"]])
    }
  }

  @Test func pagesFollowEachOther() async throws {
    try await withServer { rig in
      try await rig.record(1, (1...10).map { ($0, Double($0)) }, source: "cuff")
      let newest = try await pages(rig, List(personID: 1, pageSize: 4))
      #expect(newest.map { $0.map(\.timeUs) } == [[10, 9, 8, 7], [6, 5, 4, 3], [2, 1]])
      #expect(newest[0][0] == .init(personID: 1, metric: "heart_rate", source: "cuff", timeUs: 10, value: .scalar(10)))
      let oldest = try await pages(rig, List(personID: 1, fromUs: 3, toUs: 8, order: .oldestFirst, pageSize: 2))
      #expect(oldest.map { $0.map(\.timeUs) } == [[3, 4], [5, 6], [7]])
      #expect(try await pages(rig, List(personID: 2)) == [[]])
      #expect(try await pages(rig, List(personID: 1, metrics: ["weight"])) == [[]])
    }
  }

  @Test func pagesHaveADefaultSizeAndAGreatestOne() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      for part in 0..<2 {
        try await client.push(UInt64(part + 1), .heartRate((0..<6_000).map { (Int64(part * 6_000 + $0), 60) }))
      }
      _ = try await client.acknowledgements(2)
      #expect(try await rig.readings.listReadings(List(personID: 1), metadata: Self.caller).readings.count == 100)
      let large = try await pages(rig, List(personID: 1, pageSize: .max))
      #expect(large.map(\.count) == [10_000, 2_000])
    }
  }

  @Test func aPageTokenBelongsToItsRequest() async throws {
    try await withServer { rig in
      try await rig.record(1, (1...10).map { ($0, 60) })
      let request = List(personID: 1, metrics: ["heart_rate"], fromUs: 1, toUs: 100, pageSize: 3)
      let token = try await rig.readings.listReadings(request, metadata: Self.caller).nextPageToken
      #expect(!token.isEmpty)
      var others: [List] = (0..<6).map { _ in request }
      others[0].personID = 2
      others[1].metrics = []
      others[2].fromUs = 2
      others[3].toUs = 99
      others[4].order = .oldestFirst
      others[5].pageSize = 4
      for var other in others {
        other.pageToken = token
        #expect(
          await fields { _ = try await rig.readings.listReadings(other, metadata: Self.caller) } == ["page_token"])
      }
      for text in [
        "x", "1", "1.2.3", "1.a.b.c.d.e", token + ".", "3" + token.dropFirst(), String(repeating: "1", count: 200),
      ] {
        var garbage = request
        garbage.pageToken = text
        #expect(
          await fields { _ = try await rig.readings.listReadings(garbage, metadata: Self.caller) } == ["page_token"])
      }
    }
  }

  @Test func aListThatMakesNoSenseNamesItsField() async throws {
    try await withServer { rig in
      let cases: [(String, List)] = [
        ("metrics[1]", List(personID: 1, metrics: ["heart_rate", "nonsense"])),
        ("metrics", List(personID: 1, metrics: Array(repeating: "heart_rate", count: 1_001))),
        ("to_us", List(personID: 1, fromUs: 5, toUs: 5)),
        ("page_size", List(personID: 1, pageSize: -1)),
        ("order", List(personID: 1, order: .unrecognized(7))),
      ]
      for (field, request) in cases {
        #expect(await fields { _ = try await rig.readings.listReadings(request, metadata: Self.caller) } == [field])
      }
    }
  }

  @Test func theExportIsTheWholeHistory() async throws {
    try await withServer { rig in
      let client = PushStreamClient(rig)
      try await client.begin("bridge")
      for part in 0..<3 {
        try await client.push(UInt64(part + 1), .heartRate((0..<8_000).map { (Int64(part * 8_000 + $0), 60) }))
      }
      _ = try await client.acknowledgements(3)
      let stream = try await rig.readings.exportReadings(
        .init(personID: 1, fromUs: 1, toUs: 23_999), metadata: Self.caller)
      var times: [Int64] = []
      while let part = try await stream.next() { times += part.readings.map(\.timeUs) }
      #expect(times == Array(1..<23_999))
      let nothing = try await rig.readings.exportReadings(.init(personID: 9), metadata: Self.caller)
      #expect(try await nothing.next() == nil)
    }
  }

  @Test func theCurrentStatusIsTheNewestOfEachMetric() async throws {
    try await withServer { rig in
      _ = try await rig.ingestClient.recordReadings(
        .init(readings: [
          .init(personID: 1, metric: "heart_rate", timeUs: 5, value: .scalar(60)),
          .init(personID: 1, metric: "heart_rate", timeUs: 3, value: .scalar(90)),
          .init(
            personID: 1, metric: "position", timeUs: 4, value: .position(.init(latitude: 45, longitude: 9, speed: 1))),
          .init(personID: 1, metric: "ecg", timeUs: 1, value: .waveform(.init(rateHz: 250, samples: [0.5]))),
        ]), metadata: Self.caller)
      for isCompacted in [false, true] {
        if isCompacted { try await rig.storage.compactor.compactEverything() }
        let status = try await rig.readings.getCurrentStatus(.init(personID: 1), metadata: Self.caller).readings
        #expect(Set(status.map { "\($0.metric) \($0.timeUs)" }) == ["heart_rate 5", "position 4", "ecg 1"])
        #expect(status.count == 3)
      }
    }
  }

  // MARK: Summaries

  typealias Summarize = Trackme_Readings_V1_SummarizeReadingsRequest

  @Test func summariesComeInPagesThatFollowEachOther() async throws {
    try await withServer { rig in
      // Three readings in each of ten minutes, but the first one.
      try await rig.record(
        1, (1...10).flatMap { minute in (0..<3).map { (Int64(minute) * 60_000_000 + $0, Double($0 + 1)) } })
      var request = Summarize(
        personID: 1, metric: "heart_rate", fromUs: 0, toUs: 3_600_000_000, resolution: .minute, pageSize: 4)
      var starts: [[Int64]] = []
      repeat {
        let page = try await rig.readings.summarizeReadings(request, metadata: Self.caller)
        starts.append(page.summaries.map(\.startUs))
        #expect(
          page.summaries.allSatisfy { $0.count == 3 && $0.min == 1 && $0.mean == 2 && $0.max == 3 && $0.last == 3 })
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
      #expect(starts.map { $0.map { $0 / 60_000_000 } } == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]])
    }
  }

  @Test func rawSummariesAreTheReadingsThemselves() async throws {
    try await withServer { rig in
      try await rig.record(1, [(1, 60), (2, 70), (3, 80)])
      var request = Summarize(personID: 1, metric: "heart_rate", fromUs: 0, toUs: 10, resolution: .raw, pageSize: 2)
      let first = try await rig.readings.summarizeReadings(request, metadata: Self.caller)
      #expect(
        first.summaries
          == [60, 70].enumerated().map { index, value in
            .init(startUs: Int64(index + 1), count: 1, min: value, mean: value, max: value, last: value)
          })
      request.pageToken = first.nextPageToken
      let second = try await rig.readings.summarizeReadings(request, metadata: Self.caller)
      #expect(second.summaries.map(\.last) == [80] && second.nextPageToken.isEmpty)
    }
  }

  @Test func daysAreThoseOfTheZone() async throws {
    try await withServer { rig in
      let hour: Int64 = 3_600_000_000
      // 22:30Z and 23:30Z of 1970-01-01: the second is in the next day of Rome.
      try await rig.record(1, [(22 * hour + hour / 2, 60), (23 * hour + hour / 2, 80)])
      func days(_ zone: String) async throws -> [Int64: Int64] {
        let request = Summarize(
          personID: 1, metric: "heart_rate", fromUs: 0, toUs: 72 * hour, resolution: .day, timeZone: zone)
        let answer = try await rig.readings.summarizeReadings(request, metadata: Self.caller)
        return Dictionary(uniqueKeysWithValues: answer.summaries.map { ($0.startUs / hour, $0.count) })
      }
      #expect(try await days("") == [0: 2])
      #expect(try await days("Europe/Rome") == [-1: 1, 23: 1])
      let week = Summarize(personID: 1, metric: "heart_rate", fromUs: 0, toUs: 72 * hour, resolution: .week)
      let weeks = try await rig.readings.summarizeReadings(week, metadata: Self.caller).summaries
      // 1970-01-01 was a Thursday.
      #expect(weeks.map(\.startUs) == [-3 * 24 * hour] && weeks.map(\.count) == [2])
    }
  }

  @Test func aSummaryThatMakesNoSenseNamesItsField() async throws {
    try await withServer { rig in
      let good = Summarize(personID: 1, metric: "heart_rate", fromUs: 0, toUs: 10, resolution: .day)
      var cases: [(String, Summarize)] = []
      func add(_ field: String, _ change: (inout Summarize) -> Void) {
        var request = good
        change(&request)
        cases.append((field, request))
      }
      add("metric") { $0.metric = "nonsense" }
      add("metric") { $0.metric = "ecg" }
      add("to_us") { $0.toUs = 0 }
      add("to_us") { ($0.fromUs, $0.toUs) = (.min, .max) }
      add("to_us") { ($0.fromUs, $0.toUs) = (.max - 5, .max) }
      add("resolution") { $0.resolution = .unspecified }
      add("resolution") { $0.resolution = .unrecognized(99) }
      add("time_zone") { $0.timeZone = "Mars/Olympus" }
      add("page_size") { $0.pageSize = -1 }
      add("page_token") { $0.pageToken = "nonsense" }
      for (field, request) in cases {
        #expect(
          await fields { _ = try await rig.readings.summarizeReadings(request, metadata: Self.caller) } == [field])
      }
      // The whole of time is fine where buckets are of one length.
      var all = good
      (all.fromUs, all.toUs, all.resolution) = (.min, .max, .hour)
      let nothing = try await rig.readings.summarizeReadings(all, metadata: Self.caller)
      #expect(nothing.summaries.isEmpty)
    }
  }

  // MARK: Watching

  @Test func aWatchIsLiveResumesAndBeats() async throws {
    try await withServer { rig in
      let watch = try await rig.readings.watchReadings(.init(personID: 1), metadata: Self.caller)
      #expect(try await watch.next()?.readings == [])
      try await rig.record(1, [(1, 60), (2, 61)], source: "cuff")
      try await rig.record(2, [(3, 62)])
      let live = try #require(try await watch.next())
      #expect(live.readings.map(\.timeUs) == [1, 2] && live.readings.map(\.source) == ["cuff", "cuff"])
      watch.cancel()
      try await rig.record(1, [(4, 63)])
      try await rig.storage.compactor.compactEverything()
      try await rig.record(1, [(5, 64)])
      let again = try await rig.readings.watchReadings(
        .init(personID: 1, metrics: ["heart_rate"], cursor: live.cursor), metadata: Self.caller)
      var times: [Int64] = []
      while times.count < 2 { times += try #require(try await again.next()).readings.map(\.timeUs) }
      #expect(times == [4, 5])
      again.cancel()
      #expect(
        await fields {
          _ = try await rig.readings.watchReadings(.init(personID: 1, cursor: "9.x"), metadata: Self.caller).next()
        } == ["cursor"])
    }
  }
}
