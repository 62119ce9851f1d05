internal import WireCodec

extension JSONPrinter {
  /// Whether the value is the one that a field has which is not there.
  @inline(__always)
  func isDefault(_ occurrence: Occurrence, _ kind: FieldKind) -> Bool {
    switch kind {
    case .string, .bytes: occurrence.length == 0
    case .int32, .uint32, .enumeration, .sint32: UInt32(truncatingIfNeeded: occurrence.bits) == 0
    default: occurrence.bits == 0
    }
  }

  /// One value that is no message.
  @inline(__always)
  mutating func single(_ occurrence: Occurrence, _ field: UnsafePointer<FieldLayout>) throws(WireError) {
    switch field.pointee.kind {
    case .string: try string(bytes(occurrence))
    case .bytes: base64(bytes(occurrence))
    default: number(occurrence.bits, field.pointee.kind, field.pointee.type)
    }
  }

  mutating func defaultValue(_ field: UnsafePointer<FieldLayout>) {
    switch field.pointee.kind {
    case .string, .bytes: out.append("\"\"")
    default: number(0, field.pointee.kind, field.pointee.type)
    }
  }

  @inline(__always)
  mutating func number(_ bits: UInt64, _ kind: FieldKind, _ type: Int32) {
    switch kind {
    case .double: out.appendJSON(Double(bitPattern: bits))
    case .float: out.appendJSON(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .int32, .sfixed32: out.appendDecimal(Int64(Int32(truncatingIfNeeded: bits)))
    case .uint32, .fixed32: out.appendDecimal(UInt64(UInt32(truncatingIfNeeded: bits)))
    case .sint32: out.appendDecimal(Int64(Int32(truncatingIfNeeded: zigzag(UInt64(UInt32(truncatingIfNeeded: bits))))))
    case .int64, .sfixed64:
      out.append(UInt8(ascii: "\""))
      out.appendDecimal(Int64(bitPattern: bits))
      out.append(UInt8(ascii: "\""))
    case .sint64:
      out.append(UInt8(ascii: "\""))
      out.appendDecimal(zigzag(bits))
      out.append(UInt8(ascii: "\""))
    case .uint64, .fixed64:
      out.append(UInt8(ascii: "\""))
      out.appendDecimal(bits)
      out.append(UInt8(ascii: "\""))
    case .bool: if bits != 0 { out.append("true") } else { out.append("false") }
    case .enumeration: enumeration(Int32(truncatingIfNeeded: bits), type)
    case .string, .bytes, .message, .group: break
    }
  }

  /// A name, or the number of one that the schema does not know.
  private mutating func enumeration(_ number: Int32, _ type: Int32) {
    if schema.enums[Int(type)].isNull {
      out.append("null")
    } else if let name = schema.enumName(number, in: type) {
      out.append(name)
    } else {
      out.appendDecimal(Int64(number))
    }
  }

  @inline(__always)
  private func zigzag(_ bits: UInt64) -> Int64 { Int64(bitPattern: (bits >> 1) ^ (0 &- (bits & 1))) }

  /// A string in quotes; what is no control character, quote or backslash is written as it is.
  mutating func string(_ text: UnsafeRawBufferPointer) throws(WireError) {
    out.append(UInt8(ascii: "\""))
    guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self), !text.isEmpty else {
      out.append(UInt8(ascii: "\""))
      return
    }
    var index = TextBytes.plainCount(base, text.count)
    out.append(base, index)
    if index < text.count {
      guard TextBytes.isUTF8(text) else { throw .notUTF8 }
      repeat {
        let byte = base[index]
        if byte >= 0x80 { out.append(byte) } else { try escape(byte) }
        index += 1
        let plain = TextBytes.plainCount(base + index, text.count - index)
        out.append(base + index, plain)
        index += plain
      } while index < text.count
    }
    out.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) throws(WireError) {
    switch byte {
    case 0: throw .holdsNUL
    case UInt8(ascii: "\""): out.append("\\\"")
    case UInt8(ascii: "\\"): out.append("\\\\")
    case UInt8(ascii: "\n"): out.append("\\n")
    case UInt8(ascii: "\r"): out.append("\\r")
    case UInt8(ascii: "\t"): out.append("\\t")
    default:
      out.append(byte < 0x10 ? "\\u000" : "\\u001")
      let digit = byte & 0xF
      out.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// The standard alphabet, with padding.
  private mutating func base64(_ bytes: UnsafeRawBufferPointer) {
    out.append(UInt8(ascii: "\""))
    out.appendBase64(bytes)
    out.append(UInt8(ascii: "\""))
  }
}

extension WireError {
  // The words of WireCodec.
  static var notUTF8: WireError { WireError(field: "", problem: "is not valid UTF-8") }
  static var holdsNUL: WireError { WireError(field: "", problem: "holds a NUL character") }
}
