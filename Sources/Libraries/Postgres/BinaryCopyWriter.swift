import CLibPQ

public typealias CopyWriter = BinaryCopyWriter

/// Writes rows in COPY's binary format through a buffer of fixed size. See `Connection.copyIn`.
///
/// Each row is `row(fields:)` followed by exactly that many values, in the order and with the exact types of the COPY's
/// columns: the format has no conversions, so an `int4` column takes `int32` and nothing else.
public struct BinaryCopyWriter: ~Copyable {
  private let handle: OpaquePointer
  private let buffer: UnsafeMutableRawBufferPointer
  private var used = 0
  private var missingFields = 0
  /// Rows begun so far.
  public private(set) var rowCount = 0

  private static let bufferSizeBytes = 256 * 1024
  private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]

  fileprivate init(_ handle: OpaquePointer) throws(PostgresError) {
    self.handle = handle
    buffer = .allocate(byteCount: Self.bufferSizeBytes, alignment: 8)
    try appendHeader()
  }

  deinit { buffer.deallocate() }

  /// Begins a row of `fields` values.
  public mutating func row(fields: Int) throws(PostgresError) {
    try checkRowIsWhole()
    try word(Int16(fields))
    missingFields = fields
    rowCount += 1
  }

  /// For a `bool` column. As all values: throws `PostgresError.Kind.protocolViolation` when the row has its values
  /// already, and the connection's error when the server is gone.
  public mutating func bool(_ value: Bool) throws(PostgresError) { try fixed(UInt8(value ? 1 : 0)) }
  /// For an `int2` column.
  public mutating func int16(_ value: Int16) throws(PostgresError) { try fixed(value) }
  /// For an `int4` column.
  public mutating func int32(_ value: Int32) throws(PostgresError) { try fixed(value) }
  /// For an `int8` column.
  public mutating func int64(_ value: Int64) throws(PostgresError) { try fixed(value) }
  /// For a `float4` column. NaN and the infinities arrive as such.
  public mutating func float(_ value: Float) throws(PostgresError) { try fixed(value.bitPattern) }
  /// For a `float8` column. NaN and the infinities arrive as such.
  public mutating func double(_ value: Double) throws(PostgresError) { try fixed(value.bitPattern) }

  /// A moment, in microseconds since 1970-01-01 00:00 UTC.
  public mutating func timestamptz(microsecondsSinceUnixEpoch value: Int64) throws(PostgresError) {
    let (shifted, overflow) = value.subtractingReportingOverflow(postgresEpochUnixMicroseconds)
    guard !overflow else { throw PostgresError(.invalidParameter, "a time out of range in row \(rowCount)") }
    try fixed(shifted)
  }

  /// NULL, for a column of any type.
  public mutating func null() throws(PostgresError) {
    try countField()
    try word(Int32(-1))
  }

  /// For a `bytea` column, or one of any type whose binary form this is. The bytes are copied before it returns.
  /// - Throws: `PostgresError.Kind.invalidParameter` from 2 GiB on.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws(PostgresError) {
    try countField()
    guard let length = Int32(exactly: value.count) else {
      throw PostgresError(.invalidParameter, "a value of more than 2 GiB in row \(rowCount)")
    }
    try word(length)
    try append(value)
  }

  /// The same with the bytes of an array: less than 2 GiB.
  public mutating func bytes(_ value: [UInt8]) throws(PostgresError) {
    try countField()
    try word(Int32(clamping: value.count))
    try append(array: value)
  }

  /// For a `text` column.
  /// - Throws: `PostgresError.Kind.invalidParameter` for a text with NUL.
  public mutating func text(_ value: String) throws(PostgresError) {
    guard !value.utf8.contains(0) else {
      throw PostgresError(.invalidParameter, "a text in row \(rowCount) \(Parameter.holdsNUL)")
    }
    try bytes(Array(value.utf8))
  }

  /// For an `int2[]` column. Arrays have one dimension and no NULLs; each is encoded in memory as a whole.
  public mutating func int16Array(_ values: [Int16]) throws(PostgresError) {
    try bytes(BinaryArray.fixed(values, element: TypeOID.int2))
  }

  /// For an `int4[]` column.
  public mutating func int32Array(_ values: [Int32]) throws(PostgresError) {
    try bytes(BinaryArray.fixed(values, element: TypeOID.int4))
  }

  /// For an `int8[]` column.
  public mutating func int64Array(_ values: [Int64]) throws(PostgresError) {
    try bytes(BinaryArray.fixed(values, element: TypeOID.int8))
  }

  /// For a `float8[]` column.
  public mutating func doubleArray(_ values: [Double]) throws(PostgresError) {
    try bytes(BinaryArray.fixed(values.map(\.bitPattern), element: TypeOID.float8))
  }

  /// For a `text[]` column.
  /// - Throws: `PostgresError.Kind.invalidParameter` for a text with NUL.
  public mutating func textArray(_ values: [String]) throws(PostgresError) {
    guard !values.contains(where: { $0.utf8.contains(0) }) else {
      throw PostgresError(.invalidParameter, "a text in row \(rowCount) \(Parameter.holdsNUL)")
    }
    try bytes(BinaryArray.texts(values, element: TypeOID.text))
  }

  // MARK: Framing

  private mutating func appendHeader() throws(PostgresError) {
    try append(array: Self.signature)
    try word(Int32(0))  // flags
    try word(Int32(0))  // length of the header extension
  }

  fileprivate mutating func appendTrailer() throws(PostgresError) {
    try checkRowIsWhole()
    try word(Int16(-1))
    try flush()
  }

  private mutating func countField() throws(PostgresError) {
    guard missingFields > 0 else {
      throw PostgresError(.protocolViolation, "row \(rowCount) of the COPY has more values than it announced")
    }
    missingFields -= 1
  }

  private func checkRowIsWhole() throws(PostgresError) {
    guard missingFields == 0 else {
      throw PostgresError(.protocolViolation, "row \(rowCount) of the COPY lacks \(missingFields) values")
    }
  }

  // MARK: Buffer

  private mutating func fixed<T: FixedWidthInteger>(_ value: T) throws(PostgresError) {
    try countField()
    try word(Int32(MemoryLayout<T>.size))
    try word(value)
  }

  private mutating func word<T: FixedWidthInteger>(_ value: T) throws(PostgresError) {
    if used + MemoryLayout<T>.size > buffer.count { try flush() }
    buffer.storeBytes(of: value.bigEndian, toByteOffset: used, as: T.self)
    used += MemoryLayout<T>.size
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
    if used + bytes.count > buffer.count { try flush() }
    guard bytes.count <= buffer.count else {
      try Self.put(handle, bytes)
      return
    }
    UnsafeMutableRawBufferPointer(rebasing: buffer[used...]).copyMemory(from: bytes)
    used += bytes.count
  }

  private mutating func append(array: [UInt8]) throws(PostgresError) {
    // Copied piecewise through the buffer: a typed error cannot leave `withUnsafeBytes`.
    var start = 0
    while start < array.count {
      if used == buffer.count { try flush() }
      let count = min(array.count - start, buffer.count - used)
      array.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: buffer[used...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]))
      }
      used += count
      start += count
    }
  }

  private mutating func flush() throws(PostgresError) {
    try Self.put(handle, UnsafeRawBufferPointer(rebasing: buffer[..<used]))
    used = 0
  }

  private static func put(_ handle: OpaquePointer, _ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
    guard bytes.count > 0 else { return }
    let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
    guard PQputCopyData(handle, start, Int32(bytes.count)) == 1 else { throw ServerError.make(connection: handle) }
  }
}

extension Connection {
  /// Runs `COPY … FROM STDIN (FORMAT binary)` and lets `body` write the rows. Bounded memory; blocks while the server
  /// is slower than the writer. When `body` throws, nothing is copied and its error is thrown on.
  /// - Returns: the number of rows copied.
  @discardableResult
  public func copyIn(_ sql: String, _ body: (inout BinaryCopyWriter) throws -> Void) throws -> Int {
    let handle = try begin()
    let commits = transactionStatus == .idle
    try checkNoNUL(sql)
    let started = PQexec(handle, sql)
    guard let started, PQresultStatus(started) == PGRES_COPY_IN, PQbinaryTuples(started) == 1 else {
      let isTextCopy = started.map { PQresultStatus($0) == PGRES_COPY_IN } ?? false
      if isTextCopy {
        PQclear(started)
        _ = try? endCopy(handle, failing: "not a binary COPY")
      } else {
        _ = try checked(started)
      }
      throw PostgresError(.protocolViolation, "copyIn needs a statement COPY ... FROM STDIN (FORMAT binary)")
    }
    PQclear(started)
    do {
      var writer = try BinaryCopyWriter(handle)
      try body(&writer)
      try writer.appendTrailer()
    } catch {
      // The server answers with an error of its own about this; the cause is the one above.
      _ = try? endCopy(handle, failing: "abandoned by the client")
      throw error
    }
    return try outcome(commits: commits) { () throws(PostgresError) in try endCopy(handle, failing: nil) }
  }

  @discardableResult
  private func endCopy(_ handle: OpaquePointer, failing reason: String?) throws(PostgresError) -> Int {
    guard PQputCopyEnd(handle, reason) == 1 else { throw ServerError.make(connection: handle) }
    var rows = 0
    var failure: PostgresError?
    while let result = PQgetResult(handle) {
      do throws(PostgresError) { rows = try checked(result).affectedRows } catch { failure = failure ?? error }
      if PQstatus(handle) != CONNECTION_OK { break }
    }
    if let failure { throw failure }
    return rows
  }
}
