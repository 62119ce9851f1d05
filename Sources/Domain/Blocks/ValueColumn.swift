/// What the first byte of a column of doubles says about the rest. `BlockCodec` describes the format.
enum ValueKind: Equatable {
  /// An integer column follows; the integers are divided by 10^digits. If `nullable`, entry 0 stands for NaN.
  case decimal(digits: Int, nullable: Bool)
  /// Nothing follows: every entry is NaN.
  case unknown
  /// One double follows: every entry has its bits.
  case constant
  /// The doubles follow as they are.
  case double
  /// The doubles follow as floats, which they convert to without loss.
  case float

  private static let nullableBit: UInt8 = 8

  var code: UInt8 {
    switch self {
    case .decimal(let digits, let nullable): UInt8(digits) | (nullable ? Self.nullableBit : 0)
    case .unknown: 0x10
    case .constant: 0x11
    case .double: 0x12
    case .float: 0x13
    }
  }

  init?(code: UInt8) {
    switch code {
    case 0..<16: self = .decimal(digits: Int(code & 7), nullable: code & Self.nullableBit != 0)
    case 0x10: self = .unknown
    case 0x11: self = .constant
    case 0x12: self = .double
    case 0x13: self = .float
    default: return nil
    }
  }
}

/// A column of doubles as it lies in a payload.
struct ValueColumn {
  private enum Entries {
    case same(Double)
    case decimals(IntegerColumn, DecimalScale, nullable: Bool)
    case doubles(UnsafeRawBufferPointer)
    case floats(UnsafeRawBufferPointer)
  }

  let count: Int
  private let entries: Entries

  init(_ reader: inout BlockReader, count: Int) throws(BlockError) {
    self.count = count
    guard let kind = ValueKind(code: try reader.byte()) else { throw .malformed(.columnKind) }
    switch kind {
    case .decimal(let digits, let nullable):
      let integers = try IntegerColumn(&reader, count: count)
      guard !nullable || integers.kind == .frame else { throw .malformed(.columnKind) }
      entries = .decimals(integers, DecimalScale(digits: digits), nullable: nullable)
    case .unknown, .constant:
      guard count <= IntegerColumn.constantCountMax else { throw .malformed(.constantTooLong) }
      entries = .same(kind == .unknown ? .nan : Double(bitPattern: try reader.unsigned(size: 8)))
    case .double: entries = .doubles(try reader.entries(count, width: 8))
    case .float: entries = .floats(try reader.entries(count, width: 4))
    }
  }

  /// The values, of all entries or of those selected (rising indices below `count`).
  func doubles(at selected: [Int32]? = nil) -> [Double] {
    let size = selected?.count ?? count
    guard size > 0 else { return [] }
    if case .same(let value) = entries { return Array(repeating: value, count: size) }
    // Uninitialized: every case writes each of `size` entries; unwrapped: `size` is not 0.
    return Array(unsafeUninitializedCapacity: size) { buffer, initialized in
      initialized = size
      let out = buffer.baseAddress.unsafelyUnwrapped
      switch entries {
      case .same: break
      case .decimals(let integers, let scale, nullable: false): fill(out, integers, scale, at: selected)
      case .decimals(let integers, let scale, nullable: true):
        fill(out, integers, scale, at: selected)
        // What the base stands for was set as a number; it is entry 0 and nothing else is.
        let null = scale.value(of: integers.base)
        for index in 0..<size where out[index] == null { out[index] = .nan }
      case .doubles(let bytes):
        forEach(selected) {
          out[$0] = Double(
            bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 &* $1, as: UInt64.self)))
        }
      case .floats(let bytes):
        forEach(selected) {
          let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 &* $1, as: UInt32.self))
          out[$0] = Double(Float(bitPattern: bits))
        }
      }
    }
  }

  @inline(__always)
  private func fill(
    _ out: UnsafeMutablePointer<Double>, _ integers: IntegerColumn, _ scale: DecimalScale, at selected: [Int32]?
  ) {
    if let selected {
      integers.forEachValue(at: selected) { out[$0] = scale.value(of: $1) }
    } else if scale.digits == 0 {
      integers.forEachValue { out[$0] = Double($1) }
    } else {
      integers.forEachValue { out[$0] = scale.value(of: $1) }
    }
  }

  /// Calls `body` with each place in the result and the index of its entry.
  @inline(__always)
  private func forEach(_ selected: [Int32]?, _ body: (Int, Int) -> Void) {
    guard let selected else {
      for index in 0..<count { body(index, index) }
      return
    }
    for (place, index) in selected.enumerated() { body(place, Int(index)) }
  }
}
