internal import WireCodec

/// Resolves the names of descriptors and lays them out in tables.
struct SchemaBuilder {
  private(set) var messages: [MessageLayout] = []
  private(set) var fields: [FieldLayout] = []
  private(set) var numbers: [UInt16] = []
  private(set) var enums: [EnumLayout] = []
  private(set) var enumValues: [EnumValueLayout] = []
  private(set) var names = NameTableBuilder()
  /// The places of messages by their full names.
  private(set) var messageIndices: [String: Int32] = [:]
  private(set) var messageNames = NameTable(firstSlot: 0, mask: 0)
  private var enumIndices: [String: Int32] = [:]
  private var mapEntries: Set<String> = []

  /// How many bytes of JSON a byte of a message can become. A byte of packed numbers is at most a name of an enum; two
  /// bytes are at most a field with a value, of which a time is the longest but for names; a control character is six.
  var growth: Int {
    let longestName = Int(enumValues.map(\.quotedName.count).max() ?? 0)
    let longestKey = Int(fields.map(\.key.count).max() ?? 0)
    return max(6, longestName + 1, (max(longestKey, 8) + max(longestName, 40) + 3) / 2)
  }

  init(_ files: [FileDescriptor]) throws(WireError) {
    var found: [(message: MessageDescriptor, isProto3: Bool)] = []
    for file in files {
      guard file.syntax == "proto3" || file.syntax == "proto2" else {
        throw WireError(field: file.package, problem: "is in a file of syntax \(file.syntax), which is not known")
      }
      for enumeration in file.enums { try add(enumeration) }
      for message in file.messages { try collect(message, isProto3: file.syntax == "proto3", into: &found) }
    }
    for (message, isProto3) in found { messages.append(try layout(message, isProto3: isProto3)) }
    messageNames = names.table(messageIndices.map { ($0.key, $0.value) })
  }

  /// Messages first, without their fields, so that fields can refer to those that come later.
  private mutating func collect(
    _ message: MessageDescriptor, isProto3: Bool, into found: inout [(message: MessageDescriptor, isProto3: Bool)]
  ) throws(WireError) {
    guard messageIndices.updateValue(Int32(found.count), forKey: message.name) == nil else {
      throw WireError(field: message.name, problem: "is declared twice")
    }
    if message.isMapEntry { mapEntries.insert(message.name) }
    found.append((message, isProto3))
    for enumeration in message.enums { try add(enumeration) }
    for nested in message.messages { try collect(nested, isProto3: isProto3, into: &found) }
  }

  private mutating func add(_ enumeration: EnumDescriptor) throws(WireError) {
    guard enumIndices.updateValue(Int32(enums.count), forKey: enumeration.name) == nil else {
      throw WireError(field: enumeration.name, problem: "is declared twice")
    }
    var byNumber: [Int32: String] = [:]
    for value in enumeration.values where byNumber[value.number] == nil { byNumber[value.number] = value.name }
    let sorted = byNumber.sorted { $0.key < $1.key }
    enums.append(
      EnumLayout(
        firstValue: Int32(enumValues.count), valueCount: Int32(sorted.count),
        names: names.table(enumeration.values.map { ($0.name, $0.number) }),
        isNull: enumeration.name == "google.protobuf.NullValue"))
    for (number, name) in sorted {
      enumValues.append(EnumValueLayout(number: number, quotedName: names.text("\"\(name)\"")))
    }
  }

  private mutating func layout(_ message: MessageDescriptor, isProto3: Bool) throws(WireError) -> MessageLayout {
    let sorted = message.fields.sorted { $0.number < $1.number }
    guard sorted.count < UInt16.max, message.oneofCount <= Int16.max else {
      throw WireError(field: message.name, problem: "has too many fields")
    }
    for (one, next) in zip(sorted, sorted.dropFirst()) where one.number == next.number {
      throw WireError(field: "\(message.name).\(next.name)", problem: "has the number of another field")
    }
    let firstField = Int32(fields.count)
    for field in sorted {
      do throws(WireError) {
        fields.append(try layout(field, of: message, isProto3: isProto3))
      } catch { throw error.inside(message.name) }
    }
    // Small numbers are looked up in a table, the others are searched.
    let small = sorted.prefix { $0.number < 256 }
    let firstNumber = Int32(numbers.count)
    let numberCount = small.last.map { $0.number + 1 } ?? 0
    numbers += [UInt16](repeating: .max, count: Int(numberCount))
    for (index, field) in small.enumerated() { numbers[Int(firstNumber) + Int(field.number)] = UInt16(index) }
    let both = sorted.enumerated().flatMap { index, field in
      [(field.jsonName, Int32(index)), (field.name, Int32(index))]
    }
    return MessageLayout(
      name: names.text(message.name), firstField: firstField, fieldCount: Int32(sorted.count),
      firstNumber: firstNumber, numberCount: numberCount, names: names.table(both),
      oneofCount: Int32(message.oneofCount), wellKnown: WellKnownType(message.name))
  }

  private mutating func layout(
    _ field: FieldDescriptor, of message: MessageDescriptor, isProto3: Bool
  ) throws(WireError) -> FieldLayout {
    if let oneof = field.oneof, !(0..<message.oneofCount ~= oneof) {
      throw WireError(field: field.name, problem: "is in a oneof that is none")
    }
    let type: Int32
    switch field.kind {
    case .message: type = messageIndices[field.typeName] ?? -1
    case .enumeration: type = enumIndices[field.typeName] ?? -1
    // Old files have them; they fail when one is met.
    default: type = 0
    }
    guard type >= 0 else {
      throw WireError(field: field.name, problem: "is of type \(field.typeName), which is not in the set")
    }
    return FieldLayout(
      number: field.number, type: type, name: names.text(field.name), key: names.text("\"\(field.jsonName)\":"),
      // The oneof of a proto3 `optional` field has that one member, which can't be in conflict with another.
      oneof: field.oneof.map { Int16($0) } ?? -1, kind: field.kind, isRepeated: field.isRepeated,
      isMap: field.isRepeated && field.kind == .message && mapEntries.contains(field.typeName),
      isPacked: field.isRepeated && field.kind.wireType != .bytes && (field.isPacked ?? isProto3),
      hasPresence: field.kind == .message || field.oneof != nil || !isProto3)
  }
}

/// Collects texts, and tables that find them again.
struct NameTableBuilder {
  private(set) var slots: [NameSlot] = []
  private(set) var texts: [UInt8] = []

  mutating func text(_ text: String) -> TextRange {
    let start = UInt32(texts.count)
    texts += text.utf8
    return TextRange(start: start, count: UInt32(texts.count) - start)
  }

  /// A table of names; the first of two equal ones counts.
  mutating func table(_ entries: [(name: String, value: Int32)]) -> NameTable {
    var size: UInt32 = 2
    while size < 2 * UInt32(entries.count) { size *= 2 }
    let table = NameTable(firstSlot: UInt32(slots.count), mask: size - 1)
    slots += Array(repeating: NameSlot(name: TextRange(start: 0, count: 0), value: 0), count: Int(size))
    for (name, value) in entries where !name.isEmpty {
      var slot = Array(name.utf8).withUnsafeBytes { NameTable.hash($0) } & table.mask
      while slots[Int(table.firstSlot + slot)].name.count != 0 {
        if has(name, in: table.firstSlot + slot) { break }
        slot = (slot + 1) & table.mask
      }
      if slots[Int(table.firstSlot + slot)].name.count == 0 {
        slots[Int(table.firstSlot + slot)] = NameSlot(name: text(name), value: value)
      }
    }
    return table
  }

  private func has(_ name: String, in slot: UInt32) -> Bool {
    let range = slots[Int(slot)].name
    return texts[Int(range.start)..<Int(range.start + range.count)].elementsEqual(name.utf8)
  }
}
