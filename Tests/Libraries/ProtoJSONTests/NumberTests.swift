import ProtoJSON
import TestSupport
import Testing
import WireCodec

/// Numbers, bools and enums in fields of their own.
@Suite struct NumberTests {
  /// What is written of a field, which is also read again.
  @Test(arguments: [
    #""aDouble":1.5"#, #""aDouble":-0.0"#, #""aDouble":"NaN""#, #""aDouble":"-Infinity""#, #""aDouble":5e-324"#,
    #""aDouble":1.7976931348623157e+308"#, #""aDouble":60.1695"#, #""aDouble":0.1"#, #""aDouble":123456789012.123"#,
    #""aDouble":99999999999.1234"#, #""aDouble":1e+16"#, #""aDouble":0.00012345"#, #""aDouble":1.5e-06"#,
    #""aDouble":0.00001"#,
    #""aFloat":0.1"#, #""aFloat":3.4028235e+38"#, #""aFloat":"Infinity""#, #""aFloat":16777216"#, #""aFloat":1e-45"#,
    #""anInt32":-2147483648"#, #""anInt32":2147483647"#, #""anInt64":"-9223372036854775808""#,
    #""anInt64":"9223372036854775807""#, #""aUint32":4294967295"#, #""aUint64":"18446744073709551615""#,
    #""aSint32":-2147483648"#, #""aSint32":2147483647"#, #""aSint64":"-9223372036854775808""#,
    #""aSint64":"9223372036854775807""#, #""aFixed32":4294967295"#, #""aFixed64":"18446744073709551615""#,
    #""aSfixed32":-2147483648"#, #""aSfixed64":"-9223372036854775808""#, #""aBool":true"#, #""aColor":"COLOR_FAR""#,
    #""aColor":"COLOR_BELOW""#, #""aColor":7"#, #""aColor":-2147483648"#,
  ])
  func numbersAreWrittenAndReadAgain(field: String) throws {
    #expect(try Mapping.message("Numbers").again("{\(field)}") == "{\(field)}")
  }

  /// What else is taken.
  @Test(arguments: [
    (#""anInt32":1e3"#, #""anInt32":1000"#), (#""anInt32":1.0"#, #""anInt32":1"#),
    (#""anInt32":"12""#, #""anInt32":12"#), (#""anInt32":"1E+1""#, #""anInt32":10"#),
    (#""anInt32":1200e-2"#, #""anInt32":12"#), (#""anInt32":-0"#, ""), (#""anInt32":0e999999999999999999999"#, ""),
    (#""anInt32":1.0000000000000000000000000000000000"#, #""anInt32":1"#),
    (#""aUint64":184467440737095516150e-1"#, #""aUint64":"18446744073709551615""#),
    (#""aUint64":18446744073709551615"#, #""aUint64":"18446744073709551615""#),
    (#""anInt64":9007199254740993"#, #""anInt64":"9007199254740993""#),
    (#""anInt64":9.223372036854775807e18"#, #""anInt64":"9223372036854775807""#),
    (#""aDouble":"1.5""#, #""aDouble":1.5"#), (#""aDouble":1e-400"#, ""), (#""aDouble":7"#, #""aDouble":7"#),
    (#""aDouble":0.30000000000000004"#, #""aDouble":0.30000000000000004"#),
    (#""aDouble":9007199254740993"#, #""aDouble":9007199254740992"#),
    (#""aDouble":9007199254740993e1"#, #""aDouble":9.007199254740994e+16"#),
    (#""aDouble":1e23"#, #""aDouble":1e+23"#), (#""aDouble":3e-23"#, #""aDouble":3e-23"#),
    // Just above half way between two floats, which the nearest double hides.
    (#""aFloat":1.00000005960464477540"#, #""aFloat":1.0000001"#),
    (#""aColor":"COLOR_CRIMSON""#, #""aColor":"COLOR_RED""#), (#""aColor":1"#, #""aColor":"COLOR_RED""#),
    (#""aColor":1000000.0"#, #""aColor":"COLOR_FAR""#), (#""aBool":false"#, ""), (#""a_bool":true"#, #""aBool":true"#),
    (#""anInt32":null"#, ""), (#""aDouble":0"#, ""), (#""aColor":"COLOR_UNSPECIFIED""#, ""),
  ])
  func otherFormsOfNumbersAreTaken(given: String, written: String) throws {
    #expect(try Mapping.message("Numbers").again("{\(given)}") == "{\(written)}")
  }

  @Test(arguments: [
    (#""anInt32":1.5"#, "anInt32", "is not a whole number"), (#""anInt32":2147483648"#, "anInt32", "is out of range"),
    (#""anInt32":-2147483649"#, "anInt32", "is out of range"), (#""anInt32":"""#, "anInt32", "is not a number"),
    (#""anInt32":" 1""#, "anInt32", "is not a number"), (#""anInt32":"0x1""#, "anInt32", "is not a number"),
    (#""anInt32":true"#, "anInt32", "must be a number"), (#""anInt32":[1]"#, "anInt32", "must be a number"),
    (#""anInt32":1e-1"#, "anInt32", "is not a whole number"),
    (#""anInt32":0.30000000000000000000000001"#, "anInt32", "is not a whole number"),
    (#""aUint32":-1"#, "aUint32", "is out of range"),
    (#""aUint64":18446744073709551616"#, "aUint64", "is out of range"),
    (#""aUint64":1e99999999999999999999999"#, "aUint64", "is out of range"),
    (#""anInt64":9223372036854775808"#, "anInt64", "is out of range"),
    (#""anInt64":"-9223372036854775809""#, "anInt64", "is out of range"),
    (#""aSint32":2147483648"#, "aSint32", "is out of range"),
    (#""aSfixed32":2147483648"#, "aSfixed32", "is out of range"),
    (#""aFixed32":4294967296"#, "aFixed32", "is out of range"), (#""aDouble":1e309"#, "aDouble", "is out of range"),
    (#""aFloat":3.5e38"#, "aFloat", "is out of range"), (#""aDouble":"nan""#, "aDouble", "is not a number"),
    (#""aDouble":"1.""#, "aDouble", "is not a number"), (#""aBool":"true""#, "aBool", "must be true or false"),
    (#""aBool":1"#, "aBool", "must be true or false"), (#""aColor":"RED""#, "aColor", "is no name of its enum"),
    (#""aColor":2147483648"#, "aColor", "is out of range"), (#""aColor":1.5"#, "aColor", "is not a whole number"),
  ])
  func numbersThatDoNotFitAreRefused(given: String, field: String, problem: String) throws {
    let type = try Mapping.message("Numbers")
    let name = try #require(
      [
        "anInt32": "an_int32", "aUint32": "a_uint32", "aUint64": "a_uint64", "anInt64": "an_int64",
        "aSint32": "a_sint32",
        "aSfixed32": "a_sfixed32", "aFixed32": "a_fixed32", "aDouble": "a_double", "aFloat": "a_float",
        "aBool": "a_bool", "aColor": "a_color",
      ][field])
    #expect(throws: WireError(field: name, problem: problem)) { try type.message(fromJSON: "{\(given)}") }
  }

  @Test func doublesHaveTheShortestDigitsThatReadTheSame() throws {
    var random = SeededGenerator(seed: 11)
    let type = try Mapping.message("Numbers")
    for round in 0..<50_000 {
      let value: Double =
        switch round % 4 {
        case 0: Double(bitPattern: random.next())
        case 1: Double(Int64.random(in: -1 << 50...1 << 50, using: &random)) / [1, 10, 1e3, 1e6, 1e8][round / 4 % 5]
        case 2: Double.random(in: -200...200, using: &random)
        default: (Double.random(in: 0...1e7, using: &random) * 1e4).rounded() / 1e4
        }
      guard value.isFinite, value != 0 else { continue }
      let text = String(try type.jsonText(Wire.double(1, value)).dropFirst(11).dropLast())
      #expect(Double(text) == value)
      #expect(digits(text) <= digits(value.description), "\(value) as \(text)")
    }
  }

  /// Significant digits.
  private func digits(_ text: String) -> Int {
    let mantissa = text.split(separator: "e")[0].filter(\.isNumber).drop { $0 == "0" }
    return String(mantissa.reversed()).drop { $0 == "0" }.count
  }

  @Test func floatsHaveTheShortestDigitsThatReadTheSame() throws {
    var random = SeededGenerator(seed: 12)
    let type = try Mapping.message("Numbers")
    for _ in 0..<20_000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard value.isFinite, value != 0 else { continue }
      let bits = (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
      let text = String(try type.jsonText([0x15] + bits).dropFirst(10).dropLast())
      #expect(Float(text) == value)
      #expect(digits(text) <= digits(value.description), "\(value) as \(text)")
      #expect(try type.message(fromJSON: "{\"aFloat\":\(text)}") == [0x15] + bits)
    }
  }

  @Test func numbersAreCutToTheirWidthAsOnTheWire() throws {
    let type = try Mapping.message("Numbers")
    #expect(try type.jsonText(Wire.number(3, 1 << 32 | 5)) == #"{"anInt32":5}"#)
    #expect(try type.jsonText(Wire.number(3, 1 << 32)) == "{}")
    #expect(try type.jsonText(Wire.number(5, .max)) == #"{"aUint32":4294967295}"#)
    #expect(try type.jsonText(Wire.number(13, 1 << 40)) == #"{"aBool":true}"#)
    #expect(try type.jsonText(Wire.number(16, .max)) == #"{"aColor":"COLOR_BELOW"}"#)
  }
}
