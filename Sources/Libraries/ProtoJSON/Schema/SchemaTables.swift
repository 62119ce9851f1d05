/// All messages and enums of a schema as plain values in memory of its own, so that the loops over a message count no
/// references. What refers to another thing does so by its place in one of the tables.
// Sendable: nothing is written after init.
final class SchemaTables: @unchecked Sendable {
  let view: SchemaView

  init(_ builder: SchemaBuilder) {
    view = SchemaView(
      messages: Self.copy(builder.messages), fields: Self.copy(builder.fields), numbers: Self.copy(builder.numbers),
      enums: Self.copy(builder.enums), enumValues: Self.copy(builder.enumValues),
      nameSlots: Self.copy(builder.names.slots), texts: Self.copy(builder.names.texts),
      messageNames: builder.messageNames)
  }

  deinit {
    view.messages.deallocate()
    view.fields.deallocate()
    view.numbers.deallocate()
    view.enums.deallocate()
    view.enumValues.deallocate()
    view.nameSlots.deallocate()
    view.texts.deallocate()
  }

  private static func copy<T: BitwiseCopyable>(_ values: [T]) -> UnsafePointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: max(values.count, 1))
    values.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { memory.initialize(from: start, count: source.count) }
    }
    return UnsafePointer(memory)
  }
}

/// Where the tables are. Good for as long as their `SchemaTables` lives.
struct SchemaView: BitwiseCopyable {
  let messages: UnsafePointer<MessageLayout>
  let fields: UnsafePointer<FieldLayout>
  let numbers: UnsafePointer<UInt16>
  let enums: UnsafePointer<EnumLayout>
  let enumValues: UnsafePointer<EnumValueLayout>
  let nameSlots: UnsafePointer<NameSlot>
  let texts: UnsafePointer<UInt8>
  /// The places of messages by their full names.
  let messageNames: NameTable

  @inline(__always)
  func bytes(_ range: TextRange) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: texts + Int(range.start), count: Int(range.count))
  }

  /// For errors.
  func string(_ range: TextRange) -> String { String(decoding: bytes(range), as: UTF8.self) }

  /// Whether null is a value of the field's type.
  @inline(__always)
  func hasNull(_ field: UnsafePointer<FieldLayout>) -> Bool {
    switch field.pointee.kind {
    case .message: messages[Int(field.pointee.type)].wellKnown == .value
    case .enumeration: enums[Int(field.pointee.type)].isNull
    default: false
    }
  }

  /// The message of a type URL: its full name stands behind the last slash.
  func message(url: UnsafeRawBufferPointer) -> Int32? {
    guard let slash = url.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return find(UnsafeRawBufferPointer(rebasing: url[(slash + 1)...]), in: messageNames)
  }

  @inline(__always)
  func field(_ index: UInt16, of layout: UnsafePointer<MessageLayout>) -> UnsafePointer<FieldLayout> {
    fields + Int(layout.pointee.firstField) + Int(index)
  }

  /// The field of a number, by its place in the message; nil if there is none.
  @inline(__always)
  func fieldIndex(number: UInt32, in layout: UnsafePointer<MessageLayout>) -> UInt16? {
    if number < layout.pointee.numberCount {
      let index = numbers[Int(layout.pointee.firstNumber) + Int(number)]
      return index == .max ? nil : index
    }
    return farFieldIndex(number, layout)
  }

  /// Fields stand in the order of their numbers.
  private func farFieldIndex(_ number: UInt32, _ layout: UnsafePointer<MessageLayout>) -> UInt16? {
    let start = fields + Int(layout.pointee.firstField)
    let index = Self.firstIndex(below: Int(layout.pointee.fieldCount)) { start[$0].number >= number }
    return index < layout.pointee.fieldCount && start[index].number == number ? UInt16(index) : nil
  }

  /// The name of an enum's number, in quotes; nil if it has none.
  @inline(__always)
  func enumName(_ number: Int32, in type: Int32) -> UnsafeRawBufferPointer? {
    let layout = enums[Int(type)]
    let values = enumValues + Int(layout.firstValue)
    // Most enums count from 0.
    if number >= 0, number < layout.valueCount, values[Int(number)].number == number {
      return bytes(values[Int(number)].quotedName)
    }
    let index = Self.firstIndex(below: Int(layout.valueCount)) { values[$0].number >= number }
    return index < layout.valueCount && values[index].number == number ? bytes(values[index].quotedName) : nil
  }

  /// What a name stands for: a field's place in its message, or the number of an enum; nil if it is no such name.
  @inline(__always)
  func find(_ name: UnsafeRawBufferPointer, in table: NameTable) -> Int32? {
    var slot = NameTable.hash(name) & table.mask
    while true {
      let entry = nameSlots[Int(table.firstSlot + slot)]
      if entry.name.count == 0 { return nil }
      if entry.name.count == name.count, equal(entry.name, name) { return entry.value }
      slot = (slot + 1) & table.mask
    }
  }

  @inline(__always)
  func equal(_ range: TextRange, _ text: UnsafeRawBufferPointer) -> Bool {
    guard range.count == text.count else { return false }
    let name = texts + Int(range.start)
    var index = 0
    while index < text.count {
      guard name[index] == text[index] else { return false }
      index += 1
    }
    return true
  }

  private static func firstIndex(below count: Int, where isReached: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
