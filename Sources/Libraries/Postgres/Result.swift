import CLibPQ

/// The answer to one statement. Owns libpq's memory and frees it with the last reference.
///
/// Rows and columns count from 0. Accessors throw `PostgresError.Kind.decoding` for a row or column that does not
/// exist, for NULL (ask `isNull` first) and for a column of another type; they never crash on what a server sends.
// @unchecked: libpq documents a PGresult as read-only after its creation and free to pass between threads.
public final class Result: @unchecked Sendable {
  private let handle: OpaquePointer
  /// 0 for a statement that returns no rows; see `affectedRows`.
  public let rowCount: Int
  public let columnCount: Int

  /// Takes ownership of the result.
  init(owning handle: OpaquePointer) {
    self.handle = handle
    rowCount = Int(PQntuples(handle))
    columnCount = Int(PQnfields(handle))
  }

  deinit { PQclear(handle) }

  /// Rows inserted, updated, deleted, copied or selected.
  public var affectedRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  /// Nil for a column that does not exist.
  public func columnName(_ column: Int) -> String? { PQfname(handle, Int32(column)).map { String(cString: $0) } }

  /// Type of the column, a constant of `TypeOID`; 0 for a column that does not exist.
  public func columnType(_ column: Int) -> UInt32 { PQftype(handle, Int32(clamping: column)) }

  /// True for NULL, and for a row or column that does not exist.
  public func isNull(_ row: Int, _ column: Int) -> Bool {
    guard row >= 0, row < rowCount, column >= 0, column < columnCount else { return true }
    return PQgetisnull(handle, Int32(row), Int32(column)) == 1
  }

  /// An `int8`, `int4`, `int2` or `oid`.
  public func int64(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
    let bytes = try binary(row, column)
    switch columnType(column) {
    case TypeOID.int8 where bytes.count == 8: return bytes.bigEndian(at: 0, as: Int64.self)
    case TypeOID.int4 where bytes.count == 4: return Int64(bytes.bigEndian(at: 0, as: Int32.self))
    case TypeOID.int2 where bytes.count == 2: return Int64(bytes.bigEndian(at: 0, as: Int16.self))
    case TypeOID.oid where bytes.count == 4: return Int64(bytes.bigEndian(at: 0, as: UInt32.self))
    default: throw mismatch(row, column, "an integer")
    }
  }

  /// As `int64`, where the value has room in 32 bits.
  public func int32(_ row: Int, _ column: Int) throws(PostgresError) -> Int32 {
    guard let value = Int32(exactly: try int64(row, column)) else { throw mismatch(row, column, "a 32-bit integer") }
    return value
  }

  /// A `float8` or `float4`.
  public func double(_ row: Int, _ column: Int) throws(PostgresError) -> Double {
    let bytes = try binary(row, column)
    switch columnType(column) {
    case TypeOID.float8 where bytes.count == 8: return Double(bitPattern: bytes.bigEndian(at: 0, as: UInt64.self))
    case TypeOID.float4 where bytes.count == 4:
      return Double(Float(bitPattern: bytes.bigEndian(at: 0, as: UInt32.self)))
    default: throw mismatch(row, column, "a floating point number")
    }
  }

  /// A `bool`; nothing else reads as one.
  public func bool(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
    let bytes = try binary(row, column)
    guard columnType(column) == TypeOID.bool, bytes.count == 1 else { throw mismatch(row, column, "a boolean") }
    return bytes[0] != 0
  }

  /// A `timestamptz` in microseconds since 1970-01-01 00:00 UTC. `infinity` and `-infinity` are the ends of Int64.
  public func timestamptz(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
    let bytes = try binary(row, column)
    guard columnType(column) == TypeOID.timestamptz, bytes.count == 8 else {
      throw mismatch(row, column, "a timestamptz")
    }
    let value = bytes.bigEndian(at: 0, as: Int64.self)
    if value == .max || value == .min { return value }
    let (time, isTooLate) = value.addingReportingOverflow(postgresEpochUnixMicroseconds)
    guard !isTooLate else { throw mismatch(row, column, "a time in range") }
    return time
  }

  /// A text, in binary or text format. In text format every type reads as its textual form.
  public func string(_ row: Int, _ column: Int) throws(PostgresError) -> String {
    let bytes = try field(row, column)
    if PQfformat(handle, Int32(column)) == 1 {
      switch columnType(column) {
      case TypeOID.text, TypeOID.varchar, TypeOID.bpchar, TypeOID.name, TypeOID.json, TypeOID.unknown: break
      default: throw mismatch(row, column, "a text")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A copy of a `bytea` (or of the binary form of any other type).
  public func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] { [UInt8](try binary(row, column)) }

  /// Calls `body` with the value's bytes where libpq keeps them; they are valid during the call. NULL throws.
  public func withBytes<R>(_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    let bytes = try binary(row, column)
    return try withExtendedLifetime(self) { try body(bytes) }
  }

  // MARK: Raw fields

  /// The field's bytes, which must be in binary format. Valid while this object lives.
  func binary(_ row: Int, _ column: Int) throws(PostgresError) -> UnsafeRawBufferPointer {
    let bytes = try field(row, column)
    guard PQfformat(handle, Int32(column)) == 1 else {
      throw PostgresError(.decoding, "column \(column) is in text format; ask the query for binary results")
    }
    return bytes
  }

  private func field(_ row: Int, _ column: Int) throws(PostgresError) -> UnsafeRawBufferPointer {
    guard row >= 0, row < rowCount, column >= 0, column < columnCount else {
      throw PostgresError(
        .decoding, "no field at row \(row), column \(column): the result has \(rowCount) rows, \(columnCount) columns")
    }
    let (row, column) = (Int32(row), Int32(column))
    guard PQgetisnull(handle, row, column) == 0 else {
      throw PostgresError(.decoding, "row \(row), column \(column) is NULL")
    }
    return UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
  }

  func mismatch(_ row: Int, _ column: Int, _ wanted: String) -> PostgresError {
    PostgresError(
      .decoding, "row \(row), column \(column) (type \(columnType(column))) does not hold \(wanted)")
  }
}
