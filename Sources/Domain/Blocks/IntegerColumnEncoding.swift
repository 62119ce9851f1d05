/// How a column of integers may be encoded.
enum IntegerLayout {
  /// Frame of reference without divisor, so that entries can be compared in place.
  case scannable
  /// Frame of reference, possibly with a divisor: any entry can be read by itself, and the smallest has entry 0.
  case frame
  /// Whatever is smallest.
  case smallest
}

extension BlockWriter {
  mutating func append(integers column: UnsafeBufferPointer<Int64>, _ layout: IntegerLayout) {
    guard let first = column.first else { return appendHeader(.frame, width: 0, base: 0) }
    var (low, high, lowStep, highStep, previous) = (first, first, Int64.max, Int64.min, first)
    if layout == .smallest {
      for index in 1..<max(1, column.count) {
        let value = column[unchecked: index]
        let step = value &- previous
        low = min(low, value)
        high = max(high, value)
        lowStep = min(lowStep, step)
        highStep = max(highStep, step)
        previous = value
      }
    } else {
      for value in column {
        low = min(low, value)
        high = max(high, value)
      }
    }
    let span = UInt64(bitPattern: high &- low)
    let minimum = column.count > IntegerColumn.constantCountMax ? 1 : 0
    let frameWidth = max(minimum, span.byteWidth)
    guard frameWidth < 8 else {
      // Differences of such a column may not fit 64 bits: the numbers themselves.
      appendHeader(.frame, width: 8, base: 0)
      return appendEntries(of: column, width: 8) { UInt64(bitPattern: $0) }
    }
    if layout != .scannable, frameWidth > 1 {
      let divisor = ExactDivisor.common(of: column, minimum: low)
      if divisor.value > 1 {
        return append(integers: column, layout, low: low, span: span, steps: (lowStep, highStep), divisor: divisor)
      }
    }
    append(integers: column, layout, low: low, span: span, steps: (lowStep, highStep), divisor: ExactDivisor(1))
  }

  private mutating func append(
    integers column: UnsafeBufferPointer<Int64>, _ layout: IntegerLayout, low: Int64, span: UInt64,
    steps: (low: Int64, high: Int64), divisor: ExactDivisor
  ) {
    let minimum = column.count > IntegerColumn.constantCountMax ? 1 : 0
    let frameWidth = max(minimum, divisor.quotient(span).byteWidth)
    if layout == .smallest, frameWidth > 0, column.count > 1, steps.low.magnitude < 1 << 40 {
      let stepSpan = UInt64(bitPattern: steps.high &- steps.low)
      let stepWidth = max(minimum, divisor.quotient(stepSpan).byteWidth)
      let step = steps.low / Int64(divisor.value)
      // The entries must save more than the longer header costs.
      if stepWidth <= IntegerColumn.stepWidthMax, (frameWidth - stepWidth) * column.count > 1 + step.signedByteWidth {
        appendHeader(.steps, width: stepWidth, base: column[0], divisor: divisor.value, step: step)
        var previous = column[0] &- steps.low
        return appendEntries(of: column, width: stepWidth) { value in
          defer { previous = value }
          return divisor.quotient(UInt64(bitPattern: value &- previous &- steps.low))
        }
      }
    }
    if divisor.value == 1 {
      appendHeader(.frame, width: frameWidth, base: low)
      appendEntries(of: column, width: frameWidth) { UInt64(bitPattern: $0 &- low) }
    } else {
      appendHeader(.frame, width: frameWidth, base: low, divisor: divisor.value)
      appendEntries(of: column, width: frameWidth) { divisor.quotient(UInt64(bitPattern: $0 &- low)) }
    }
  }

  private mutating func appendHeader(
    _ kind: IntegerColumn.Kind, width: Int, base: Int64, divisor: UInt64 = 1, step: Int64 = 0
  ) {
    let divisorSize = divisor == 1 ? 0 : Int64(divisor).signedByteWidth
    append(byte: kind.rawValue << 4 | UInt8(width))
    append(byte: UInt8(divisorSize << 4 | base.signedByteWidth))
    if kind == .steps { append(byte: UInt8(step.signedByteWidth)) }
    append(UInt64(bitPattern: base), size: base.signedByteWidth)
    append(divisor, size: divisorSize)
    if kind == .steps { append(UInt64(bitPattern: step), size: step.signedByteWidth) }
  }

  /// Writes one entry for each value, in a loop of its own for each width. Odd widths store a whole word whose upper
  /// bytes the next entry overwrites.
  @inline(__always)
  private mutating func appendEntries(
    of column: UnsafeBufferPointer<Int64>, width: Int, _ entry: (Int64) -> UInt64
  ) {
    guard width > 0 else { return }
    let out = append(column.count * width)
    func store<Word: FixedWidthInteger>(_ type: Word.Type) {
      for index in 0..<column.count {
        let word = Word(truncatingIfNeeded: entry(column[unchecked: index])).littleEndian
        out.storeBytes(of: word, toByteOffset: index &* width, as: type)
      }
    }
    switch width {
    case 1: store(UInt8.self)
    case 2: store(UInt16.self)
    case 4: store(UInt32.self)
    default: store(UInt64.self)
    }
  }
}

extension UInt64 {
  /// Bytes that hold the number without leading zeros; 0 for 0.
  var byteWidth: Int { (64 - leadingZeroBitCount + 7) / 8 }
}

extension Int64 {
  /// Bytes that hold the number in two's complement; 0 for 0.
  var signedByteWidth: Int {
    self == 0 ? 0 : (64 - (self < 0 ? ~self : self).leadingZeroBitCount + 8) / 8
  }
}

extension UnsafeBufferPointer {
  /// The element at an index below `count`, which release builds do not check.
  @inline(__always)
  // Unwrapped: whoever has an index below `count` has a first element.
  subscript(unchecked index: Int) -> Element { baseAddress.unsafelyUnwrapped[index] }
}
