internal import Domain
internal import WireCodec

// The messages of google.protobuf that have a form of their own in JSON.

extension JSONPrinter {
  mutating func wellKnown(
    _ layout: UnsafePointer<MessageLayout>, _ parts: Range<Int>, depth: Int
  ) throws(WireError) {
    let (first, oneofs) = (occurrences.count, oneofCount)
    try note(parts, layout, oneofs: oneofs)
    switch layout.pointee.wellKnown {
    case .none: break
    case .timestamp: try timestamp(number(1, layout, first), number(2, layout, first))
    case .duration: try duration(number(1, layout, first), number(2, layout, first))
    case .fieldMask: try fieldMask(first)
    case .wrapper: try wrapper(layout, first)
    case .any: try any(layout, first, depth: depth)
    case .structure: try structure(layout, first, depth: depth)
    case .listValue: try listValue(layout, first, depth: depth)
    case .value: try value(layout, first, oneofs: oneofs, depth: depth)
    }
    occurrences.removeLast(to: first)
    removeOneofs(to: oneofs)
  }

  /// The last of the fields of a number that were noted from `first` on.
  private func last(_ number: UInt32, _ layout: UnsafePointer<MessageLayout>, _ first: Int) -> Occurrence? {
    guard let index = schema.fieldIndex(number: number, in: layout) else { return nil }
    return (first..<occurrences.count).last { occurrences[$0].field == index }.map { occurrences[$0] }
  }

  private func number(_ number: UInt32, _ layout: UnsafePointer<MessageLayout>, _ first: Int) -> Int64 {
    last(number, layout, first).map { Int64(bitPattern: $0.bits) } ?? 0
  }

  private mutating func timestamp(_ seconds: Int64, _ nanosOnTheWire: Int64) throws(WireError) {
    let nanos = Int32(truncatingIfNeeded: nanosOnTheWire)
    guard let date = CalendarDate(daysSinceEpoch: Int(WellKnownRanges.day(of: seconds))) else {
      throw WireError(field: "seconds", problem: "are outside of the years 1 to 9999")
    }
    guard 0...999_999_999 ~= nanos else { throw WireError(field: "nanos", problem: "are not 0 to 999,999,999") }
    let second = UInt64(seconds - WellKnownRanges.day(of: seconds) * 86_400)
    out.append(UInt8(ascii: "\""))
    out.appendDigits(UInt64(date.year), 4)
    out.append(UInt8(ascii: "-"))
    out.appendDigits(UInt64(date.month), 2)
    out.append(UInt8(ascii: "-"))
    out.appendDigits(UInt64(date.day), 2)
    out.append(UInt8(ascii: "T"))
    out.appendDigits(second / 3_600, 2)
    out.append(UInt8(ascii: ":"))
    out.appendDigits(second / 60 % 60, 2)
    out.append(UInt8(ascii: ":"))
    out.appendDigits(second % 60, 2)
    fraction(UInt64(nanos))
    out.append("Z\"")
  }

  private mutating func duration(_ seconds: Int64, _ nanosOnTheWire: Int64) throws(WireError) {
    let nanos = Int64(Int32(truncatingIfNeeded: nanosOnTheWire))
    guard WellKnownRanges.durationSeconds ~= seconds else {
      throw WireError(field: "seconds", problem: "are more than 10,000 years")
    }
    guard -999_999_999...999_999_999 ~= nanos, seconds.signum() * nanos.signum() >= 0 else {
      throw WireError(field: "nanos", problem: "are more than 999,999,999, or have another sign than the seconds")
    }
    out.append(UInt8(ascii: "\""))
    if seconds < 0 || nanos < 0 { out.append(UInt8(ascii: "-")) }
    out.appendDecimal(seconds.magnitude)
    fraction(nanos.magnitude)
    out.append("s\"")
  }

  /// Nothing, or 3, 6 or 9 digits.
  private mutating func fraction(_ nanos: UInt64) {
    guard nanos > 0 else { return }
    out.append(UInt8(ascii: "."))
    if nanos % 1_000_000 == 0 {
      out.appendDigits(nanos / 1_000_000, 3)
    } else if nanos % 1_000 == 0 {
      out.appendDigits(nanos / 1_000, 6)
    } else {
      out.appendDigits(nanos, 9)
    }
  }

  /// Paths in lowerCamelCase, with commas. One that can't be read back from that is refused.
  private mutating func fieldMask(_ first: Int) throws(WireError) {
    out.append(UInt8(ascii: "\""))
    for place in first..<occurrences.count {
      if place > first { out.append(UInt8(ascii: ",")) }
      guard FieldMaskText.appendLowerCamelCase(bytes(occurrences[place]), to: &out) else {
        throw WireError(field: "paths[\(place - first)]", problem: "has no form in JSON")
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  private mutating func wrapper(_ layout: UnsafePointer<MessageLayout>, _ first: Int) throws(WireError) {
    guard let index = schema.fieldIndex(number: 1, in: layout) else { return out.append("null") }
    let field = schema.field(index, of: layout)
    if let occurrence = last(1, layout, first) {
      do throws(WireError) { try single(occurrence, field) } catch { throw error.inside("value") }
    } else {
      defaultValue(field)
    }
  }

  // MARK: Any

  private mutating func any(
    _ layout: UnsafePointer<MessageLayout>, _ first: Int, depth: Int
  ) throws(WireError) {
    let url = last(1, layout, first)
    let content = last(2, layout, first) ?? Occurrence(field: 0, isSwitch: false, length: 0, bits: 0)
    guard let url, url.length > 0 else {
      guard content.length == 0 else { throw WireError(field: "type_url", problem: "is missing") }
      return out.append("{}")
    }
    guard let type = schema.message(url: bytes(url)) else {
      throw WireError(field: "type_url", problem: "names a message that is not known")
    }
    out.append("{\"@type\":")
    do throws(WireError) { try string(bytes(url)) } catch { throw error.inside("type_url") }
    // Noted for those who write it; it goes with the rest of this message.
    occurrences.append(content)
    let part = occurrences.count - 1..<occurrences.count
    do throws(WireError) {
      let inner = schema.messages + Int(type)
      if inner.pointee.wellKnown != .none {
        out.append(",\"value\":")
        try message(type, part, depth: depth + 1)
      } else {
        guard depth < nestingLimit else { throw .tooDeep }
        try fields(inner, part, depth: depth + 1)
      }
    } catch { throw error.inside("value") }
    out.append(UInt8(ascii: "}"))
  }

  // MARK: Struct, ListValue and Value: any JSON

  private mutating func structure(
    _ layout: UnsafePointer<MessageLayout>, _ first: Int, depth: Int
  ) throws(WireError) {
    out.append(UInt8(ascii: "{"))
    if occurrences.count > first, let index = schema.fieldIndex(number: 1, in: layout) {
      try mapEntries(schema.field(index, of: layout), first..<occurrences.count, depth: depth)
    }
    out.append(UInt8(ascii: "}"))
  }

  private mutating func listValue(
    _ layout: UnsafePointer<MessageLayout>, _ first: Int, depth: Int
  ) throws(WireError) {
    out.append(UInt8(ascii: "["))
    let end = occurrences.count
    if end > first, let index = schema.fieldIndex(number: 1, in: layout) {
      let type = schema.field(index, of: layout).pointee.type
      for place in first..<end {
        separate()
        do throws(WireError) {
          try message(type, place..<place + 1, depth: depth + 1)
        } catch { throw error.inside("values", at: place - first) }
      }
    }
    out.append(UInt8(ascii: "]"))
  }

  private mutating func value(
    _ layout: UnsafePointer<MessageLayout>, _ first: Int, oneofs: Int, depth: Int
  ) throws(WireError) {
    let end = occurrences.count
    // Of those that were noted, those of the member that was set last.
    guard let set = member(oneofs), let start = (first..<end).first(where: { occurrences[$0].field == set }) else {
      return out.append("null")
    }
    let stop = (first..<end).last { occurrences[$0].field == set }! + 1
    let field = schema.field(set, of: layout)
    do throws(WireError) {
      if field.pointee.kind == .message {
        let place = (start..<stop).last { occurrences[$0].isSwitch } ?? start
        return try message(field.pointee.type, place..<stop, depth: depth + 1)
      }
      let occurrence = occurrences[stop - 1]
      if field.pointee.kind == .double && !Double(bitPattern: occurrence.bits).isFinite {
        throw WireError(field: "", problem: "is no number of JSON")
      }
      try single(occurrence, field)
    } catch { throw error.inside(schema.string(field.pointee.name)) }
  }
}
