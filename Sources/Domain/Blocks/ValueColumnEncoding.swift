extension BlockWriter {
  /// - Parameter scratch: room for `column.count` integers.
  mutating func append(values column: UnsafeBufferPointer<Double>, scratch: UnsafeMutableBufferPointer<Int64>) {
    if appendDecimals(column, scratch: scratch) { return }
    let bits = column.first?.bitPattern ?? 0
    let isShort = column.count <= IntegerColumn.constantCountMax
    if isShort, column.allSatisfy({ $0.isNaN }) {
      append(byte: ValueKind.unknown.code)
    } else if isShort, column.allSatisfy({ $0.bitPattern == bits }) {
      append(byte: ValueKind.constant.code)
      append(bits, size: 8)
    } else if column.allSatisfy({ Double(Float($0)).bitPattern == $0.bitPattern }) {
      append(byte: ValueKind.float.code)
      let out = append(4 * column.count)
      for (index, value) in column.enumerated() {
        out.storeBytes(of: Float(value).bitPattern.littleEndian, toByteOffset: 4 &* index, as: UInt32.self)
      }
    } else {
      append(byte: ValueKind.double.code)
      let out = append(8 * column.count)
      for (index, value) in column.enumerated() {
        out.storeBytes(of: value.bitPattern.littleEndian, toByteOffset: 8 &* index, as: UInt64.self)
      }
    }
  }

  /// Writes the column as integers over a power of ten; false, with nothing written, if that would lose a bit.
  private mutating func appendDecimals(
    _ column: UnsafeBufferPointer<Double>, scratch: UnsafeMutableBufferPointer<Int64>
  ) -> Bool {
    guard let scale = DecimalScale.smallest(for: column) else { return false }
    var inexact = 0
    for index in 0..<column.count {
      let value = column[unchecked: index]
      let integer = scale.integer(of: value)
      scratch[unchecked: index] = integer
      inexact &+= scale.value(of: integer).bitPattern == value.bitPattern ? 0 : 1
    }
    let integers = UnsafeBufferPointer(rebasing: scratch[..<column.count])
    if inexact == 0 {
      append(byte: ValueKind.decimal(digits: scale.digits, nullable: false).code)
      append(integers: integers, .smallest)
      return true
    }
    // What is inexact must be NaN, and not all of it: then the integer below the smallest one stands for NaN.
    guard inexact < column.count, inexact == column.count(where: \.isNaN) else { return false }
    var low = Int64.max
    for (index, value) in column.enumerated() where !value.isNaN { low = min(low, scratch[index]) }
    for (index, value) in column.enumerated() where value.isNaN { scratch[index] = low - 1 }
    append(byte: ValueKind.decimal(digits: scale.digits, nullable: true).code)
    append(integers: integers, .frame)
    return true
  }
}

extension UnsafeMutableBufferPointer {
  /// The element at an index below `count`, which release builds do not check.
  // Unwrapped: whoever has an index below `count` has a first element.
  @inline(__always)
  subscript(unchecked index: Int) -> Element {
    get { baseAddress.unsafelyUnwrapped[index] }
    nonmutating set { baseAddress.unsafelyUnwrapped[index] = newValue }
  }
}
