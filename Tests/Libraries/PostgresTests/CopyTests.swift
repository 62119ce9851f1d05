import Postgres
import Testing

@Suite struct CopyTests {
  @Test func rowsOfEveryTypeArrive() throws {
    let connection = try freshConnection()
    try connection.execute(
      """
      CREATE TABLE t (a bool, b int2, c int4, d int8, e float4, f float8, g text, h bytea, i timestamptz, j int8[],
        k float8[], l text[])
      """)
    let copied = try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
      try writer.row(fields: 12)
      try writer.bool(true)
      try writer.int16(-2)
      try writer.int32(-4)
      try writer.int64(.min)
      try writer.float(0.5)
      try writer.double(-1.25)
      try writer.text("běh 🏃")
      try writer.bytes([0, 1, 255])
      try writer.timestamptz(microsecondsSinceUnixEpoch: 1_000_000)
      try writer.int64Array([1, 2])
      try writer.doubleArray([])
      try writer.textArray(["x", ""])
      try writer.row(fields: 12)
      for _ in 0..<12 { try writer.null() }
    }
    #expect(copied == 2)
    let row = try connection.query("SELECT * FROM t WHERE a")
    #expect(try row.int64(0, 1) == -2 && row.int64(0, 2) == -4 && row.int64(0, 3) == .min)
    #expect(try row.double(0, 4) == 0.5 && row.double(0, 5) == -1.25 && row.string(0, 6) == "běh 🏃")
    #expect(try row.bytes(0, 7) == [0, 1, 255] && row.timestamptz(0, 8) == 1_000_000)
    #expect(try row.int64Array(0, 9) == [1, 2] && row.doubleArray(0, 10) == [] && row.stringArray(0, 11) == ["x", ""])
    #expect(try connection.query("SELECT 1 FROM t WHERE a IS NULL AND l IS NULL").rowCount == 1)
  }

  @Test func moreThanABufferOfRowsAndValuesArrives() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8, y bytea)")
    let large = [UInt8](repeating: 9, count: 1_000_000)
    let copied = try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
      for value in 0..<50_000 {
        try writer.row(fields: 2)
        try writer.int64(Int64(value))
        if value % 10_000 == 0 {
          try writer.bytes(large)
        } else {
          try large.prefix(9).withUnsafeBytes { try writer.bytes($0) }
        }
      }
    }
    #expect(copied == 50_000)
    let sums = try connection.query("SELECT sum(x)::int8, sum(length(y))::int8 FROM t")
    #expect(try sums.int64(0, 0) == 1_249_975_000 && sums.int64(0, 1) == 5 * 1_000_000 + 49_995 * 9)
  }

  @Test func aBodyThatThrowsCopiesNothing() throws {
    struct Unwilling: Error {}
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8)")
    #expect(throws: Unwilling.self) {
      try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
        try writer.row(fields: 1)
        try writer.int64(1)
        throw Unwilling()
      }
    }
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  @Test func aRowWithTooFewOrTooManyValuesIsRefused() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8, y int8)")
    for values in [1, 3] {
      let error = postgresError {
        try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
          try writer.row(fields: 2)
          for _ in 0..<values { try writer.int64(1) }
        }
      }
      #expect(error?.kind == .protocolViolation)
    }
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  @Test func theServersRefusalIsThrown() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8 PRIMARY KEY)")
    let error = postgresError {
      try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
        for _ in 0..<2 {
          try writer.row(fields: 1)
          try writer.int64(1)
        }
      }
    }
    #expect(error?.sqlState == "23505" && error?.constraint == "t_pkey")
    #expect(
      postgresError { try connection.copyIn("COPY no_such FROM STDIN (FORMAT binary)") { _ in } }?.sqlState == "42P01")
    #expect(postgresError { try connection.copyIn("COPY t FROM STDIN") { _ in } }?.kind == .protocolViolation)
    #expect(postgresError { try connection.copyIn("SELECT 1") { _ in } }?.kind == .protocolViolation)
    #expect(try connection.query("SELECT 1").int64(0, 0) == 1)
  }
}
