import ProtoJSON
import Testing
import WireCodec

/// RFC 8259, and nothing beside it.
@Suite struct JSONSyntaxTests {
  @Test(arguments: [
    "{}", " \t\r\n{ } \n", #"{ "aDouble" : 1 }"#, #"{"aDouble":1,"aFloat":2}"#, #"{"aDouble":-0.5e-3}"#,
    #"{"aDouble":1E5}"#, #"{"aDouble":0.0}"#, #"{"aDouble":0e1}"#,
  ])
  func validJSONIsTaken(json: String) throws { _ = try Mapping.message("Numbers").message(fromJSON: json) }

  @Test(arguments: [
    "", " ", "{", "}", "{}}", "{} {}", "{},", "\u{FEFF}{}", #"{"aDouble"}"#, #"{"aDouble":}"#, #"{"aDouble":1,}"#,
    #"{,"aDouble":1}"#, #"{"aDouble":1 "aFloat":1}"#, #"{"aDouble" 1}"#, #"{aDouble:1}"#, #"{'aDouble':1}"#,
    #"{"aDouble":01}"#, #"{"aDouble":-01}"#, #"{"aDouble":1.}"#, #"{"aDouble":.5}"#, #"{"aDouble":+1}"#,
    #"{"aDouble":-}"#,
    #"{"aDouble":1e}"#, #"{"aDouble":1e+}"#, #"{"aDouble":0x1}"#, #"{"aDouble":NaN}"#, #"{"aDouble":Infinity}"#,
    #"{"aDouble":-Infinity}"#, #"{"aDouble":1 /* one */}"#, "{\"aDouble\":1 // one\n}", #"{"aDouble":1;}"#,
    #"{"aBool":True}"#, #"{"aBool":tru}"#, #"{"aBool":truee}"#, #"{"aBool":fals"#, #"{"aBool":nul}"#,
    #"{"aBool":nullnull}"#,
    "{\u{A0}}", "{\u{0B}}", "{\u{0}}", "{}\u{0}", #"{"aDouble":1"#, #"{"aDouble":1]"#, #"{"aDouble":undefined}"#,
    #"{"a"#,
    #"{"aString":"\"#, #"{"aString":'a'}"#,
  ])
  func whatIsNoJSONIsRefused(json: String) throws {
    let type = try Mapping.message("Numbers")
    let error = #expect(throws: WireError.self) { try type.message(fromJSON: json) }
    #expect(error?.problem.hasPrefix("is not valid JSON") == true, "\(error?.problem ?? "")")
  }

  @Test(arguments: ["[]", "1", "\"a\"", "null", "true"])
  func aMessageIsAnObject(json: String) throws {
    let type = try Mapping.message("Numbers")
    #expect(throws: WireError(field: "", problem: "must be an object")) { try type.message(fromJSON: json) }
  }

  @Test(arguments: ["[1,]", "[,1]", "[1 2]", "[1", "[1}", "[01]"])
  func malformedArraysAreRefused(array: String) throws {
    let type = try Mapping.message("Lists")
    let error = #expect(throws: WireError.self) { try type.message(fromJSON: #"{"doubles":\#(array)}"#) }
    #expect(error?.problem.hasPrefix("is not valid JSON") == true)
  }

  /// In an Any, values are first read over.
  @Test(arguments: [
    "{", "[", "[1,]", "{\"a\":1,}", "{\"a\"}", "tru", "01", "\"\\ud800\"", "{1:2}", "nul", "-", "\"a", "[1 2]",
    "{\"a\":1]",
  ])
  func whatIsNoJSONIsRefusedWhereNobodyLooksAtIt(value: String) throws {
    let type = try Mapping.message("WellKnown")
    let json = #"{"any":{"odd":\#(value),"@type":"x/google.protobuf.Empty"}}"#
    let error = #expect(throws: WireError.self) { try type.message(fromJSON: json) }
    #expect(error?.problem.hasPrefix("is not valid JSON") == true, "\(error?.problem ?? "")")
  }

  @Test func theFaultIsNamedByItsPlace() throws {
    let type = try Mapping.message("Numbers")
    #expect(throws: WireError(field: "", problem: "is not valid JSON at byte 2")) { try type.message(fromJSON: "{ 1") }
    #expect(throws: WireError(field: "a_double", problem: "is not valid JSON: it ends early")) {
      try type.message(fromJSON: #"{"aDouble":"#)
    }
  }
}
