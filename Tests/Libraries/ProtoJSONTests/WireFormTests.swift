import ProtoJSON
import Testing
import WireCodec

/// Forms in which the wire format lets a message arrive.
@Suite struct WireFormTests {
  private func json(_ name: String, _ bytes: [UInt8]...) throws -> String {
    try Mapping.message(name).jsonText(bytes.flatMap { $0 })
  }

  @Test func packedAndUnpackedNumbersAreReadInTheirOrder() throws {
    #expect(try json("Lists", [0x1A, 2, 1, 2], Wire.number(3, 3), [0x1A, 1, 4]) == #"{"int32s":[1,2,3,4]}"#)
    #expect(
      try json("Lists", Wire.number(3, 1), Wire.number(13, 1), Wire.number(3, 2)) == #"{"int32s":[1,2],"bools":[true]}"#
    )
    #expect(try json("Lists", Wire.bytes(18, [1, 2])) == #"{"unpacked":["-1","1"]}"#)
    #expect(try json("Lists", [0x1A, 0]) == "{}")
  }

  @Test func ofSeveralNumbersOfAFieldTheLastOneCounts() throws {
    #expect(
      try json("Numbers", Wire.number(3, 1), Wire.text(14, "a"), Wire.number(3, 2)) == #"{"anInt32":2,"aString":"a"}"#)
    #expect(try json("Numbers", Wire.number(3, 1), Wire.number(3, 0)) == "{}")
  }

  @Test func piecesOfAMessageAreMerged() throws {
    let one = Wire.bytes(10, Wire.number(1, 1) + Wire.bytes(300, []))
    let two = Wire.bytes(10, Wire.number(1, 2) + Wire.text(2, "a") + Wire.bytes(300, Wire.number(1, 3)))
    #expect(
      try json("Presence", one, Wire.number(11, 7), two)
        == #"{"nested":{"maybeInt32":2,"maybeString":"a","children":[{},{"maybeInt32":3}]},"@odd name":7}"#)
    // Pieces of pieces.
    #expect(
      try json("Presence", Wire.bytes(10, one), Wire.bytes(10, two + two))
        == #"{"nested":{"nested":{"maybeInt32":2,"maybeString":"a","children":[{},{"maybeInt32":3},{"maybeInt32":3}]}}}"#
    )
  }

  @Test func theLastMemberOfAOneofCounts() throws {
    #expect(try json("Presence", Wire.number(4, 1), Wire.text(5, "a")) == #"{"text":"a"}"#)
    #expect(try json("Presence", Wire.text(5, "a"), Wire.number(4, 1)) == #"{"number":"1"}"#)
    // What the message held before another member came is void, what came after is merged.
    let (first, second) = (Wire.bytes(6, Wire.number(3, 1)), Wire.bytes(6, Wire.number(5, 2)))
    #expect(try json("Presence", first, second) == #"{"numbers":{"anInt32":1,"aUint32":2}}"#)
    #expect(try json("Presence", first, Wire.number(4, 1), second, second) == #"{"numbers":{"aUint32":2}}"#)
    #expect(
      try json("Presence", Wire.bytes(6, []), Wire.number(9, 1), Wire.bytes(6, [])) == #"{"numbers":{},"other":true}"#)
  }

  @Test func unknownFieldsAreSkipped() throws {
    let unknown = Wire.number(900, 1) + Wire.bytes(901, [1, 2]) + Wire.double(902, 1) + [0xBD, 0x38, 1, 2, 3, 4]
    #expect(try json("Numbers", unknown, Wire.number(3, 1), unknown) == #"{"anInt32":1}"#)
  }

  @Test func entriesOfAMapMayBeIncompleteAndOfOneKeyTheLastCounts() throws {
    #expect(try json("Maps", Wire.bytes(1, [])) == #"{"byInt32":{"0":""}}"#)
    #expect(try json("Maps", Wire.bytes(4, [])) == #"{"byUint64":{"0":"COLOR_UNSPECIFIED"}}"#)
    #expect(try json("Maps", Wire.bytes(6, Wire.number(1, 2))) == #"{"bySint64":{"1":{}}}"#)
    #expect(try json("Maps", Wire.bytes(9, [])) == #"{"bySfixed32":{"0":"1970-01-01T00:00:00Z"}}"#)
    func entry(_ key: UInt64, _ value: String) -> [UInt8] { Wire.bytes(1, Wire.text(2, value) + Wire.number(1, key)) }
    #expect(try json("Maps", entry(1, "a"), entry(2, "b"), entry(1, "c")) == #"{"byInt32":{"2":"b","1":"c"}}"#)
    #expect(
      try json("Maps", Wire.bytes(6, Wire.bytes(2, Wire.number(3, 1)) + Wire.bytes(2, Wire.number(5, 1))))
        == #"{"bySint64":{"0":{"anInt32":1,"aUint32":1}}}"#)
  }

  @Test func longerVarintsThanNeededAreTaken() throws {
    #expect(try json("Numbers", [0x18, 0x81, 0x80, 0x00]) == #"{"anInt32":1}"#)
    #expect(try json("Numbers", [0x98, 0x00, 0x01]) == #"{"anInt32":1}"#)
  }

  @Test(
    arguments: [
      ([0x18], "an_int32", "is cut off"), ([0x18, 0x80], "an_int32", "is cut off"), ([0x80], "", "is cut off"),
      ([0x18] + [UInt8](repeating: 0x80, count: 10) + [1], "an_int32", "holds a varint of more than 64 bits"),
      ([0x18] + [UInt8](repeating: 0xFF, count: 9) + [2], "an_int32", "holds a varint of more than 64 bits"),
      ([0x72, 5, 0x61], "a_string", "is cut off"), ([0x09, 1, 2, 3], "a_double", "is cut off"),
      ([0x15, 1, 2, 3], "a_float", "is cut off"),
      ([0x72] + [UInt8](repeating: 0xFF, count: 9) + [1], "a_string", "is cut off"),
      ([0x08, 1], "a_double", "has the wire type of another kind of field"),
      ([0x1A, 1, 1], "an_int32", "has the wire type of another kind of field"),
      ([0x70, 1], "a_string", "has the wire type of another kind of field"),
      ([0x1B, 0x1C], "", "holds a group"), ([0x1C], "", "holds a group"),
      ([0xA3, 0x38, 0xA4, 0x38], "", "holds a group"),
      ([0x1E], "", "holds a field of no wire type"), ([0x00, 1], "", "holds a field whose number is none"),
      ([0x80, 0x80, 0x80, 0x80, 0x10, 1], "", "holds a field whose number is none"),
      ([0xA2, 0x38, 9, 1], "", "is cut off"),
    ] as [([UInt8], String, String)])
  func damagedBytesAreRefused(bytes: [UInt8], field: String, problem: String) throws {
    let type = try Mapping.message("Numbers")
    #expect(throws: WireError(field: field, problem: problem)) { try type.json(bytes) }
  }

  @Test func damagedElementsAreNamedByTheirPath() throws {
    let type = try Mapping.message("Lists")
    let faulty = Wire.bytes(17, []) + Wire.bytes(17, Wire.bytes(14, [0xFF]))
    #expect(throws: WireError(field: "messages[1].a_string", problem: "is not valid UTF-8")) { try type.json(faulty) }
    #expect(throws: WireError(field: "doubles[1]", problem: "is cut off")) {
      try type.json(Wire.bytes(1, [0, 0, 0, 0, 0, 0, 0, 0, 1]))
    }
    let entry = Wire.bytes(1, Wire.number(1, 1) + Wire.bytes(2, [0xFF]))
    #expect(throws: WireError(field: "by_int32[0].value", problem: "is not valid UTF-8")) {
      try Mapping.message("Maps").json(entry)
    }
  }
}
