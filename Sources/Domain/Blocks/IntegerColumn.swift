/// A column of integers as it lies in a payload: the header parsed, the entries untouched. `BlockCodec` describes the
/// format.
struct IntegerColumn {
  enum Kind: UInt8 {
    case frame = 0
    case steps = 1
  }

  /// Entries in a column of width 0 cost nothing, so their number is bounded: a small payload stays a small block.
  static let constantCountMax = 65_536
  /// Steps are at most this wide; wider ones are stored as a frame, which costs no more for an hour of microseconds.
  static let stepWidthMax = 3

  let kind: Kind
  let width: Int
  let base: Int64
  let divisor: Int64
  let step: Int64
  let count: Int
  /// The entries and whatever follows them in the payload.
  private let entries: UnsafeRawBufferPointer

  init(_ reader: inout BlockReader, count: Int) throws(BlockError) {
    let first = try reader.byte()
    let lengths = try reader.byte()
    guard let kind = Kind(rawValue: first >> 4) else { throw .malformed(.columnKind) }
    let width = Int(first & 15)
    guard width <= (kind == .steps ? Self.stepWidthMax : 8) else { throw .malformed(.columnWidth) }
    guard width > 0 || count <= Self.constantCountMax else { throw .malformed(.constantTooLong) }
    let stepLength = kind == .steps ? Int(try reader.byte()) : 0
    self.kind = kind
    self.width = width
    self.count = count
    base = try reader.signed(size: Int(lengths & 15))
    divisor = lengths >> 4 == 0 ? 1 : try reader.signed(size: Int(lengths >> 4))
    step = try reader.signed(size: stepLength)
    entries = try reader.entries(count, width: width)
  }

  /// The stored entry at `index`, before base, divisor and steps are applied.
  @inline(__always)
  func entry(at index: Int) -> UInt64 {
    let offset = index &* width
    if offset &+ 8 <= entries.count {
      // Unwrapped: there are 8 bytes from `offset` on, so there is a first one.
      let word = entries.baseAddress.unsafelyUnwrapped.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return UInt64(littleEndian: word) & mask
    }
    var value: UInt64 = 0
    for byte in 0..<width { value |= UInt64(entries[offset + byte]) << UInt64(8 * byte) }
    return value
  }

  @inline(__always)
  private var mask: UInt64 { width == 0 ? 0 : .max >> UInt64(64 - 8 * width) }

  /// Calls `body` with each index and stored entry, in order, in a loop of its own for each width.
  @inline(__always)
  func forEachEntry(_ body: (Int, UInt64) -> Void) {
    guard count > 0 else { return }
    guard width > 0 else {
      for index in 0..<count { body(index, 0) }
      return
    }
    // Unwrapped: neither count nor width is 0, and the reader has taken so many bytes.
    let start = entries.baseAddress.unsafelyUnwrapped
    switch width {
    case 1:
      for index in 0..<count { body(index, UInt64(start.load(fromByteOffset: index, as: UInt8.self))) }
    case 2:
      for index in 0..<count {
        body(index, UInt64(UInt16(littleEndian: start.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))))
      }
    case 4:
      for index in 0..<count {
        body(index, UInt64(UInt32(littleEndian: start.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))))
      }
    case 8:
      for index in 0..<count {
        body(index, UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8 &* index, as: UInt64.self)))
      }
    default:
      // Whole words are read and masked as long as the payload has 8 bytes left.
      let mask = mask
      let whole = entries.count < 8 ? 0 : min(count, (entries.count &- 8) / width &+ 1)
      for index in 0..<whole {
        let word = start.loadUnaligned(fromByteOffset: width &* index, as: UInt64.self)
        body(index, UInt64(littleEndian: word) & mask)
      }
      for index in whole..<count { body(index, entry(at: index)) }
    }
  }

  /// Calls `body` with each index and value, in order.
  @inline(__always)
  func forEachValue(_ body: (Int, Int64) -> Void) {
    let (base, divisor, step) = (base, divisor, step)
    switch kind {
    case .frame:
      if divisor == 1 {
        forEachEntry { body($0, base &+ Int64(bitPattern: $1)) }
      } else {
        forEachEntry { body($0, base &+ divisor &* Int64(bitPattern: $1)) }
      }
    case .steps:
      let stride = divisor &* step
      var value = base &- stride
      forEachEntry { index, entry in
        value = value &+ stride &+ divisor &* Int64(bitPattern: entry)
        body(index, value)
      }
    }
  }

  /// Calls `body` with the place in `selected` and the value at each selected index. Only steps need the entries
  /// between.
  @inline(__always)
  func forEachValue(at selected: [Int32], _ body: (Int, Int64) -> Void) {
    switch kind {
    case .frame:
      for (place, index) in selected.enumerated() {
        body(place, base &+ divisor &* Int64(bitPattern: entry(at: Int(index))))
      }
    case .steps:
      var place = 0
      forEachValue { index, value in
        if place < selected.count, Int(selected[place]) == index {
          body(place, value)
          place &+= 1
        }
      }
    }
  }
}

extension IntegerColumn {
  /// The values, of all entries or of those selected (rising indices below `count`).
  func int64(at selected: [Int32]? = nil) -> [Int64] {
    let size = selected?.count ?? count
    // Uninitialized: each of `size` entries is written once.
    return Array(unsafeUninitializedCapacity: size) { buffer, initialized in
      initialized = size
      guard let out = buffer.baseAddress else { return }
      if let selected {
        forEachValue(at: selected) { out[$0] = $1 }
      } else {
        forEachValue { out[$0] = $1 }
      }
    }
  }

  /// As `int64(at:)`; throws `outOfRange` if a value needs more than 32 bits.
  func int32(at selected: [Int32]? = nil) throws(BlockError) -> [Int32] {
    let size = selected?.count ?? count
    var excess: Int64 = 0
    // Uninitialized: each of `size` entries is written once.
    let values = [Int32](unsafeUninitializedCapacity: size) { buffer, initialized in
      initialized = size
      guard let out = buffer.baseAddress else { return }
      func store(_ index: Int, _ value: Int64) {
        let short = Int32(truncatingIfNeeded: value)
        excess |= value ^ Int64(short)
        out[index] = short
      }
      if let selected {
        forEachValue(at: selected, store)
      } else {
        forEachValue(store)
      }
    }
    guard excess == 0 else { throw .outOfRange }
    return values
  }
}
