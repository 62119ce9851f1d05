import Postgres
import Testing

@Suite struct ParameterTests {
  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func integersComeBackAsSent(value: Int64) throws {
    let connection = try freshConnection()
    let result = try connection.query(
      "SELECT $1::int8, $2::int4, $3::int2",
      [.int8(value), .int4(Int32(truncatingIfNeeded: value)), .int2(Int16(truncatingIfNeeded: value))])
    #expect(try result.int64(0, 0) == value)
    #expect(try result.int32(0, 1) == Int32(truncatingIfNeeded: value))
    #expect(try result.int64(0, 2) == Int64(Int16(truncatingIfNeeded: value)))
  }

  @Test(arguments: [0, -0.0, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func floatingPointComesBackBitForBit(value: Double) throws {
    let result = try freshConnection().query("SELECT $1, $2", [.float8(value), .float4(0.25)])
    #expect(try result.double(0, 0).bitPattern == value.bitPattern)
    #expect(try result.double(0, 1) == 0.25)
  }

  @Test func notANumberComesBack() throws {
    #expect(try freshConnection().query("SELECT $1", [.float8(.nan)]).double(0, 0).isNaN)
  }

  @Test(arguments: ["", "plain", "žlutý 🏃‍♀️", "'; DROP TABLE person; --", "\\ \" $1"])
  func textsComeBackAsSent(value: String) throws {
    #expect(try freshConnection().query("SELECT $1", [.text(value)]).string(0, 0) == value)
  }

  @Test func bytesComeBackAsSentCopiedOrNot() throws {
    let connection = try freshConnection()
    for size in [0, 1, 1024, 1025, 300_000] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(try connection.query("SELECT $1", [.bytea(bytes)]).bytes(0, 0) == bytes)
      let result = try bytes.withUnsafeBytes { try connection.query("SELECT $1", [.bytea(unowned: $0)]) }
      #expect(try result.withBytes(0, 0) { $0.elementsEqual(bytes) })
    }
  }

  @Test func severalLargeParametersKeepTheirPlaces() throws {
    let values = (0..<5).map { [UInt8](repeating: UInt8($0), count: 5_000 + $0) }
    let result = try freshConnection().query("SELECT $1, $2, $3, $4, $5", values.map { .bytea($0) })
    for (column, value) in values.enumerated() { #expect(try result.bytes(0, column) == value) }
  }

  @Test func booleansAndNullsComeBack() throws {
    let result = try freshConnection().query("SELECT $1, $2, $3", [.bool(true), .bool(false), .null(TypeOID.int8)])
    #expect(try result.bool(0, 0))
    #expect(try !result.bool(0, 1))
    #expect(result.isNull(0, 2))
    #expect(throws: PostgresError.self) { try result.int64(0, 2) }
  }

  @Test func arraysComeBackAsSent() throws {
    let result = try freshConnection().query(
      "SELECT $1, $2, $3, $4, $5, $6, $7",
      [
        .int8Array([.min, 0, .max]), .int4Array([.min, .max]), .int2Array([-2, 3]), .float8Array([1.5, -.infinity]),
        .textArray(["", "a,\"b\"", "🏃"]), .byteaArray([[], [0, 255]]), .int8Array([]),
      ])
    #expect(try result.int64Array(0, 0) == [.min, 0, .max])
    #expect(try result.int64Array(0, 1) == [Int64(Int32.min), Int64(Int32.max)])
    #expect(try result.int64Array(0, 2) == [-2, 3])
    #expect(try result.doubleArray(0, 3) == [1.5, -.infinity])
    #expect(try result.stringArray(0, 4) == ["", "a,\"b\"", "🏃"])
    #expect(try result.bytesArray(0, 5) == [[], [0, 255]])
    #expect(try result.int64Array(0, 6) == [])
  }

  @Test func arraysMeanTheSameToTheServer() throws {
    let result = try freshConnection().query(
      "SELECT $1 = '{1,2,3}'::int8[], $2 = '{}'::text[], array_length($3, 1)",
      [.int8Array([1, 2, 3]), .textArray([]), .byteaArray([[1], [2]])])
    #expect(try result.bool(0, 0) && result.bool(0, 1))
    #expect(try result.int32(0, 2) == 2)
  }

  @Test(arguments: [Int64(0), 1_700_000_000_123_456, -86_400_000_000])
  func timesCountFromTheUnixEpoch(microseconds: Int64) throws {
    let result = try freshConnection().query(
      "SELECT $1, (extract(epoch FROM $1) * 1000000)::int8", [.timestamptz(microsecondsSinceUnixEpoch: microseconds)])
    #expect(try result.timestamptz(0, 0) == microseconds)
    #expect(try result.int64(0, 1) == microseconds)
  }

  @Test func aTimeThatMicrosecondsCannotHoldIsAnError() throws {
    let result = try freshConnection().query("SELECT '294276-12-31 23:59Z'::timestamptz, 'infinity'::timestamptz")
    #expect(postgresError { _ = try result.timestamptz(0, 0) }?.kind == .decoding)
    #expect(try result.timestamptz(0, 1) == .max)
  }

  @Test func textWithNULIsRefusedWithoutShowingIt() throws {
    let connection = try freshConnection()
    for parameter in [Parameter.text("secret\0value"), .textArray(["fine", "secret\0"])] {
      let error = try #require(postgresError { try connection.query("SELECT $1", [parameter]) })
      #expect(error.kind == .invalidParameter)
      #expect(error.message.contains("$1") && !error.message.contains("secret"))
    }
    #expect(try connection.query("SELECT 1").int64(0, 0) == 1)
  }

  @Test func parametersAreNeverReadAsSQL() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE person (name text)")
    let attack = "x'); DROP TABLE person; --"
    try connection.query("INSERT INTO person VALUES ($1)", [.text(attack)])
    #expect(try connection.query("SELECT name FROM person WHERE name = $1", [.text(attack)]).string(0, 0) == attack)
    #expect(try connection.query("SELECT 1 FROM person WHERE name = $1", [.text("' OR '1'='1")]).rowCount == 0)
  }

  @Test func readingAColumnAsAnotherTypeThrows() throws {
    let result = try freshConnection().query("SELECT 'x'::text, 1::int8, '{1,NULL}'::int8[], '{{1},{2}}'::int8[]")
    #expect(postgresError { _ = try result.int64(0, 0) }?.kind == .decoding)
    #expect(postgresError { _ = try result.string(0, 1) }?.kind == .decoding)
    #expect(postgresError { _ = try result.double(0, 1) }?.kind == .decoding)
    #expect(postgresError { _ = try result.int64Array(0, 2) }?.kind == .decoding)
    #expect(postgresError { _ = try result.int64Array(0, 3) }?.kind == .decoding)
    #expect(postgresError { _ = try result.int64(1, 0) }?.kind == .decoding)
    #expect(postgresError { _ = try result.int64(0, -1) }?.kind == .decoding)
  }
}
