import ProtoJSON
import Testing
import WireCodec

/// Strings and bytes.
@Suite struct TextTests {
  private func string(_ json: String) throws -> String {
    try Mapping.message("Numbers").again(#"{"aString":\#(json)}"#)
  }

  @Test(arguments: [
    (#""plain""#, #""plain""#), (#""a\u0041\/\b\f\n\r\t\"\\""#, #""aA/\u0008\u000c\n\r\t\"\\""#),
    (#""\uD83C\uDFC3 🏃 è""#, #""🏃 🏃 è""#), (#""\u001f\u007f\u2028""#, "\"\\u001f\u{7F}\u{2028}\""),
    (#""eight by eight and \"more\" of it""#, #""eight by eight and \"more\" of it""#),
  ])
  func stringsAreWrittenAsTheyAreButForWhatJSONEscapes(given: String, written: String) throws {
    #expect(try string(given) == #"{"aString":\#(written)}"#)
  }

  @Test(arguments: [
    #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800\ud800""#, #""\u12g4""#, #""\x41""#, #""\u00"#, #""open"#,
    "\"line\nbreak\"", "\"tab\t\"", #""\"#,
  ])
  func stringsThatJSONDoesNotHaveAreRefused(given: String) throws {
    let error = #expect(throws: WireError.self) { try string(given) }
    #expect(error?.field == "a_string")
    #expect(error?.problem.hasPrefix("is not valid JSON") == true)
  }

  static let noUTF8: [[UInt8]] = [
    [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], Array("long enough ".utf8) + [0x80],
  ]

  @Test(arguments: noUTF8)
  func stringsThatAreNotUTF8AreRefusedBothWays(bytes: [UInt8]) throws {
    let type = try Mapping.message("Numbers")
    let expected = WireError(field: "a_string", problem: "is not valid UTF-8")
    #expect(throws: expected) { try type.json(Wire.bytes(14, bytes)) }
    #expect(throws: expected) { try type.message(fromJSON: Array(#"{"aString":""#.utf8) + bytes + Array("\"}".utf8)) }
    // With an escape in it too.
    #expect(throws: expected) {
      try type.message(fromJSON: Array(#"{"aString":"\n"#.utf8) + bytes + Array("\"}".utf8))
    }
  }

  @Test func aNULIsRefusedBothWays() throws {
    let type = try Mapping.message("Numbers")
    let expected = WireError(field: "a_string", problem: "holds a NUL character")
    #expect(throws: expected) { try type.json(Wire.bytes(14, [0x61, 0])) }
    #expect(throws: expected) { try type.message(fromJSON: #"{"aString":"a\u0000"}"#) }
  }

  @Test(arguments: [
    ("", ""), ("AA==", "AA=="), ("AA", "AA=="), ("AAE=", "AAE="), ("AAE", "AAE="), ("AAEC", "AAEC"), ("+/+/", "+/+/"),
    ("-_-_", "+/+/"), (#"\/\/\/\/"#, "////"), ("AB==", "AA=="),
  ])
  func bytesAreTakenInBothAlphabets(given: String, written: String) throws {
    let field = written.isEmpty ? "" : #""someBytes":"\#(written)""#
    #expect(try Mapping.message("Numbers").again(#"{"someBytes":"\#(given)"}"#) == "{\(field)}")
  }

  @Test(arguments: ["A", "AAAAA", "AA=", "AA===", "A===", "====", "=", "AA A", "AA\\n", "AA==AA==", "ä"])
  func whatIsNotInBase64IsRefused(given: String) throws {
    let type = try Mapping.message("Numbers")
    #expect(throws: WireError(field: "some_bytes", problem: "is not in base64")) {
      try type.message(fromJSON: #"{"someBytes":"\#(given)"}"#)
    }
  }

  @Test func bytesOfEachLengthComeBack() throws {
    let type = try Mapping.message("Numbers")
    for count in 1..<300 {
      let message = Wire.bytes(15, (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) })
      #expect(try type.message(fromJSON: type.json(message)) == message)
    }
  }
}
