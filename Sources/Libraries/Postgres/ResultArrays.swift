extension Result {
  /// An `int8[]`, `int4[]` or `int2[]` of one dimension without NULLs.
  public func int64Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64] {
    let size: Int
    switch columnType(column) {
    case TypeOID.int8Array: size = 8
    case TypeOID.int4Array: size = 4
    case TypeOID.int2Array: size = 2
    default: throw mismatch(row, column, "an array of integers")
    }
    return try array(row, column, "an array of integers") { bytes in
      guard bytes.count == size else { return nil }
      switch size {
      case 8: return bytes.bigEndian(at: 0, as: Int64.self)
      case 4: return Int64(bytes.bigEndian(at: 0, as: Int32.self))
      default: return Int64(bytes.bigEndian(at: 0, as: Int16.self))
      }
    }
  }

  /// A `float8[]` of one dimension without NULLs.
  public func doubleArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Double] {
    guard columnType(column) == TypeOID.float8Array else { throw mismatch(row, column, "an array of float8") }
    return try array(row, column, "an array of float8") { bytes in
      bytes.count == 8 ? Double(bitPattern: bytes.bigEndian(at: 0, as: UInt64.self)) : nil
    }
  }

  /// A `text[]` of one dimension without NULLs.
  public func stringArray(_ row: Int, _ column: Int) throws(PostgresError) -> [String] {
    guard columnType(column) == TypeOID.textArray else { throw mismatch(row, column, "an array of texts") }
    return try array(row, column, "an array of texts") { String(decoding: $0, as: UTF8.self) }
  }

  /// A `bytea[]` of one dimension without NULLs.
  public func bytesArray(_ row: Int, _ column: Int) throws(PostgresError) -> [[UInt8]] {
    guard columnType(column) == TypeOID.byteaArray else { throw mismatch(row, column, "an array of bytea") }
    return try array(row, column, "an array of bytea") { [UInt8]($0) }
  }

  private func array<T>(
    _ row: Int, _ column: Int, _ wanted: String, _ element: (UnsafeRawBufferPointer) -> T?
  ) throws(PostgresError) -> [T] {
    let bytes = try binary(row, column)
    var values: [T] = []
    let isWhole = BinaryArray.forEach(bytes, reserve: { values.reserveCapacity($0) }) { field in
      guard let field, let value = element(field) else { return false }
      values.append(value)
      return true
    }
    guard isWhole else { throw mismatch(row, column, "\(wanted) of one dimension without NULLs") }
    return values
  }
}

/// One row of a `Result`, as `Connection.streamRows` hands it out. Accessors behave as those of `Result`.
public struct Row: Sendable {
  /// Kept alive by the row: rows that are kept hold the memory of the whole answer they came in.
  public let result: Result
  /// In `result`, from 0.
  public let index: Int

  public func isNull(_ column: Int) -> Bool { result.isNull(index, column) }
  public func int64(_ column: Int) throws(PostgresError) -> Int64 { try result.int64(index, column) }
  public func int32(_ column: Int) throws(PostgresError) -> Int32 { try result.int32(index, column) }
  public func double(_ column: Int) throws(PostgresError) -> Double { try result.double(index, column) }
  public func bool(_ column: Int) throws(PostgresError) -> Bool { try result.bool(index, column) }
  public func string(_ column: Int) throws(PostgresError) -> String { try result.string(index, column) }
  public func timestamptz(_ column: Int) throws(PostgresError) -> Int64 { try result.timestamptz(index, column) }
  public func bytes(_ column: Int) throws(PostgresError) -> [UInt8] { try result.bytes(index, column) }
  public func int64Array(_ column: Int) throws(PostgresError) -> [Int64] { try result.int64Array(index, column) }
  public func doubleArray(_ column: Int) throws(PostgresError) -> [Double] { try result.doubleArray(index, column) }
  public func stringArray(_ column: Int) throws(PostgresError) -> [String] { try result.stringArray(index, column) }
  /// The bytes are valid during the call, whatever becomes of the row.
  public func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    try result.withBytes(index, column, body)
  }
}
