internal import WireCodec

extension JSONPrinter {
  /// Writes a field that stands in `group`, unless it holds its default.
  mutating func write(
    _ field: UnsafePointer<FieldLayout>, _ group: Range<Int>, depth: Int
  ) throws(WireError) {
    if field.pointee.isMap { return try map(field, group, depth: depth) }
    if field.pointee.isRepeated { return try elements(field, group, depth: depth) }
    do throws(WireError) {
      if field.pointee.kind == .message {
        var parts = group
        // Rarely more than one: then what came before another member of the oneof is void.
        if group.count > 1, let start = group.last(where: { occurrences[$0].isSwitch }) {
          parts = start..<group.upperBound
        }
        key(field)
        return try message(field.pointee.type, parts, depth: depth + 1)
      }
      // The last one counts.
      let occurrence = occurrences[group.upperBound - 1]
      if !field.pointee.hasPresence && isDefault(occurrence, field.pointee.kind) { return }
      key(field)
      try single(occurrence, field)
    } catch { throw error.inside(schema.string(field.pointee.name)) }
  }

  /// The name of a field, behind a comma where it is not the first one.
  @inline(__always)
  mutating func key(_ field: UnsafePointer<FieldLayout>) {
    separate()
    out.append(schema.bytes(field.pointee.key))
  }

  /// A comma, unless the object or array has just begun.
  @inline(__always)
  mutating func separate() {
    let last = out[out.count - 1]
    if last != UInt8(ascii: "{") && last != UInt8(ascii: "[") { out.append(UInt8(ascii: ",")) }
  }

  private mutating func elements(
    _ field: UnsafePointer<FieldLayout>, _ group: Range<Int>, depth: Int
  ) throws(WireError) {
    var index = 0
    do throws(WireError) {
      for place in group {
        let occurrence = occurrences[place]
        if field.pointee.isPackable && !occurrence.isNumber {
          try packed(occurrence, field, &index)
        } else {
          begin(element: &index, of: field)
          if field.pointee.kind == .message {
            try message(field.pointee.type, place..<place + 1, depth: depth + 1)
          } else {
            try single(occurrence, field)
          }
        }
      }
    } catch { throw error.inside(schema.string(field.pointee.name), at: max(index - 1, 0)) }
    if index > 0 { out.append(UInt8(ascii: "]")) }
  }

  private mutating func packed(
    _ occurrence: Occurrence, _ field: UnsafePointer<FieldLayout>, _ index: inout Int
  ) throws(WireError) {
    let (kind, type) = (field.pointee.kind, field.pointee.type)
    let wireType = kind.wireType
    var cursor = WireCursor(bytes(occurrence))
    while !cursor.isAtEnd {
      begin(element: &index, of: field)
      number(try cursor.number(wireType), kind, type)
    }
  }

  /// What stands before an element of an array: the name before the first one, so that no empty array is written.
  @inline(__always)
  private mutating func begin(element index: inout Int, of field: UnsafePointer<FieldLayout>) {
    if index == 0 {
      key(field)
      out.append(UInt8(ascii: "["))
    } else {
      out.append(UInt8(ascii: ","))
    }
    index += 1
  }

  /// The entries of a map, in the order in which they came; of several of one key the last.
  private mutating func map(
    _ field: UnsafePointer<FieldLayout>, _ group: Range<Int>, depth: Int
  ) throws(WireError) {
    key(field)
    out.append(UInt8(ascii: "{"))
    try mapEntries(field, group, depth: depth)
    out.append(UInt8(ascii: "}"))
  }

  /// The entries alone.
  mutating func mapEntries(
    _ field: UnsafePointer<FieldLayout>, _ group: Range<Int>, depth: Int
  ) throws(WireError) {
    let entry = schema.messages + Int(field.pointee.type)
    guard let keyIndex = schema.fieldIndex(number: 1, in: entry),
      let valueIndex = schema.fieldIndex(number: 2, in: entry)
    else { throw WireError(field: schema.string(field.pointee.name), problem: "is a map without keys or values") }
    let (keyField, valueField) = (schema.field(keyIndex, of: entry), schema.field(valueIndex, of: entry))
    var lastPlaces: [[UInt8]: Int] = [:]
    for place in group where group.count > 1 { lastPlaces[try mapKey(place, entry, keyField, group)] = place }
    for place in group {
      if group.count > 1, lastPlaces[try mapKey(place, entry, keyField, group)] != place { continue }
      do throws(WireError) {
        try mapEntry(place, entry, keyIndex, keyField, valueField, depth: depth)
      } catch { throw error.inside(schema.string(field.pointee.name), at: place - group.lowerBound) }
    }
  }

  private mutating func mapEntry(
    _ place: Int, _ entry: UnsafePointer<MessageLayout>, _ keyIndex: UInt16, _ keyField: UnsafePointer<FieldLayout>,
    _ valueField: UnsafePointer<FieldLayout>, depth: Int
  ) throws(WireError) {
    let first = occurrences.count
    try note(place..<place + 1, entry, oneofs: 0)
    var middle = first
    while middle < occurrences.count, occurrences[middle].field == keyIndex { middle += 1 }
    separate()
    try mapKeyText(middle > first ? occurrences[middle - 1] : nil, keyField)
    out.append(UInt8(ascii: ":"))
    do throws(WireError) {
      if valueField.pointee.kind == .message {
        try message(valueField.pointee.type, middle..<occurrences.count, depth: depth + 1)
      } else if middle < occurrences.count {
        try single(occurrences[occurrences.count - 1], valueField)
      } else {
        defaultValue(valueField)
      }
    } catch { throw error.inside("value") }
    occurrences.removeLast(to: first)
  }

  /// The text of an entry's key, by which keys are told apart.
  private mutating func mapKey(
    _ place: Int, _ entry: UnsafePointer<MessageLayout>, _ keyField: UnsafePointer<FieldLayout>, _ group: Range<Int>
  ) throws(WireError) -> [UInt8] {
    let (first, length) = (occurrences.count, out.count)
    try note(place..<place + 1, entry, oneofs: 0)
    let keyNumber = keyField.pointee.number
    let last = (first..<occurrences.count).last {
      schema.field(occurrences[$0].field, of: entry).pointee.number == keyNumber
    }
    try mapKeyText(last.map { occurrences[$0] }, keyField)
    let text = Array(out.elements(from: length))
    out.removeLast(to: length)
    occurrences.removeLast(to: first)
    return text
  }

  /// Keys are text in JSON, whatever they are on the wire.
  private mutating func mapKeyText(
    _ occurrence: Occurrence?, _ field: UnsafePointer<FieldLayout>
  ) throws(WireError) {
    do throws(WireError) {
      let begin = out.count
      if let occurrence { try single(occurrence, field) } else { defaultValue(field) }
      guard out[begin] != UInt8(ascii: "\"") else { return }
      let text = Array(out.elements(from: begin))
      out.removeLast(to: begin)
      out.append(UInt8(ascii: "\""))
      text.withUnsafeBytes { out.append($0) }
      out.append(UInt8(ascii: "\""))
    } catch { throw error.inside("key") }
  }
}
