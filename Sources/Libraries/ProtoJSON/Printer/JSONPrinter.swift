internal import WireCodec

/// Writes the bytes of a message as JSON.
///
/// The wire format allows fields in any order and in several pieces, JSON does not. So the fields of a message are
/// first noted, without a look into them, on a stack that all levels share; then they are sorted where they have to be,
/// and written. Each byte of the input is looked at once on the level of the message that it belongs to.
struct JSONPrinter: ~Copyable {
  let schema: SchemaView
  let input: UnsafePointer<UInt8>
  var out: GrowingBuffer<UInt8>
  /// What the messages that are being written hold, the innermost last.
  var occurrences = GrowingBuffer<Occurrence>(capacity: 256)
  /// For each oneof of the messages that are being written the member that is set, as its place and 1; 0 is none.
  private var oneofs = GrowingBuffer<UInt16>(capacity: 16)

  private init(_ bytes: UnsafeRawBufferPointer, _ schema: SchemaView) {
    self.schema = schema
    input = WireCursor(bytes).at
    out = GrowingBuffer(capacity: bytes.count * 2 + 64)
  }

  static func print(
    _ bytes: UnsafeRawBufferPointer, _ type: Int32, _ schema: SchemaView
  ) throws(WireError) -> [UInt8] {
    // Lengths are kept in 32 bits.
    guard bytes.count <= Int32.max else { throw WireError(field: "", problem: "takes 2 GB or more") }
    var printer = JSONPrinter(bytes, schema)
    printer.occurrences.append(Occurrence(field: 0, isSwitch: false, length: Int32(bytes.count), bits: 0))
    try printer.message(type, 0..<1, depth: 1)
    return printer.out.array
  }

  /// Writes the message that the bytes of all of `parts` make together.
  mutating func message(_ type: Int32, _ parts: Range<Int>, depth: Int) throws(WireError) {
    guard depth <= nestingLimit else { throw .tooDeep }
    let layout = schema.messages + Int(type)
    guard layout.pointee.wellKnown == .none else { return try wellKnown(layout, parts, depth: depth) }
    out.append(UInt8(ascii: "{"))
    try fields(layout, parts, depth: depth)
    out.append(UInt8(ascii: "}"))
  }

  /// Writes the fields of a message behind the brace, or behind what stands there already.
  mutating func fields(
    _ layout: UnsafePointer<MessageLayout>, _ parts: Range<Int>, depth: Int
  ) throws(WireError) {
    let (first, oneofs) = (occurrences.count, oneofs.count)
    try note(parts, layout, oneofs: oneofs)
    let end = occurrences.count
    var place = first
    while place < end {
      let index = occurrences[place].field
      let start = place
      repeat { place += 1 } while place < end && occurrences[place].field == index
      let field = schema.field(index, of: layout)
      let oneof = field.pointee.oneof
      if oneof >= 0 && self.oneofs[oneofs + Int(oneof)] != index + 1 { continue }
      try write(field, start..<place, depth: depth)
    }
    occurrences.removeLast(to: first)
    self.oneofs.removeLast(to: oneofs)
  }

  // MARK: Noting

  var oneofCount: Int { oneofs.count }

  mutating func removeOneofs(to count: Int) { oneofs.removeLast(to: count) }

  /// The member that is set in the first oneof of a message whose oneofs begin at `place`.
  func member(_ place: Int) -> UInt16? { place < oneofs.count && oneofs[place] > 0 ? oneofs[place] - 1 : nil }

  /// Notes the fields that stand in `parts`, ordered by number; those of one number as they came.
  mutating func note(
    _ parts: Range<Int>, _ layout: UnsafePointer<MessageLayout>, oneofs: Int
  ) throws(WireError) {
    for _ in 0..<layout.pointee.oneofCount { self.oneofs.append(0) }
    let first = occurrences.count
    var isOrdered = true
    var last: UInt16 = 0
    for part in parts {
      let whole = occurrences[part]
      var cursor = WireCursor(input + Int(whole.bits), Int(whole.length))
      while !cursor.isAtEnd {
        let (number, wireType) = try cursor.tag()
        guard let index = schema.fieldIndex(number: number, in: layout) else {
          try cursor.skip(wireType)
          continue
        }
        let field = schema.field(index, of: layout)
        if index < last { isOrdered = false }
        last = index
        do throws(WireError) {
          var occurrence = try occurrence(of: field, index, wireType, &cursor)
          let oneof = field.pointee.oneof
          if oneof >= 0 && self.oneofs[oneofs + Int(oneof)] != index + 1 {
            self.oneofs[oneofs + Int(oneof)] = index + 1
            occurrence.isSwitch = true
          }
          occurrences.append(occurrence)
        } catch { throw error.inside(schema.string(field.pointee.name)) }
      }
    }
    guard !isOrdered else { return }
    // The sort is stable.
    var noted = occurrences.elements(from: first)
    noted.sort { $0.field < $1.field }
  }

  @inline(__always)
  private func occurrence(
    of field: UnsafePointer<FieldLayout>, _ index: UInt16, _ wireType: WireType, _ cursor: inout WireCursor
  ) throws(WireError) -> Occurrence {
    guard field.pointee.kind != .group else { throw WireError(field: "", problem: "is a group") }
    if wireType == .bytes {
      guard field.pointee.kind.wireType == .bytes || field.pointee.isRepeated else { throw .wrongWireType }
      let bytes = try cursor.bytes()
      let place = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) - input
      return Occurrence(field: index, isSwitch: false, length: Int32(bytes.count), bits: UInt64(place))
    }
    guard field.pointee.kind.wireType == wireType else { throw .wrongWireType }
    return Occurrence(field: index, isSwitch: false, length: -1, bits: try cursor.number(wireType))
  }

  func bytes(_ occurrence: Occurrence) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: input + Int(occurrence.bits), count: Int(occurrence.length))
  }
}

extension WireError {
  static var wrongWireType: WireError { WireError(field: "", problem: "has the wire type of another kind of field") }

  static var tooDeep: WireError {
    WireError(field: "", problem: "stands deeper than \(nestingLimit) messages within each other")
  }
}
