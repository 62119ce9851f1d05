/// The rows of the persons of a part, of one day and kind, in columns.
///
/// A part is 4,096 persons whose numbers follow each other. There is a column of who, one for each end of an hour, which
/// holds what there was since the beginning of the day, and one of where: what was between two hours of a day is the
/// difference of two columns, however many hours are between them. A question reads no others, and where only if it asks.
package struct DayCells: Sendable {
  /// Of a part.
  package static let persons = 4_096

  /// The part of a person.
  package static func part(of person: Int64) -> Int32 { Int32(truncatingIfNeeded: person >> 12) }
  /// The person's number within it.
  package static func number(of person: Int64) -> UInt16 { UInt16(person & 4_095) }
  /// The person of a number.
  package static func person(_ number: UInt16, of part: Int32) -> Int64 { Int64(part) << 12 | Int64(number) }

  /// By person, then place.
  package private(set) var rows: [CellRow]

  package init(_ rows: [CellRow] = []) {
    self.rows = rows
    sort()
  }

  /// Which column holds who.
  package static let who = 0
  /// Which one holds where; those between are the ends of the hours 1 to 24.
  package static let place = CellRow.hours + 1

  /// Takes out all rows of some persons, and puts these in.
  package mutating func replace(_ persons: Set<UInt16>, by new: [CellRow]) {
    rows.removeAll { persons.contains($0.person) }
    rows += new
    sort()
  }

  private mutating func sort() { rows.sort { ($0.person, $0.place) < ($1.person, $1.place) } }

  /// The columns as they are stored: who, then one for each end of an hour, and where.
  package var columns: [[UInt8]] {
    var counts = [Int64](repeating: 0, count: rows.count)
    var sums = counts
    let ends = (0..<CellRow.hours).map { hour in
      for row in rows.indices {
        counts[row] += rows[row].counts[hour]
        sums[row] += rows[row].sums[hour]
      }
      return CellColumn(counts: counts, sums: sums).encoded
    }
    return [CellBytes.bytes(rows.map(\.person))] + ends + [CellBytes.bytes(rows.map(\.place))]
  }

  /// - Parameter columns: as `columns` gives them.
  /// - Throws: `CellError` for what is no columns of one part and day.
  package init(columns: [[UInt8]]) throws(CellError) {
    guard columns.count == Self.place + 1 else { throw CellError() }
    let persons = try CellKeys.persons(columns[Self.who])
    let places = try CellKeys.places(columns[Self.place])
    guard persons.count == places.count else { throw CellError() }
    rows = zip(persons, places).map { CellRow(person: $0, place: $1) }
    var before = CellColumn.zero(rows.count)
    for hour in 0..<CellRow.hours {
      let column = try CellColumn(columns[hour + 1])
      guard column.counts.count == rows.count else { throw CellError() }
      for row in rows.indices {
        rows[row].counts[hour] = column.counts[row] - before.counts[row]
        rows[row].sums[hour] = column.sums[row] - before.sums[row]
      }
      before = column
    }
  }
}

/// Stored bytes that are no column.
package struct CellError: Error, CustomStringConvertible {
  package let description = "cells that can't be read"

  package init() {}
}

/// Who and where, row by row.
package enum CellKeys {
  /// Numbers within the part.
  /// - Throws: `CellError` for what is no column of persons.
  package static func persons(_ bytes: [UInt8]) throws(CellError) -> [UInt16] {
    guard bytes.count % 2 == 0 else { throw CellError() }
    return CellBytes.numbers(bytes[...], UInt16.self) { $0 }
  }

  /// - Throws: `CellError` for what is no column of places.
  package static func places(_ bytes: [UInt8]) throws(CellError) -> [PlaceGrid.Cell] {
    guard bytes.count % 4 == 0 else { throw CellError() }
    return CellBytes.numbers(bytes[...], Int32.self) { $0 }
  }
}

/// What each row has had until an end of an hour, since the beginning of the day.
package struct CellColumn: Sendable {
  package let counts: [Int64]
  package let sums: [Int64]

  init(counts: [Int64], sums: [Int64]) {
    self.counts = counts
    self.sums = sums
  }

  /// The beginning of the day.
  package static func zero(_ rows: Int) -> CellColumn {
    let zeros = [Int64](repeating: 0, count: rows)
    return CellColumn(counts: zeros, sums: zeros)
  }

  package init(_ bytes: [UInt8]) throws(CellError) {
    guard bytes.count >= 2 else { throw CellError() }
    let widths = (Int(bytes[0]), Int(bytes[1]))
    guard [1, 2, 4, 8].contains(widths.0), [1, 2, 4, 8].contains(widths.1) else { throw CellError() }
    let (count, rest) = (bytes.count - 2).quotientAndRemainder(dividingBy: widths.0 + widths.1)
    guard rest == 0 else { throw CellError() }
    let middle = 2 + count * widths.0
    counts = CellBytes.wide(bytes[2..<middle], width: widths.0)
    sums = CellBytes.wide(bytes[middle...], width: widths.1)
  }

  /// The width of each of the two in bytes, and their numbers.
  var encoded: [UInt8] {
    let widths = (CellBytes.width(of: counts), CellBytes.width(of: sums))
    return [UInt8(widths.0), UInt8(widths.1)] + CellBytes.narrow(counts, width: widths.0)
      + CellBytes.narrow(sums, width: widths.1)
  }
}

/// Whole numbers as little-endian bytes.
private enum CellBytes {
  static func bytes<N: FixedWidthInteger>(_ numbers: [N]) -> [UInt8] {
    numbers.map(\.littleEndian).withUnsafeBytes { Array($0) }
  }

  static func numbers<N: FixedWidthInteger, T>(
    _ bytes: ArraySlice<UInt8>, _ type: N.Type, _ transform: (N) -> T
  ) -> [T] {
    let size = MemoryLayout<N>.size
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / size).map {
        transform(N(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * size, as: N.self)))
      }
    }
  }

  /// How many bytes the greatest of numbers that are not negative needs: 1, 2, 4 or 8.
  static func width(of numbers: [Int64]) -> Int {
    switch numbers.max() ?? 0 {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  static func narrow(_ numbers: [Int64], width: Int) -> [UInt8] {
    switch width {
    case 1: numbers.map { UInt8($0) }
    case 2: bytes(numbers.map { UInt16($0) })
    case 4: bytes(numbers.map { UInt32($0) })
    default: bytes(numbers)
    }
  }

  static func wide(_ bytes: ArraySlice<UInt8>, width: Int) -> [Int64] {
    switch width {
    case 1: numbers(bytes, UInt8.self) { Int64($0) }
    case 2: numbers(bytes, UInt16.self) { Int64($0) }
    case 4: numbers(bytes, UInt32.self) { Int64($0) }
    default: numbers(bytes, Int64.self) { $0 }
    }
  }
}
