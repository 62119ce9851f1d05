import ProtoJSON
import Testing
import WireCodec

/// The messages of google.protobuf that have a form of their own.
@Suite struct WellKnownTests {
  @Test(arguments: [
    #"{"time":"1970-01-01T00:00:00Z"}"#, #"{"time":"0001-01-01T00:00:00Z"}"#,
    #"{"time":"9999-12-31T23:59:59.999999999Z"}"#, #"{"time":"2026-11-24T09:30:00.500Z"}"#,
    #"{"time":"2026-11-24T09:30:00.000500Z"}"#, #"{"time":"2024-02-29T09:30:00.000000001Z"}"#,
    #"{"time":"1969-12-31T23:59:59.500Z"}"#,
    #"{"span":"0s"}"#, #"{"span":"1s"}"#, #"{"span":"-0.500s"}"#, #"{"span":"-1.000001s"}"#,
    #"{"span":"315576000000s"}"#, #"{"span":"-315576000000s"}"#, #"{"span":"0.000000001s"}"#,
    #"{"mask":""}"#, #"{"mask":"a,fooBar.bazQux1"}"#, #"{"empty":{}}"#,
    #"{"any":{}}"#, #"{"any":{"@type":"x/google.protobuf.Empty"}}"#,
    #"{"any":{"@type":"type.googleapis.com/trackme.test.mapping.Numbers","anInt32":1,"aString":"a"}}"#,
    #"{"any":{"@type":"x/google.protobuf.Timestamp","value":"1970-01-01T00:00:00Z"}}"#,
    #"{"any":{"@type":"x/google.protobuf.Any","value":{"@type":"x/google.protobuf.Int64Value","value":"5"}}}"#,
    #"{"anys":[{"@type":"x/google.protobuf.Struct","value":{"a":null}},{}]}"#,
    #"{"structure":{"a":null,"b":[1,"x",true,{}],"c":{"d":-0.5}}}"#, #"{"value":null}"#, #"{"value":1.5}"#,
    #"{"value":[null,[]]}"#, #"{"value":{"a":""}}"#, #"{"list":[]}"#, #"{"list":[false,null]}"#,
    #"{"values":[null,1,"a"]}"#, #"{"doubleValue":"NaN","floatValue":0.1,"int64Value":"0","uint64Value":"7"}"#,
    #"{"int32Value":0,"uint32Value":1,"boolValue":false,"stringValue":"","bytesValue":"AA=="}"#,
    #"{"times":["1970-01-01T00:00:01Z"],"int64Values":["1","0"]}"#,
  ])
  func theyAreWrittenAndReadAgain(json: String) throws {
    #expect(try Mapping.message("WellKnown").again(json) == json)
  }

  @Test(arguments: [
    (#"{"time":"2026-11-24T10:30:00+01:00"}"#, #"{"time":"2026-11-24T09:30:00Z"}"#),
    (#"{"time":"2026-11-23T23:59:00.5-00:01"}"#, #"{"time":"2026-11-24T00:00:00.500Z"}"#),
    (#"{"time":"0001-01-01T23:59:00+23:59"}"#, #"{"time":"0001-01-01T00:00:00Z"}"#),
    (#"{"time":"2026-11-24T09:30:00.1234567Z"}"#, #"{"time":"2026-11-24T09:30:00.123456700Z"}"#),
    (#"{"span":"1.5s"}"#, #"{"span":"1.500s"}"#), (#"{"span":"-0s"}"#, #"{"span":"0s"}"#),
    (#"{"int64Value":1e2,"time":null,"any":null,"structure":null,"int32Value":null}"#, #"{"int64Value":"100"}"#),
    (
      #"{"any":{"anInt32":1,"@type":"x/trackme.test.mapping.Numbers"}}"#,
      #"{"any":{"@type":"x/trackme.test.mapping.Numbers","anInt32":1}}"#
    ),
    (
      #"{"any":{"value":"1s","@type":"x/google.protobuf.Duration"}}"#,
      #"{"any":{"@type":"x/google.protobuf.Duration","value":"1s"}}"#
    ),
    (#"{"null":null}"#, "{}"),
  ])
  func otherFormsAreTaken(given: String, written: String) throws {
    #expect(try Mapping.message("WellKnown").again(given) == written)
  }

  @Test(arguments: [
    ("time", #""2026-11-24T09:30:00""#), ("time", #""2026-11-24t09:30:00Z""#), ("time", #""2026-11-24T09:30:00z""#),
    ("time", #""2026-11-24 09:30:00Z""#), ("time", #""2026-02-29T09:30:00Z""#), ("time", #""2026-13-01T09:30:00Z""#),
    ("time", #""2026-11-24T24:00:00Z""#), ("time", #""2026-11-24T09:30:60Z""#), ("time", #""2026-11-24T09:60:00Z""#),
    ("time", #""2026-11-24T09:30:00.Z""#), ("time", #""2026-11-24T09:30:00.1234567890Z""#),
    ("time", #""0000-12-31T23:59:59Z""#), ("time", #""0001-01-01T00:00:00+00:01""#),
    ("time", #""9999-12-31T23:59:59-00:01""#),
    ("time", #""2026-11-24T09:30:00+24:00""#), ("time", #""2026-11-24T09:30:00+01:60""#),
    ("time", #""2026-11-24T09:30:00+0100""#),
    ("time", #""2026-11-24T09:30:00Z ""#), ("time", #""10000-01-01T00:00:00Z""#), ("time", #""""#), ("time", "1"),
    ("time", "{}"),
    ("span", #""1""#), ("span", #""s""#), ("span", #"".5s""#), ("span", #""1.s""#), ("span", #""1.1234567890s""#),
    ("span", #""315576000001s""#), ("span", #""99999999999999999999s""#), ("span", #""+1s""#), ("span", #""--1s""#),
    ("span", #""1 s""#), ("span", "1"), ("mask", #""foo_bar""#), ("mask", #""a,,b""#), ("mask", #""a b""#),
    ("mask", "[]"),
    ("int64_value", #""x""#), ("int32_value", "1.5"), ("structure", "[]"), ("list", "{}"), ("list", "1"),
    ("empty", "[]"),
    ("any", "[]"), ("any.@type", #"{"a":1}"#), ("any.@type", #"{"@type":"trackme.test.mapping.Numbers"}"#),
    ("any.@type", #"{"@type":"x/trackme.test.mapping.None"}"#), ("any.@type", #"{"@type":1}"#),
    ("any.@type", #"{"@type":"x/google.protobuf.Empty","@type":"x/google.protobuf.Empty"}"#),
    ("any.@type", #"{"a":1,"@type":"x/google.protobuf.Duration","@type":"x/google.protobuf.Empty"}"#),
    ("any.@type", #"{"@type":"x/google.protobuf.Duration","value":"1s","@type":"x/google.protobuf.Empty"}"#),
    ("any.@type", #"{"@type":"x/google.protobuf.\u0000"}"#), ("any", #"{"@type":"x/google.protobuf.Empty",}"#),
    ("any", #"{"@type":"x/google.protobuf.Duration",}"#),
    ("any", #"{"@type":"x/google.protobuf.Duration","value":"1s",}"#),
    ("any.value", #"{"value":"1s","value":"1s","@type":"x/google.protobuf.Duration"}"#),
    ("any.value", #"{"@type":"x/google.protobuf.Timestamp"}"#),
    ("any.value", #"{"@type":"x/google.protobuf.Duration","value":1}"#),
    ("any.other", #"{"@type":"x/google.protobuf.Duration","value":"1s","other":1}"#),
    ("any.value", #"{"@type":"x/google.protobuf.Duration","value":"1s","value":"1s"}"#),
    ("any.value", #"{"@type":"x/trackme.test.mapping.Numbers","value":1}"#),
    ("any.an_int32", #"{"@type":"x/trackme.test.mapping.Numbers","anInt32":"x"}"#),
  ])
  func whatTheyAreNotIsRefused(field: String, value: String) throws {
    let type = try Mapping.message("WellKnown")
    let name = String(field.prefix { $0 != "." })
    let error = #expect(throws: WireError.self) { try type.message(fromJSON: #"{"\#(name)":\#(value)}"#) }
    #expect(error?.field == field)
  }

  @Test(arguments: [
    (Wire.bytes(1, Wire.number(1, 253_402_300_800)), "time.seconds"),
    (Wire.bytes(1, Wire.number(1, UInt64(bitPattern: -62_135_596_801))), "time.seconds"),
    (Wire.bytes(1, Wire.number(2, 1_000_000_000)), "time.nanos"),
    (Wire.bytes(1, Wire.number(2, UInt64(bitPattern: -1))), "time.nanos"),
    (Wire.bytes(2, Wire.number(1, 315_576_000_001)), "span.seconds"),
    (Wire.bytes(2, Wire.number(1, 1) + Wire.number(2, UInt64(bitPattern: -1))), "span.nanos"),
    (Wire.bytes(2, Wire.number(2, 1_000_000_000)), "span.nanos"),
    (Wire.bytes(3, Wire.text(1, "a") + Wire.text(1, "fooBar")), "mask.paths[1]"),
    (Wire.bytes(3, Wire.text(1, "foo__bar")), "mask.paths[0]"), (Wire.bytes(3, Wire.text(1, "foo_")), "mask.paths[0]"),
    (Wire.bytes(4, Wire.text(1, "x/none")), "any.type_url"), (Wire.bytes(4, Wire.text(2, "x")), "any.type_url"),
    (
      Wire.bytes(4, Wire.text(1, "x/trackme.test.mapping.Numbers") + Wire.bytes(2, [0x72, 1, 0xFF])),
      "any.value.a_string"
    ),
    (Wire.bytes(7, Wire.double(2, .nan)), "value.number_value"),
    (Wire.bytes(17, Wire.bytes(1, [0xFF])), "string_value.value"),
  ])
  func whatHasNoFormInJSONIsRefused(bytes: [UInt8], field: String) throws {
    let type = try Mapping.message("WellKnown")
    let error = #expect(throws: WireError.self) { try type.json(bytes) }
    #expect(error?.field == field)
  }

  @Test func valuesThatHoldNothingAreNull() throws {
    let type = try Mapping.message("WellKnown")
    #expect(try type.jsonText(Wire.bytes(7, [])) == #"{"value":null}"#)
    #expect(try type.jsonText(Wire.bytes(21, [])) == #"{"values":[null]}"#)
    // The member that came last.
    #expect(try type.jsonText(Wire.bytes(7, Wire.text(3, "a") + Wire.number(4, 1))) == #"{"value":true}"#)
    #expect(try type.jsonText(Wire.bytes(7, Wire.number(4, 1) + Wire.text(3, "a"))) == #"{"value":"a"}"#)
  }

  @Test func theyMayStandAlone() throws {
    let schema = try Mapping.schema.get()
    #expect(
      try schema.message("google.protobuf.Timestamp")?.again(#" "1970-01-01T00:00:01Z" "#) == #""1970-01-01T00:00:01Z""#
    )
    #expect(try schema.message("google.protobuf.Empty")?.again("{}") == "{}")
    #expect(try schema.message("google.protobuf.Value")?.again("null") == "null")
  }

  @Test func eachDayIsWrittenAndReadAgain() throws {
    let type = try #require(ProtoSchema.embedded.message("google.protobuf.Timestamp"))
    for day in stride(from: Int64(-719_162), through: 2_932_896, by: 37) {
      let message = Wire.number(1, UInt64(bitPattern: day * 86_400 + Int64(day.magnitude % 86_400)))
      #expect(try type.message(fromJSON: type.json(message)) == (day == 0 ? [] : message))
    }
  }
}
