import ProtoJSON
import Testing
import WireCodec

@Suite struct ProtoSchemaTests {
  @Test func everyMethodOfTheAPIIsKnownWithItsMessages() throws {
    let schema = ProtoSchema.embedded
    let push = try #require(schema.method("/trackme.ingest.v1.IngestService/PushReadings"))
    #expect(push.input.name == "trackme.ingest.v1.PushReadingsRequest")
    #expect(push.output.name == "trackme.ingest.v1.PushReadingsResponse")
    #expect(push.isClientStreaming && push.isServerStreaming && !push.hasNoSideEffects)
    let watch = try #require(schema.method("/trackme.races.v1.LiveService/WatchRace"))
    #expect(!watch.isClientStreaming && watch.isServerStreaming)
    // As many as the files declare.
    let declared = try DescriptorSet(DescriptorSet.embeddedBytes).files.flatMap(\.symbols)
    for method in schema.methods {
      #expect(declared.contains(String(method.path.dropFirst().replacing("/", with: "."))))
    }
    #expect(Set(schema.methods.map(\.path)).count == schema.methods.count && schema.methods.count > 100)
    #expect(schema.method("/trackme.ingest.v1.IngestService/None") == nil)
    #expect(schema.method("trackme.ingest.v1.IngestService/PushReadings") == nil)
  }

  @Test func methodsWithoutSideEffectsAreKnown() throws {
    let methods = try Mapping.schema.get().methods
    #expect(methods.map(\.path) == ["/trackme.test.mapping.Mapping/Read", "/trackme.test.mapping.Mapping/Write"])
    #expect(methods.map(\.hasNoSideEffects) == [true, false])
    #expect(methods.map(\.isServerStreaming) == [true, false])
    #expect(methods.map(\.isClientStreaming) == [false, true])
  }

  @Test func messagesAreFoundByTheirFullNames() throws {
    #expect(ProtoSchema.embedded.message("trackme.readings.v1.Reading")?.name == "trackme.readings.v1.Reading")
    #expect(ProtoSchema.embedded.message("google.rpc.BadRequest.FieldViolation") != nil)
    #expect(ProtoSchema.embedded.message(".trackme.readings.v1.Reading") == nil)
    #expect(ProtoSchema.embedded.message("Reading") == nil)
  }

  @Test func everyMessageOfTheAPICanBeEmpty() throws {
    for name in ProtoSchema.embedded.messageNames {
      let type = try #require(ProtoSchema.embedded.message(name))
      let json = try type.json([])
      #expect(try type.message(fromJSON: json) == [], "\(name)")
    }
  }

  @Test func aReadingIsWrittenAsClientsExpectIt() throws {
    let type = try #require(ProtoSchema.embedded.message("trackme.readings.v1.Reading"))
    let reading = Trackme_Readings_V1_Reading(
      personID: 7, metric: "heart_rate", timeUs: 1_790_000_000_000_000, value: .scalar(72.5))
    let json = #"{"personId":"7","metric":"heart_rate","timeUs":"1790000000000000","scalar":72.5}"#
    #expect(try type.jsonText(reading.encoded()) == json)
    #expect(try Trackme_Readings_V1_Reading.decode(type.message(fromJSON: json)) == reading)
  }

  @Test func detailsOfErrorsAreWrittenWithTheirType() throws {
    let type = try #require(ProtoSchema.embedded.message("google.rpc.Status"))
    let info = Google_Rpc_ErrorInfo(reason: "NOT_YOURS", domain: "trackme", metadata: [.init(key: "a", value: "b")])
    let any = Google_Protobuf_Any(typeURL: "type.googleapis.com/google.rpc.ErrorInfo", value: info.encoded())
    let status = Google_Rpc_Status(code: 7, message: "no", details: [any])
    let json =
      #"{"code":7,"message":"no","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"NOT_YOURS","#
      + #""domain":"trackme","metadata":{"a":"b"}}]}"#
    #expect(try type.jsonText(status.encoded()) == json)
    #expect(try type.message(fromJSON: json) == status.encoded())
  }

  @Test(
    arguments: [
      ([0x0A, 5, 1], "is cut off"),
      // A message with a field of a type that is not there.
      (
        Wire.bytes(
          1,
          Wire.text(12, "proto3")
            + Wire.bytes(
              4, Wire.text(1, "M") + Wire.bytes(2, Wire.text(1, "f") + [0x18, 1, 0x28, 11] + Wire.text(6, ".N")))),
        "is of type N, which is not in the set"
      ),
      (
        Wire.bytes(1, Wire.text(12, "editions") + Wire.text(2, "p")),
        "is in a file of syntax editions, which is not known"
      ),
      (
        Wire.bytes(1, Wire.text(12, "proto3") + Wire.bytes(4, Wire.text(1, "M")) + Wire.bytes(4, Wire.text(1, "M"))),
        "is declared twice"
      ),
      (
        Wire.bytes(1, Wire.bytes(6, Wire.text(1, "S") + Wire.bytes(2, Wire.text(1, "R") + Wire.text(2, ".X")))),
        "takes or returns a message that is not in the set"
      ),
      (
        Wire.bytes(1, Wire.bytes(4, Wire.text(1, "M") + Wire.bytes(2, Wire.text(1, "f") + [0x18, 1, 0x28, 99]))),
        "has an unknown type"
      ),
    ] as [([UInt8], String)])
  func aSetThatDoesNotFitTogetherIsRefused(set: [UInt8], problem: String) throws {
    let error = #expect(throws: WireError.self) { try ProtoSchema(set) }
    #expect(error?.problem == problem)
  }

  @Test func declarationsNestABoundedNumberOfTimes() {
    func set(_ depth: Int) -> [UInt8] {
      let message = (1..<depth).reduce(Wire.text(1, "M")) { inner, _ in Wire.text(1, "M") + Wire.bytes(3, inner) }
      return Wire.bytes(1, Wire.bytes(4, message))
    }
    #expect(throws: Never.self) { try ProtoSchema(set(100)) }
    #expect(throws: WireError.self) { try ProtoSchema(set(101)) }
  }

  @Test func damagedSetsDoNoHarm() throws {
    let set = DescriptorSet.embeddedBytes
    for place in stride(from: 0, to: set.count, by: 997) {
      var damaged = set
      damaged[place] ^= 0x15
      guard let schema = try? ProtoSchema(damaged) else { continue }
      #expect(schema.messageNames.isEmpty == false)
    }
  }
}
