internal import Domain
internal import WireCodec

// The messages of google.protobuf that have a form of their own in JSON. Fields are written by the numbers that
// protobuf has given them.

extension JSONParser {
  mutating func wellKnown(_ layout: UnsafePointer<MessageLayout>, depth: Int) throws(WireError) {
    switch layout.pointee.wellKnown {
    case .none: break
    case .timestamp:
      let text = try text("must be a time as text")
      guard let time = TimeText.timestamp(text) else {
        throw WireError(
          field: "", problem: "is not a time of the years 1 to 9999 such as \"2026-11-24T09:30:00.5Z\"")
      }
      append(seconds: time.seconds, nanos: time.nanos)
    case .duration:
      let text = try text("must be a duration as text")
      guard let span = TimeText.duration(text) else {
        throw WireError(field: "", problem: "is not a duration of up to 10,000 years such as \"1.5s\"")
      }
      append(seconds: span.seconds, nanos: span.nanos)
    case .fieldMask: try fieldMask()
    case .wrapper:
      guard let index = schema.fieldIndex(number: 1, in: layout) else { throw mismatch("has no form in JSON") }
      try refuseNull()
      try single(schema.field(index, of: layout), isAlways: false, depth: depth)
    case .any: try any(depth: depth)
    case .structure:
      guard let index = schema.fieldIndex(number: 1, in: layout) else { throw mismatch("has no form in JSON") }
      try map(schema.field(index, of: layout), depth: depth)
    case .listValue: try listValue(layout, depth: depth)
    case .value: try value(layout, depth: depth)
    }
  }

  private mutating func refuseNull() throws(WireError) {
    if reader.peek() == UInt8(ascii: "n") { throw WireError(field: "", problem: "must not be null") }
  }

  private mutating func append(seconds: Int64, nanos: Int64) {
    if seconds != 0 {
      out.appendTag(1, .varint)
      out.appendVarint(UInt64(bitPattern: seconds))
    }
    if nanos != 0 {
      out.appendTag(2, .varint)
      out.appendVarint(UInt64(bitPattern: nanos))
    }
  }

  private mutating func fieldMask() throws(WireError) {
    let text = try text("must be paths as text")
    guard !text.isEmpty else { return }
    for path in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      out.appendTag(1, .bytes)
      let start = out.beginLength()
      guard !path.isEmpty, FieldMaskText.appendSnakeCase(UnsafeRawBufferPointer(rebasing: path), to: &out) else {
        throw WireError(field: "", problem: "is not a list of paths in lowerCamelCase")
      }
      out.endLength(from: start)
    }
  }

  // MARK: Any

  private mutating func any(depth: Int) throws(WireError) {
    try beginObject()
    if reader.take("}") { return }
    // Its type has to be known before the fields can be read. Nearly all writers put it first.
    var hasFields = true
    var url = try leadingTypeURL()
    let isLeading = url != nil
    if isLeading { hasFields = try reader.more(until: "}") } else { url = try typeURL(depth: depth) }
    guard let url else { throw WireError(field: "@type", problem: "is missing") }
    let type = url.withUnsafeBytes { schema.message(url: $0) }
    guard let type else { throw WireError(field: "@type", problem: "names a message that is not known") }
    out.appendTag(1, .bytes)
    out.appendVarint(UInt64(url.count))
    url.withUnsafeBytes { out.append($0) }
    out.appendTag(2, .bytes)
    let start = out.beginLength()
    let layout = schema.messages + Int(type)
    if layout.pointee.wellKnown != .none {
      guard hasFields else { throw WireError(field: "value", problem: "is missing") }
      try anyValue(type, skipsType: !isLeading, depth: depth)
    } else {
      guard depth < nestingLimit else { throw .tooDeep }
      if hasFields { try fields(layout, skipsType: !isLeading, depth: depth + 1) }
    }
    out.endLength(from: start)
  }

  /// The type, if the object begins with it; otherwise nothing is read.
  private mutating func leadingTypeURL() throws(WireError) -> [UInt8]? {
    let begin = reader.at
    guard reader.peek() == UInt8(ascii: "\"") else { throw reader.malformed }
    guard TextBytes.equal(try reader.string(), "@type") else {
      reader.rewind(to: begin)
      return nil
    }
    return try typeURLValue()
  }

  /// The type, wherever it stands: reads over the whole object and comes back to its beginning.
  private mutating func typeURL(depth: Int) throws(WireError) -> [UInt8]? {
    let begin = reader.at
    var url: [UInt8]?
    repeat {
      guard reader.peek() == UInt8(ascii: "\"") else { throw reader.malformed }
      if TextBytes.equal(try reader.string(), "@type") {
        guard url == nil else { throw WireError(field: "@type", problem: "is given twice") }
        url = try typeURLValue()
      } else {
        try reader.expect(":")
        try reader.skipValue(depth: depth)
      }
    } while try reader.more(until: "}")
    // Within each other, they would be read over again and again.
    readAhead -= reader.at - begin
    guard readAhead >= 0 else { throw WireError(field: "@type", problem: "stands too often behind other fields") }
    reader.rewind(to: begin)
    return url
  }

  private mutating func typeURLValue() throws(WireError) -> [UInt8] {
    do throws(WireError) {
      try reader.expect(":")
      let text = try text("must be a string")
      guard !TextBytes.hasNUL(text) else { throw .holdsNUL }
      return Array(text)
    } catch { throw error.inside("@type") }
  }

  /// A message with a form of its own stands in an Any under "value". There is one name beside or before `@type`, and it
  /// can be no other.
  private mutating func anyValue(_ type: Int32, skipsType: Bool, depth: Int) throws(WireError) {
    var hasValue = false
    repeat {
      guard reader.peek() == UInt8(ascii: "\"") else { throw reader.malformed }
      let name = try reader.string()
      if TextBytes.equal(name, "@type") {
        try self.skipType(skipsType, depth: depth)
        continue
      }
      guard TextBytes.equal(name, "value") else { throw .unknownField(name) }
      do throws(WireError) {
        try reader.expect(":")
        guard !hasValue else { throw WireError(field: "", problem: "is given twice") }
        hasValue = true
        try message(type, depth: depth + 1)
      } catch { throw error.inside("value") }
    } while try reader.more(until: "}")
  }

  /// Goes on behind a type that has been read ahead; one that stood first must not come again.
  mutating func skipType(_ wasReadAhead: Bool, depth: Int) throws(WireError) {
    guard wasReadAhead else { throw WireError(field: "@type", problem: "is given twice") }
    try reader.expect(":")
    try reader.skipValue(depth: depth)
  }

  // MARK: ListValue and Value: any JSON

  private mutating func listValue(_ layout: UnsafePointer<MessageLayout>, depth: Int) throws(WireError) {
    guard let index = schema.fieldIndex(number: 1, in: layout) else { throw mismatch("has no form in JSON") }
    guard reader.take("[") else { throw mismatch("must be an array") }
    if reader.take("]") { return }
    var number = 0
    repeat {
      do throws(WireError) {
        try single(schema.field(index, of: layout), isAlways: true, depth: depth)
      } catch { throw error.inside("values", at: number) }
      number += 1
    } while try reader.more(until: "]")
  }

  /// The fields of Value, by what begins with the character that follows.
  private mutating func value(_ layout: UnsafePointer<MessageLayout>, depth: Int) throws(WireError) {
    let number: UInt32 =
      switch reader.peek() {
      case UInt8(ascii: "n"): 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): 2
      case UInt8(ascii: "\""): 3
      case UInt8(ascii: "t"), UInt8(ascii: "f"): 4
      case UInt8(ascii: "{"): 5
      case UInt8(ascii: "["): 6
      default: throw reader.malformed
      }
    guard let index = schema.fieldIndex(number: number, in: layout) else { throw mismatch("has no form in JSON") }
    try single(schema.field(index, of: layout), isAlways: true, depth: depth)
  }
}
