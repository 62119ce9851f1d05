internal import BenchKit

/// Builds messages of PostgreSQL's protocol. Numbers are big-endian.
struct CopyBytes {
  private var bytes: [UInt8] = []

  mutating func append<T: FixedWidthInteger>(_ number: T) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(text: String) {
    bytes += Array(text.utf8)
    bytes.append(0)
  }

  /// One row: person bigint, metric integer, time timestamptz, value float8.
  private mutating func append(_ reading: ReadingGenerator.Reading) {
    append(Int16(4))
    append(Int32(8))
    append(reading.person)
    append(Int32(4))
    append(Int32(reading.metric))
    append(Int32(8))
    // PostgreSQL counts from the year 2000.
    append(reading.time - 946_684_800_000_000)
    append(Int32(8))
    append(reading.value.bitPattern)
  }

  /// The message with its kind, if it has one, and its length.
  func framed(as kind: Character?) -> [UInt8] {
    var message = CopyBytes()
    if let kind { message.bytes.append(kind.asciiValue!) }
    message.append(Int32(bytes.count + 4))
    return message.bytes + bytes
  }

  /// A Query message.
  static func statement(_ sql: String) -> [UInt8] {
    var message = CopyBytes()
    message.append(text: sql)
    return message.framed(as: "Q")
  }

  /// CopyData with all rows of a statement, then CopyDone.
  static func rows(_ count: Int, from generator: inout ReadingGenerator) -> [UInt8] {
    var data = CopyBytes()
    data.bytes.reserveCapacity(64 + 46 * count)
    data.bytes += Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    data.append(Int64(0))  // flags, length of the header's extension
    for _ in 0..<count { data.append(generator.next()) }
    data.append(Int16(-1))
    return data.framed(as: "d") + CopyBytes().framed(as: "c")
  }
}
