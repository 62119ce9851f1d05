internal import WireCodec

/// Writes the message that JSON tells as protobuf bytes, field by field as they come.
struct JSONParser: ~Copyable {
  let schema: SchemaView
  var reader: JSONReader
  var out: GrowingBuffer<UInt8>
  /// For the messages that are being read, the innermost last, a bit for each field that came and each oneof that is
  /// set.
  private var seen = GrowingBuffer<UInt64>(capacity: 32)
  /// How many bytes may still be read ahead of their turn.
  var readAhead: Int

  private init(_ json: UnsafeRawBufferPointer, _ schema: SchemaView) {
    self.schema = schema
    reader = JSONReader(json)
    readAhead = 4 * json.count + 65_536
    out = GrowingBuffer(capacity: json.count / 2 + 64)
  }

  static func parse(
    _ json: UnsafeRawBufferPointer, _ type: Int32, _ schema: SchemaView
  ) throws(WireError) -> [UInt8] {
    // The lengths of protobuf end at 2 GB.
    guard json.count <= Int32.max / 8 else { throw WireError(field: "", problem: "is too long") }
    var parser = JSONParser(json, schema)
    try parser.message(type, depth: 1)
    try parser.reader.expectEnd()
    return parser.out.array
  }

  /// Reads one value as a message and writes what it holds, without tag and length.
  mutating func message(_ type: Int32, depth: Int) throws(WireError) {
    guard depth <= nestingLimit else { throw .tooDeep }
    let layout = schema.messages + Int(type)
    guard layout.pointee.wellKnown == .none else { return try wellKnown(layout, depth: depth) }
    try beginObject()
    if reader.take("}") { return }
    try fields(layout, skipsType: nil, depth: depth)
  }

  mutating func beginObject() throws(WireError) {
    guard reader.take("{") else { throw mismatch("must be an object") }
  }

  /// Reads one field or more of an object, up to its end. `skipsType` is for an Any: whether its `@type` is among them,
  /// and has been read ahead.
  mutating func fields(
    _ layout: UnsafePointer<MessageLayout>, skipsType: Bool?, depth: Int
  ) throws(WireError) {
    let first = seen.count
    let bits = Int(layout.pointee.fieldCount + layout.pointee.oneofCount)
    for _ in 0..<(bits + 63) / 64 { seen.append(0) }
    // Those who write messages mostly do it in the order of the fields.
    var next: UInt16 = 0
    repeat {
      guard reader.peek() == UInt8(ascii: "\"") else { throw reader.malformed }
      let name = try reader.string()
      guard let index = fieldIndex(name, layout, guess: next) else {
        if let skipsType, TextBytes.equal(name, "@type") {
          try skipType(skipsType, depth: depth)
          continue
        }
        throw .unknownField(name)
      }
      next = index + 1
      let field = schema.field(index, of: layout)
      do throws(WireError) {
        try reader.expect(":")
        guard !mark(Int(index), first) else { throw WireError(field: "", problem: "is given twice") }
        if try takeNull(for: field) { continue }
        if field.pointee.oneof >= 0 && mark(Int(layout.pointee.fieldCount) + Int(field.pointee.oneof), first) {
          throw WireError(field: "", problem: "is given beside another field of its oneof")
        }
        if field.pointee.isMap {
          try map(field, depth: depth)
        } else if !field.pointee.isRepeated {
          try single(field, isAlways: field.pointee.hasPresence, depth: depth)
        }
      } catch { throw error.inside(schema.string(field.pointee.name)) }
      // Its errors name the element.
      if field.pointee.isRepeated && !field.pointee.isMap { try elements(field, depth: depth) }
    } while try reader.more(until: "}")
    seen.removeLast(to: first)
  }

  @inline(__always)
  private func fieldIndex(
    _ name: UnsafeRawBufferPointer, _ layout: UnsafePointer<MessageLayout>, guess: UInt16
  ) -> UInt16? {
    if guess < layout.pointee.fieldCount, schema.equal(schema.field(guess, of: layout).pointee.jsonName, name) {
      return guess
    }
    return schema.find(name, in: layout.pointee.names).map { UInt16($0) }
  }

  /// Sets a bit of the innermost message, and returns whether it was set before.
  @inline(__always)
  private mutating func mark(_ bit: Int, _ first: Int) -> Bool {
    let place = first + bit / 64
    let mask: UInt64 = 1 << UInt64(bit % 64)
    let wasSet = seen[place] & mask != 0
    seen[place] |= mask
    return wasSet
  }

  /// Null is no value, but for the types that have a null of their own.
  @inline(__always)
  private mutating func takeNull(for field: UnsafePointer<FieldLayout>) throws(WireError) -> Bool {
    guard reader.peek() == UInt8(ascii: "n"), field.pointee.isRepeated || !schema.hasNull(field) else { return false }
    return try reader.takeNull()
  }

  // MARK: Fields

  private mutating func elements(_ field: UnsafePointer<FieldLayout>, depth: Int) throws(WireError) {
    var index = -1
    do throws(WireError) {
      guard reader.take("[") else { throw mismatch("must be an array") }
      if reader.take("]") { return }
      var start: Int?
      if field.pointee.isPacked {
        out.appendTag(field.pointee.number, .bytes)
        start = out.beginLength()
      }
      repeat {
        index += 1
        try refuseNull(for: field)
        if start != nil {
          out.appendNumber(try number(field), field.pointee.kind.wireType)
        } else {
          try single(field, isAlways: true, depth: depth)
        }
      } while try reader.more(until: "]")
      if let start { out.endLength(from: start) }
    } catch {
      let name = schema.string(field.pointee.name)
      throw index < 0 ? error.inside(name) : error.inside(name, at: index)
    }
  }

  /// Entries are messages of a key and a value.
  mutating func map(_ field: UnsafePointer<FieldLayout>, depth: Int) throws(WireError) {
    try beginObject()
    if reader.take("}") { return }
    let entry = schema.messages + Int(field.pointee.type)
    guard let keyIndex = schema.fieldIndex(number: 1, in: entry),
      let valueIndex = schema.fieldIndex(number: 2, in: entry)
    else { throw WireError(field: "", problem: "is a map without keys or values") }
    let (keyField, valueField) = (schema.field(keyIndex, of: entry), schema.field(valueIndex, of: entry))
    var keys: Set<[UInt8]> = []
    repeat {
      guard reader.peek() == UInt8(ascii: "\"") else { throw reader.malformed }
      out.appendTag(field.pointee.number, .bytes)
      let start = out.beginLength()
      do throws(WireError) {
        try mapKey(keyField)
        guard keys.insert(Array(out.elements(from: start))).inserted else {
          throw WireError(field: "", problem: "is given twice")
        }
        try reader.expect(":")
      } catch { throw error.inside("key") }
      do throws(WireError) {
        try refuseNull(for: valueField)
        try single(valueField, isAlways: true, depth: depth)
      } catch { throw error.inside("value") }
      out.endLength(from: start)
    } while try reader.more(until: "}")
  }

  private mutating func refuseNull(for field: UnsafePointer<FieldLayout>) throws(WireError) {
    if reader.peek() == UInt8(ascii: "n") && !schema.hasNull(field) {
      throw WireError(field: "", problem: "must not be null")
    }
  }

  /// Reads one value and writes it with its tag. The default of a field without presence is not written.
  @inline(__always)
  mutating func single(
    _ field: UnsafePointer<FieldLayout>, isAlways: Bool, depth: Int
  ) throws(WireError) {
    let kind = field.pointee.kind
    switch kind {
    case .message:
      out.appendTag(field.pointee.number, .bytes)
      let start = out.beginLength()
      try message(field.pointee.type, depth: depth + 1)
      out.endLength(from: start)
    case .string:
      let text = try text("must be a string")
      guard !TextBytes.hasNUL(text) else { throw .holdsNUL }
      guard isAlways || !text.isEmpty else { return }
      out.appendTag(field.pointee.number, .bytes)
      out.appendVarint(UInt64(text.count))
      out.append(text)
    case .bytes: try base64(field, isAlways: isAlways)
    case .group: throw WireError(field: "", problem: "is a group")
    default:
      let bits = try number(field)
      guard isAlways || bits != 0 else { return }
      out.appendTag(field.pointee.number, kind.wireType)
      out.appendNumber(bits, kind.wireType)
    }
  }

  /// The string that follows.
  @inline(__always)
  mutating func text(_ otherwise: String) throws(WireError) -> UnsafeRawBufferPointer {
    guard reader.peek() == UInt8(ascii: "\"") else { throw mismatch(otherwise) }
    return try reader.string()
  }

  private mutating func base64(_ field: UnsafePointer<FieldLayout>, isAlways: Bool) throws(WireError) {
    let text = try text("must be a string in base64")
    guard isAlways || !text.isEmpty else { return }
    out.appendTag(field.pointee.number, .bytes)
    let start = out.beginLength()
    guard out.appendDecodedBase64(text) else { throw WireError(field: "", problem: "is not in base64") }
    out.endLength(from: start)
  }

  /// Why a value does not do: it is none, or one of another type.
  mutating func mismatch(_ problem: String) -> WireError {
    switch reader.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      WireError(field: "", problem: problem)
    default: reader.malformed
    }
  }
}

extension WireError {
  /// The name is the sender's: of a long one the beginning is told, and nothing that could break a line.
  static func unknownField(_ name: UnsafeRawBufferPointer) -> WireError {
    let shown = name.prefix(64).map { TextBytes.isPlain($0) ? $0 : UInt8(ascii: "?") }
    return WireError(field: String(decoding: shown, as: UTF8.self), problem: "is an unknown field")
  }
}
