import ProtoJSON
import Testing
import WireCodec

/// Fields of messages: names, presence, lists, maps, oneofs.
@Suite struct FieldTests {
  @Test(arguments: [
    ("Presence", #"{"maybeInt32":0,"maybeString":"","maybeColor":"COLOR_UNSPECIFIED"}"#),
    ("Presence", #"{"number":"0","other":false}"#), ("Presence", #"{"text":""}"#), ("Presence", #"{"numbers":{}}"#),
    ("Presence", #"{"nothing":null}"#), ("Presence", #"{"nested":{"nested":{"maybeInt32":1}}}"#),
    ("Presence", #"{"@odd name":3}"#), ("Presence", #"{"children":[{},{"children":[{}]}],"farAway":4}"#),
    (
      "Lists",
      #"{"doubles":[1,"NaN"],"floats":[0.1],"int32s":[-1,0],"int64s":["-1","0"],"uint32s":[1],"uint64s":["1"]}"#
    ),
    (
      "Lists", #"{"sint32s":[-1],"sint64s":["-1"],"fixed32s":[1],"fixed64s":["1"],"sfixed32s":[-1],"sfixed64s":["-1"]}"#
    ),
    ("Lists", #"{"bools":[true,false],"strings":["","a"],"manyBytes":["","AA=="],"colors":["COLOR_RED",5]}"#),
    ("Lists", #"{"messages":[{},{"anInt32":1}],"unpacked":["1","-1"]}"#),
    ("Maps", #"{"byInt32":{"-1":"a","0":""},"byInt64":{"-9223372036854775808":"AA=="},"byUint32":{"4294967295":1.5}}"#),
    (
      "Maps",
      #"{"byUint64":{"18446744073709551615":"COLOR_RED"},"bySint32":{"-7":true},"bySint64":{"-7":{"anInt32":1}}}"#
    ),
    ("Maps", #"{"byFixed32":{"7":0.1},"byFixed64":{"7":"-1"},"bySfixed32":{"-7":"1970-01-01T00:00:00Z"}}"#),
    ("Maps", #"{"bySfixed64":{"-7":9},"byBool":{"false":"0","true":"1"},"byString":{"":null,"a\"b":[1,{}]}}"#),
  ])
  func fieldsAreWrittenAndReadAgain(name: String, json: String) throws {
    #expect(try Mapping.message(name).again(json) == json)
  }

  @Test(arguments: [
    ("Presence", #"{"maybe_int32":1}"#, #"{"maybeInt32":1}"#),
    ("Presence", #"{"renamed":1}"#, #"{"@odd name":1}"#),
    ("Presence", #"{"\u006dayb\u0065Int32":1}"#, #"{"maybeInt32":1}"#),
    ("Presence", #"{"maybeInt32":null,"nested":null,"children":null,"number":null,"text":"a"}"#, #"{"text":"a"}"#),
    ("Presence", #"{"farAway":1,"maybeInt32":2}"#, #"{"maybeInt32":2,"farAway":1}"#),
    ("Lists", #"{"doubles":[],"strings":[ ]}"#, "{}"), ("Maps", #"{"byInt32":{},"byString":{ }}"#, "{}"),
    ("Maps", #"{"byInt32":{"1e1":"a"}}"#, #"{"byInt32":{"10":"a"}}"#),
  ])
  func otherFormsOfFieldsAreTaken(name: String, given: String, written: String) throws {
    #expect(try Mapping.message(name).again(given) == written)
  }

  @Test(arguments: [
    ("Presence", #"{"maybeInt32":1,"odd":2}"#, "odd", "is an unknown field"),
    ("Presence", #"{"nested":{"children":[{},{"odd":2}]}}"#, "nested.children[1].odd", "is an unknown field"),
    ("Presence", #"{"maybeInt32":1,"maybe_int32":1}"#, "maybe_int32", "is given twice"),
    ("Presence", #"{"nested":null,"nested":null}"#, "nested", "is given twice"),
    ("Presence", #"{"text":"a","number":1}"#, "number", "is given beside another field of its oneof"),
    ("Presence", #"{"nothing":null,"text":"a"}"#, "text", "is given beside another field of its oneof"),
    ("Presence", #"{"nested":[]}"#, "nested", "must be an object"),
    ("Presence", #"{"nested":1}"#, "nested", "must be an object"),
    ("Presence", #"{"children":{}}"#, "children", "must be an array"),
    ("Presence", #"{"children":[null]}"#, "children[0]", "must not be null"),
    ("Presence", #"{"maybeString":1}"#, "maybe_string", "must be a string"),
    ("Lists", #"{"strings":["a","b",3]}"#, "strings[2]", "must be a string"),
    ("Lists", #"{"doubles":[1,null]}"#, "doubles[1]", "must not be null"),
    ("Lists", #"{"messages":[{},{"anInt32":1.5}]}"#, "messages[1].an_int32", "is not a whole number"),
    ("Maps", #"{"byInt32":{"1":"a","1.0":"b"}}"#, "by_int32.key", "is given twice"),
    ("Maps", #"{"byString":{"a":1,"\u0061":2}}"#, "by_string.key", "is given twice"),
    ("Maps", #"{"byInt32":{"x":"a"}}"#, "by_int32.key", "is not a number"),
    ("Maps", #"{"byBool":{"True":"1"}}"#, "by_bool.key", "must be \"true\" or \"false\""),
    ("Maps", #"{"byInt32":{"1":null}}"#, "by_int32.value", "must not be null"),
    ("Maps", #"{"byInt32":["1"]}"#, "by_int32", "must be an object"),
    ("Maps", #"{"byUint32":{"-1":1}}"#, "by_uint32.key", "is out of range"),
  ])
  func faultyFieldsAreNamedByTheirPath(name: String, given: String, field: String, problem: String) throws {
    let type = try Mapping.message(name)
    #expect(throws: WireError(field: field, problem: problem)) { try type.message(fromJSON: given) }
  }

  @Test func anUnknownNameIsCutInTheErrorAndBreaksNoLine() throws {
    let type = try Mapping.message("Presence")
    #expect(throws: WireError(field: "a?b?c", problem: "is an unknown field")) {
      try type.message(fromJSON: #"{"a\nb\"c":1}"#)
    }
    let error = #expect(throws: WireError.self) {
      try type.message(fromJSON: #"{"\#(String(repeating: "x", count: 10_000))":1}"#)
    }
    #expect(error?.field.count == 64)
  }

  @Test func defaultsAreWrittenOnlyWhereTheyDifferFromAbsence() throws {
    let defaults = #"{"aDouble":0,"anInt64":"0","aBool":false,"aString":"","someBytes":"","aColor":0}"#
    #expect(try Mapping.message("Numbers").message(fromJSON: defaults) == [])
    #expect(
      try Mapping.message("Presence").message(fromJSON: #"{"maybeInt32":0,"maybeString":""}"#) == [8, 0, 0x12, 0])
    #expect(try Mapping.message("Lists").message(fromJSON: #"{"strings":[""]}"#) == Wire.text(14, ""))
  }

  @Test func repeatedNumbersAreWrittenPackedUnlessTheFileSaysOtherwise() throws {
    let type = try Mapping.message("Lists")
    #expect(try type.message(fromJSON: #"{"int32s":[1,2]}"#) == [0x1A, 2, 1, 2])
    #expect(try type.message(fromJSON: #"{"unpacked":[1,2]}"#) == [0x90, 1, 2, 0x90, 1, 4])
  }

  @Test func lengthsOfEachSizeAreWritten() throws {
    let type = try Mapping.message("Presence")
    for count in [0, 1, 126, 127, 128, 129, 16_380, 16_384, 70_000, 2_100_000] {
      let text = String(repeating: "x", count: count)
      let inner = Wire.bytes(2, Array(text.utf8))
      let json = #"{"nested":{"maybeString":"\#(text)"}}"#
      #expect(try type.message(fromJSON: json) == Wire.bytes(10, inner))
      #expect(try type.jsonText(Wire.bytes(10, inner)) == json)
    }
  }
}
