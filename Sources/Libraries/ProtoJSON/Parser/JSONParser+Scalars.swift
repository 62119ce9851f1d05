internal import WireCodec

extension JSONParser {
  /// Reads a number, a bool or an enum: the bits that its wire type carries.
  mutating func number(_ field: UnsafePointer<FieldLayout>) throws(WireError) -> UInt64 {
    switch field.pointee.kind {
    case .bool: return try bool()
    case .enumeration: return try enumeration(field.pointee.type)
    case .double, .float: return try floatingPoint(field.pointee.kind)
    default:
      if reader.peek() != UInt8(ascii: "\"") { return try integer(jsonNumber(), field.pointee.kind) }
      guard let number = JSONNumber(whole: try reader.string()) else {
        throw WireError(field: "", problem: "is not a number")
      }
      return try integer(number, field.pointee.kind)
    }
  }

  /// A key, which is text whatever its type is, with its tag.
  mutating func mapKey(_ field: UnsafePointer<FieldLayout>) throws(WireError) {
    let kind = field.pointee.kind
    switch kind {
    case .string: try single(field, isAlways: true, depth: 0)
    case .bool:
      let text = try reader.string()
      let isTrue = TextBytes.equal(text, "true")
      guard isTrue || TextBytes.equal(text, "false") else {
        throw WireError(field: "", problem: "must be \"true\" or \"false\"")
      }
      out.appendTag(field.pointee.number, .varint)
      out.appendVarint(isTrue ? 1 : 0)
    default:
      let bits = try number(field)
      out.appendTag(field.pointee.number, kind.wireType)
      out.appendNumber(bits, kind.wireType)
    }
  }

  @inline(__always)
  private mutating func jsonNumber() throws(WireError) -> JSONNumber {
    switch reader.peek() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try reader.number()
    default: throw mismatch("must be a number")
    }
  }

  @inline(__always)
  private func integer(_ number: JSONNumber, _ kind: FieldKind) throws(WireError) -> UInt64 {
    do throws(JSONNumber.Misfit) {
      switch kind {
      case .int32, .int64, .sfixed64:
        let isShort = kind == .int32
        let range = isShort ? Int64(Int32.min)...Int64(Int32.max) : .min ... .max
        return UInt64(bitPattern: try number.signed(in: range))
      case .sfixed32:
        return UInt64(UInt32(truncatingIfNeeded: try number.signed(in: Int64(Int32.min)...Int64(Int32.max))))
      case .sint32: return zigzag(try number.signed(in: Int64(Int32.min)...Int64(Int32.max)))
      case .sint64: return zigzag(try number.signed(in: .min ... .max))
      case .uint32, .fixed32: return try number.unsigned(upTo: UInt64(UInt32.max))
      default: return try number.unsigned(upTo: .max)
      }
    } catch { throw WireError(error) }
  }

  private func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

  private mutating func bool() throws(WireError) -> UInt64 {
    switch reader.peek() {
    case UInt8(ascii: "t"):
      try reader.word("true")
      return 1
    case UInt8(ascii: "f"):
      try reader.word("false")
      return 0
    default: throw mismatch("must be true or false")
    }
  }

  /// By name or by number; numbers that the schema does not know are taken.
  private mutating func enumeration(_ type: Int32) throws(WireError) -> UInt64 {
    let layout = schema.enums[Int(type)]
    if layout.isNull, try reader.takeNull() { return 0 }
    let number: Int64
    if reader.peek() == UInt8(ascii: "\"") {
      guard let value = schema.find(try reader.string(), in: layout.names) else {
        throw WireError(field: "", problem: "is no name of its enum")
      }
      number = Int64(value)
    } else {
      let value = try jsonNumber()
      do throws(JSONNumber.Misfit) {
        number = try value.signed(in: Int64(Int32.min)...Int64(Int32.max))
      } catch { throw WireError(error) }
    }
    return UInt64(bitPattern: number)
  }

  @inline(__always)
  private mutating func floatingPoint(_ kind: FieldKind) throws(WireError) -> UInt64 {
    if reader.peek() != UInt8(ascii: "\"") { return try floatingPoint(jsonNumber(), kind) }
    let text = try reader.string()
    let special: Double
    if TextBytes.equal(text, "NaN") {
      special = .nan
    } else if TextBytes.equal(text, "Infinity") {
      special = .infinity
    } else if TextBytes.equal(text, "-Infinity") {
      special = -.infinity
    } else {
      guard let number = JSONNumber(whole: text) else { throw WireError(field: "", problem: "is not a number") }
      return try floatingPoint(number, kind)
    }
    return kind == .float ? UInt64(Float(special).bitPattern) : special.bitPattern
  }

  @inline(__always)
  private func floatingPoint(_ number: JSONNumber, _ kind: FieldKind) throws(WireError) -> UInt64 {
    do throws(JSONNumber.Misfit) {
      return kind == .float ? UInt64(try number.float().bitPattern) : try number.double().bitPattern
    } catch { throw WireError(error) }
  }
}

extension WireError {
  init(_ misfit: JSONNumber.Misfit) {
    self.init(field: "", problem: misfit == .notWhole ? "is not a whole number" : "is out of range")
  }
}
