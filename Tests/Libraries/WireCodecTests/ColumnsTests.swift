import Domain
import Testing

@testable import WireCodec

/// Readings between the wire's columns, which may be folded or left out, and the domain's, which are full.
@Suite struct ColumnsTests {
  typealias Wire = Trackme_Readings_V1_ReadingColumns

  private func domain(_ wire: Wire, sources: [SourceID] = [], defaultSource: SourceID = 5) throws -> ReadingColumns {
    try wire.domainColumns(sourceNumbers: sources, defaultSource: defaultSource)
  }

  private func fault(_ wire: Wire) -> String? {
    do {
      _ = try domain(wire)
      return nil
    } catch { return (error as? WireError)?.field }
  }

  @Test func aColumnOfOneEntrySaysItForAll() throws {
    let columns = try domain(
      Wire(
        sources: ["a", "b"],
        scalars: .init(personID: [7], metric: [1], source: [1], timeUs: [1, 2, 3], value: [4, 5, 6])),
      sources: [10, 20])
    #expect(columns.scalars.person == [7, 7, 7])
    #expect(columns.scalars.metric == [1, 1, 1])
    #expect(columns.scalars.source == [20, 20, 20])
    #expect(columns.scalars.value == [4, 5, 6])
  }

  @Test func withoutSourcesTheDefaultCounts() throws {
    let columns = try domain(Wire(scalars: .init(personID: [7], metric: [1], timeUs: [1, 2], value: [4, 5])))
    #expect(columns.scalars.source == [5, 5])
  }

  @Test func aPlaceThatIsNotInTheSourcesIsAnInvalidSource() throws {
    let columns = try domain(
      Wire(scalars: .init(personID: [7], metric: [1], source: [0, 1, .max], timeUs: [1, 2, 3], value: [4, 5, 6])),
      sources: [10])
    #expect(columns.scalars.source == [10, ReadingRules.invalidSource, ReadingRules.invalidSource])
  }

  @Test func aMetricBeyond31BitsIsUnknown() throws {
    let columns = try domain(
      Wire(
        scalars: .init(personID: [7], metric: [0x7fff_ffff, 0x8000_0000, .max], timeUs: [1, 2, 3], value: [4, 5, 6])))
    #expect(columns.scalars.metric == [.max, 0, 0])
  }

  @Test func optionalColumnsOfPositionsAreNotKnownWhereLeftOut() throws {
    let columns = try domain(
      Wire(
        positions: .init(
          personID: [7], metric: [11], timeUs: [1, 2], latitude: [1, 2], longitude: [3, 4], speed: [.nan, 2])))
    #expect(columns.positions.altitude.allSatisfy(\.isNaN) && columns.positions.altitude.count == 2)
    #expect(columns.positions.course.count == 2 && columns.positions.accuracy.count == 2)
    #expect(columns.positions.speed[0].isNaN && columns.positions.speed[1] == 2)
  }

  @Test func emptyBatchesAreNoFault() throws {
    #expect(try domain(Wire()).isEmpty)
    #expect(try domain(Wire(scalars: .init(), positions: .init(), waveforms: .init())).isEmpty)
    #expect(try domain(Wire(scalars: .init(personID: [7], metric: [1]))).isEmpty)
    #expect(Wire().readingCount == 0)
  }

  static let misfits: [(String, Wire)] = [
    ("scalars.person_id", Wire(scalars: .init(personID: [1, 2], metric: [1], timeUs: [1, 2, 3], value: [1, 2, 3]))),
    ("scalars.person_id", Wire(scalars: .init(metric: [1], timeUs: [1], value: [1]))),
    ("scalars.metric", Wire(scalars: .init(personID: [1], metric: [1, 2], timeUs: [1], value: [1]))),
    (
      "scalars.source",
      Wire(scalars: .init(personID: [1], metric: [1], source: [0, 0], timeUs: [1, 2, 3], value: [1, 2, 3]))
    ),
    ("scalars.value", Wire(scalars: .init(personID: [1], metric: [1], timeUs: [1, 2], value: [1]))),
    ("scalars.value", Wire(scalars: .init(personID: [1], metric: [1], value: [1]))),
    (
      "positions.latitude",
      Wire(positions: .init(personID: [1], metric: [1], timeUs: [1, 2], latitude: [1], longitude: [1, 2]))
    ),
    ("positions.longitude", Wire(positions: .init(personID: [1], metric: [1], timeUs: [1], latitude: [1]))),
    (
      "positions.altitude",
      Wire(
        positions: .init(
          personID: [1], metric: [1], timeUs: [1, 2], latitude: [1, 2], longitude: [1, 2], altitude: [1]))
    ),
    (
      "positions.course",
      Wire(positions: .init(personID: [1], metric: [1], timeUs: [1], latitude: [1], longitude: [1], course: [1, 2]))
    ),
    ("waveforms.rate_hz", Wire(waveforms: .init(personID: [1], metric: [8], timeUs: [1], sampleCount: [0]))),
    (
      "waveforms.sample_count",
      Wire(waveforms: .init(personID: [1], metric: [8], timeUs: [1], rateHz: [1], samples: [1]))
    ),
    (
      "waveforms.samples",
      Wire(waveforms: .init(personID: [1], metric: [8], timeUs: [1], rateHz: [1], sampleCount: [2], samples: [1]))
    ),
    (
      "waveforms.samples",
      Wire(waveforms: .init(personID: [1], metric: [8], timeUs: [1], rateHz: [1], sampleCount: [.max], samples: [1]))
    ),
    (
      "waveforms.samples",
      Wire(
        waveforms: .init(
          personID: [1], metric: [8], timeUs: [1, 2], rateHz: [1, 1], sampleCount: [.max, .max], samples: []))
    ),
  ]

  @Test(arguments: misfits) func columnsThatDoNotFitTogetherAreNamed(field: String, wire: Wire) {
    #expect(fault(wire) == field)
  }

  @Test func columnsGoOutFoldedAndComeBackAsTheyWere() throws {
    var columns = ReadingColumns()
    columns.scalars.person = [7, 7, 8]
    columns.scalars.metric = [1, 1, 1]
    columns.scalars.source = [3, 0, 3]
    columns.scalars.time = [-5, .min, .max]
    columns.scalars.value = [1.5, -0.0, 3]
    columns.positions.person = [7]
    columns.positions.metric = [11]
    columns.positions.source = [4]
    columns.positions.time = [9]
    columns.positions.latitude = [45]
    columns.positions.longitude = [9]
    columns.positions.altitude = [100]
    columns.positions.accuracy = [2]
    columns.positions.speed = [3]
    columns.positions.course = [4]
    columns.waveforms.person = [7, 9]
    columns.waveforms.metric = [8, 8]
    columns.waveforms.source = [0, 0]
    columns.waveforms.time = [1, 2]
    columns.waveforms.rate = [250, 500]
    columns.waveforms.sampleCount = [3, 1]
    columns.waveforms.samples = [0.1, 0.2, 0.3, 9]
    let names: [SourceID: String] = [0: "", 3: "cuff", 4: "watch"]
    let wire = Wire(columns) { names[$0]! }
    #expect(wire.sources == ["cuff", "", "watch"])
    #expect(wire.scalars?.metric == [1])
    #expect(wire.waveforms?.source == [1])
    #expect(wire.readingCount == 6)
    let back = try Wire.decode(wire.encoded())
    #expect(try domain(back, sources: [3, 0, 4]) == columns)
  }

  @Test func whatIsNotKnownIsLeftOut() {
    var columns = ReadingColumns()
    columns.positions.person = [1]
    columns.positions.metric = [11]
    columns.positions.source = [0]
    columns.positions.time = [1]
    columns.positions.latitude = [1]
    columns.positions.longitude = [1]
    columns.positions.altitude = [.nan]
    columns.positions.accuracy = [.nan]
    columns.positions.speed = [.nan]
    columns.positions.course = [7]
    let wire = Wire(columns) { _ in "" }
    #expect(wire.positions?.altitude == [] && wire.positions?.speed == [] && wire.positions?.course == [7])
    #expect(wire.scalars == nil && wire.waveforms == nil)
    let row = columns.wireRows(metricName: { _ in "position" }, sourceName: { _ in "" })[0]
    guard case .position(let position) = row.value else {
      Issue.record("not a position")
      return
    }
    #expect(position.altitude == nil && position.accuracy == nil && position.course == 7)
  }
}

@Suite struct RowsTests {
  private let rows: [Trackme_Readings_V1_Reading] = [
    .init(personID: 1, metric: "ecg", timeUs: 1, value: .waveform(.init(rateHz: 250, samples: [1, 2]))),
    .init(personID: 2, metric: "heart_rate", source: "cuff", timeUs: 2, value: .scalar(60)),
    .init(personID: 3, metric: "position", timeUs: 3, value: .position(.init(latitude: 1, longitude: 2, speed: 3))),
    .init(personID: 4, metric: "nonsense", timeUs: 4, value: .scalar(61)),
    .init(personID: 5, metric: "ecg", timeUs: 5, value: .waveform(.init(rateHz: 500, samples: []))),
  ]

  @Test func rowsOfMixedKindsKeepTheirPlaces() throws {
    let batch = RowBatch(
      rows, metricNumber: { ["ecg": 8, "heart_rate": 1, "position": 11][$0] ?? 0 },
      sourceNumber: { $0 == "cuff" ? 3 : 0 })
    #expect(batch.rows == [1, 3, 2, 0, 4])
    #expect(batch.columns.scalars.metric == [1, 0])
    #expect(batch.columns.scalars.source == [3, 0])
    #expect(batch.columns.waveforms.sampleCount == [2, 0])
    #expect(batch.columns.positions.altitude[0].isNaN && batch.columns.positions.speed == [3])
  }

  @Test func columnsAsRowsComeBackAsTheSameColumns() throws {
    let names: [MetricID: String] = [8: "ecg", 1: "heart_rate", 11: "position", 2: "nonsense"]
    let numbers = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })
    let batch = RowBatch(rows, metricNumber: { numbers[$0]! }, sourceNumber: { $0 == "cuff" ? 3 : 0 })
    let out = batch.columns.wireRows(metricName: { names[$0]! }, sourceName: { $0 == 3 ? "cuff" : "" })
    #expect(out == batch.rows.map { rows[$0] })
  }
}
