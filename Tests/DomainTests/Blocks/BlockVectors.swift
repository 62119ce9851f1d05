import Domain
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Payloads with the readings that are in them, as a psql script that fails if `reading_block_scalars`,
/// `reading_block_positions` or `reading_block_waveforms` (already created) reads one row otherwise.
enum BlockVectors {
  static func script(seeds: Range<UInt64>) throws -> String {
    var script = """
      CREATE TEMP TABLE vector (id int PRIMARY KEY, payload bytea);
      CREATE TEMP TABLE expected (id int, kind text, i bigint, reading text);\n
      """
    for seed in seeds {
      var random = RandomReadings(seed: seed)
      let columns = random.columns()
      let payload = BlockCodec.encode(columns, positions: seed % 2 == 0 ? random.positions(for: columns) : nil)
      let block = try BlockCodec.decode(payload)
      script += "INSERT INTO vector VALUES (\(seed), '\\x\(payload.map(hex).joined())');\n"
      append(rows(ofScalars: block), kind: "scalars", seed, to: &script)
      append(rows(ofPositions: block), kind: "positions", seed, to: &script)
      append(rows(ofWaveforms: block), kind: "waveforms", seed, to: &script)
    }
    return script + """
      CREATE TEMP TABLE actual AS
        SELECT id, 'scalars' AS kind, i, ROW(person, metric, source, time_us, value, position)::text AS reading
          FROM vector, reading_block_scalars(payload) WITH ORDINALITY
            AS r(person, metric, source, time_us, value, position, i)
        UNION ALL
        SELECT id, 'positions', i, ROW(person, metric, source, time_us, latitude, longitude, altitude, accuracy, speed,
            course, position)::text
          FROM vector, reading_block_positions(payload) WITH ORDINALITY AS r(person, metric, source, time_us, latitude,
            longitude, altitude, accuracy, speed, course, position, i)
        UNION ALL
        SELECT id, 'waveforms', i, ROW(person, metric, source, time_us, rate, samples, position)::text
          FROM vector, reading_block_waveforms(payload) WITH ORDINALITY
            AS r(person, metric, source, time_us, rate, samples, position, i);
      DO $$
      DECLARE
        wrong record;
      BEGIN
        SELECT * INTO wrong FROM expected e FULL JOIN actual a USING (id, kind, i)
          WHERE e.reading IS DISTINCT FROM a.reading LIMIT 1;
        IF FOUND THEN RAISE EXCEPTION 'wrongly read: %', wrong; END IF;
      END $$;
      SELECT count(*) || ' readings agree' FROM expected;\n
      """
  }

  private static func append(_ rows: [String], kind: String, _ seed: UInt64, to script: inout String) {
    guard !rows.isEmpty else { return }
    let numbered = rows.enumerated().map { "(\(seed), '\(kind)', \($0 + 1), ROW(\($1))::text)" }
    script += "INSERT INTO expected VALUES\n" + numbered.joined(separator: ",\n") + ";\n"
  }

  private static func rows(ofScalars block: ReadingBlock) -> [String] {
    let columns = block.columns.scalars
    return row(
      integers(columns.person), integers(columns.metric), integers(columns.source), integers(columns.time),
      doubles(columns.value), logPositions(block.positions.scalars, columns.count))
  }

  private static func rows(ofPositions block: ReadingBlock) -> [String] {
    let columns = block.columns.positions
    return row(
      integers(columns.person), integers(columns.metric), integers(columns.source), integers(columns.time),
      doubles(columns.latitude), doubles(columns.longitude), doubles(columns.altitude), doubles(columns.accuracy),
      doubles(columns.speed), doubles(columns.course), logPositions(block.positions.positions, columns.count))
  }

  private static func rows(ofWaveforms block: ReadingBlock) -> [String] {
    let columns = block.columns.waveforms
    let offsets = columns.sampleOffsets
    let samples = (0..<columns.count).map { index -> String in
      let samples = doubles(Array(columns.samples[offsets[index]..<offsets[index + 1]]))
      return "ARRAY[\(samples.joined(separator: ","))]::float8[]"
    }
    return row(
      integers(columns.person), integers(columns.metric), integers(columns.source), integers(columns.time),
      doubles(columns.rate), samples, logPositions(block.positions.waveforms, columns.count))
  }

  /// The entries of all columns at each index, as SQL.
  private static func row(_ columns: [String]...) -> [String] {
    columns[0].indices.map { index in columns.map { $0[index] }.joined(separator: ",") }
  }

  private static func integers<Number: FixedWidthInteger>(_ column: [Number]) -> [String] {
    column.map { "'\($0)'::\(Number.self == Int32.self ? "int" : "bigint")" }
  }

  private static func doubles(_ column: [Double]) -> [String] { column.map { "'\($0)'::float8" } }

  private static func logPositions(_ positions: [LogPosition], _ count: Int) -> [String] {
    positions.isEmpty ? Array(repeating: "NULL", count: count) : integers(positions)
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

@Suite struct BlockVectorTests {
  /// Writes the script to the file that TRACKME_BLOCK_VECTORS names, for `psql -v ON_ERROR_STOP=1 -f`.
  @Test func theScriptHasARowForEachReading() throws {
    let script = try BlockVectors.script(seeds: 0..<40)
    #expect(script.contains("reading_block_waveforms"))
    guard let path = getenv("TRACKME_BLOCK_VECTORS") else { return }
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    #expect(fputs(script, file) >= 0)
  }
}
