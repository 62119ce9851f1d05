/// The place of a cell, such as "B5". Both numbers count from 1.
struct CellReference: Equatable {
  /// Of a sheet of any program.
  static let maxRow = 1_048_576
  static let maxColumn = 16_384

  let column: Int
  let row: Int

  init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  /// nil: it is none, or beyond what a sheet has.
  init?(_ bytes: some Collection<UInt8>) {
    var column = 0
    var row = 0
    for byte in bytes where byte != UInt8(ascii: "$") {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z") where row == 0: column = column * 26 + Int(byte - 0x40)
      case UInt8(ascii: "a")...UInt8(ascii: "z") where row == 0: column = column * 26 + Int(byte - 0x60)
      case UInt8(ascii: "0")...UInt8(ascii: "9") where column > 0: row = row * 10 + Int(byte - 0x30)
      default: return nil
      }
      guard column <= Self.maxColumn, row <= Self.maxRow else { return nil }
    }
    guard column > 0, row > 0 else { return nil }
    self.column = column
    self.row = row
  }
}
