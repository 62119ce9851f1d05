import ProtoJSON
import TestSupport
import Testing
import WireCodec

/// What nobody means well with: the process stays, and what comes out is bounded by what came in.
@Suite struct HostileBytesTests {
  private static let names = ["Numbers", "Lists", "Maps", "Presence", "WellKnown"]

  /// Good messages, as JSON, of which damaged ones are made.
  private static let samples: [String: [String]] = [
    "Numbers": [
      #"{"aDouble":1.5,"aFloat":2,"anInt32":-3,"anInt64":"-4","aBool":true,"aString":"aé\n","someBytes":"AAEC","aColor":"COLOR_RED"}"#
    ],
    "Lists": [
      #"{"doubles":[1,2.5],"int64s":["1","-1"],"strings":["a","b"],"colors":["COLOR_FAR",5],"messages":[{},{"anInt32":7}]}"#
    ],
    "Maps": [
      #"{"byInt32":{"1":"a","2":"b"},"bySint64":{"-1":{"aString":"x"}},"byBool":{"true":"5"},"byString":{"k":[1,null]}}"#
    ],
    "Presence": [
      #"{"maybeInt32":0,"numbers":{"aUint32":1},"nested":{"text":"t","nested":{"children":[{},{}]}},"farAway":1}"#
    ],
    "WellKnown": [
      #"{"time":"2026-11-24T09:30:00.5Z","span":"-1.5s","mask":"fooBar,a","any":{"@type":"x/trackme.test.mapping.Numbers","anInt32":1}}"#,
      #"{"structure":{"a":[1,{"b":null}]},"value":"x","list":[1],"int64Value":"1","boolValue":false,"times":["1970-01-01T00:00:00Z"]}"#,
    ],
  ]
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "null", "true", "-", "1e9", "\\u", "\\ud800", "\"@type\":", "\"value\":", "{}",
    "[]",
    "0", ".5", "\"x/google.protobuf.Any\"", "\"x/google.protobuf.Value\"", "\u{0}", "é",
  ].map { Array($0.utf8) }

  /// The same choices again with the seed that is printed.
  private func generator() -> SeededGenerator {
    let seed = UInt64.random(in: 0 ... .max)
    print("HostileBytesTests: seed \(seed)")
    return SeededGenerator(seed: seed)
  }

  private func damage(_ bytes: inout [UInt8], _ pieces: [[UInt8]], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2 where place < bytes.count: bytes.remove(at: place)
    case 3: bytes.removeSubrange(place...)
    case 4:
      let other = random.pick(pieces)
      bytes.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &random)), at: place)
    default: bytes.insert(contentsOf: random.pick(pieces), at: place)
    }
  }

  /// JSON has one null: a field without presence that holds another number than 0 is lost with it.
  private func withoutNull(_ json: [UInt8]) -> String {
    let null = #""null":null"#
    return String(decoding: json, as: UTF8.self).replacing("\(null),", with: "").replacing(",\(null)", with: "")
      .replacing(null, with: "")
  }

  @Test func damagedMessagesAreRefusedOrBecomeJSONThatIsReadAgain() throws {
    var random = generator()
    let schema = try Mapping.schema.get()
    let samples = try Self.names.flatMap { name in
      let type = try Mapping.message(name)
      return try Self.samples[name, default: []].map { (type, try type.message(fromJSON: $0)) }
    }
    let good = samples.map(\.1)
    var taken = 0
    for _ in 0..<100_000 {
      var (type, bytes) = random.pick(samples)
      if random.chance(0.1) { type = random.pick(samples).0 }
      if random.chance(0.1) { bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) } }
      for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, good, &random) }
      do throws(WireError) {
        let json = try type.json(bytes)
        taken += 1
        if json.count > schema.growth * bytes.count + 64 { Issue.record("\(type.name) grows: \(bytes)") }
        guard random.chance(0.2) else { continue }
        do throws(WireError) {
          let again = try type.json(type.message(fromJSON: json))
          if withoutNull(again) != withoutNull(json) { Issue.record("\(type.name) changes: \(bytes)") }
        } catch { Issue.record("\(type.name): \(error) in the JSON of \(bytes)") }
      } catch {}
    }
    // Enough of them reach the insides.
    #expect(taken > 4_000)
  }

  @Test func damagedJSONIsRefusedOrBecomesAMessage() throws {
    var random = generator()
    var taken = 0
    let all = Self.samples.flatMap { name, texts in texts.map { (name, Array($0.utf8)) } }.sorted { $0.0 < $1.0 }
    let types = Dictionary(uniqueKeysWithValues: try Self.names.map { ($0, try Mapping.message($0)) })
    for _ in 0..<100_000 {
      var (name, json) = random.pick(all)
      for _ in 0..<Int.random(in: 1...2, using: &random) { damage(&json, Self.pieces, &random) }
      do throws(WireError) {
        let message = try types[name]!.message(fromJSON: json)
        taken += 1
        if message.count > 8 * json.count { Issue.record("\(name) grows: \(json)") }
        guard random.chance(0.2) else { continue }
        do throws(WireError) { _ = try types[name]!.json(message) } catch {
          Issue.record("\(name): \(error) in the message of \(String(decoding: json, as: UTF8.self))")
        }
      } catch {}
    }
    #expect(taken > 2_000)
  }

  @Test func theWorstMessagesGrowAsMuchAsIsSaidAndNoMore() throws {
    let schema = try Mapping.schema.get()
    let type = try Mapping.message("Lists")
    // A byte is an enum's name.
    let colors = Wire.bytes(16, [UInt8](repeating: 0, count: 10_000))
    let json = try type.json(colors)
    #expect(json.count > 18 * colors.count && json.count <= schema.growth * colors.count + 64)
    let times = try Mapping.message("WellKnown").json((0..<20_000).flatMap { _ in Wire.bytes(19, []) })
    #expect(times.count > 20_000 * 20 && times.count <= schema.growth * 60_000 + 64)
    // The names of the API are not so long that a message could fill memory.
    #expect(ProtoSchema.embedded.growth <= 80)
    // The other way.
    let wrappers =
      Array(#"{"int64Values":["#.utf8) + (0..<10_000).flatMap { _ in Array("-1,".utf8) } + Array("1]}".utf8)
    #expect(try Mapping.message("WellKnown").message(fromJSON: wrappers).count <= 8 * wrappers.count)
  }

  @Test func aLongNameOfAnEnumIsInWhatIsSaid() throws {
    let field = Wire.text(1, "f") + [0x18, 1, 0x20, 3, 0x28, 14] + Wire.text(6, ".E")
    let value = Wire.text(1, String(repeating: "X", count: 300)) + [0x10, 0]
    let schema = try ProtoSchema(
      Wire.bytes(
        1,
        Wire.text(12, "proto3") + Wire.bytes(4, Wire.text(1, "M") + Wire.bytes(2, field))
          + Wire.bytes(5, Wire.text(1, "E") + Wire.bytes(2, value))))
    let message = Wire.bytes(1, [UInt8](repeating: 0, count: 1_000))
    let json = try #require(schema.message("M")).json(message)
    #expect(json.count > 300_000 && json.count <= schema.growth * message.count + 64)
  }

  @Test func aHundredMessagesMayStandWithinEachOtherAndNoMore() throws {
    let type = try Mapping.message("Presence")
    func json(_ depth: Int) -> String {
      String(repeating: #"{"nested":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
    }
    func message(_ depth: Int) -> [UInt8] { (1..<depth).reduce([]) { inner, _ in Wire.bytes(10, inner) } }
    #expect(try type.message(fromJSON: json(100)) == message(100))
    #expect(try type.jsonText(message(100)) == json(100))
    let deepJSON = #expect(throws: WireError.self) { try type.message(fromJSON: json(101)) }
    #expect(deepJSON?.problem == "stands deeper than 100 messages within each other")
    #expect(deepJSON?.field == Array(repeating: "nested", count: 100).joined(separator: "."))
    let deepMessage = #expect(throws: WireError.self) { try type.json(message(101)) }
    #expect(deepMessage?.problem == "stands deeper than 100 messages within each other")
    #expect(throws: WireError.self) { try type.message(fromJSON: json(100_000)) }
    #expect(throws: WireError.self) { try type.json(message(2_000)) }
  }

  @Test(arguments: [
    ("value", "[", "]"), ("structure", #"{"a":"#, "}"), ("any", #"{"@type":"x/google.protobuf.Any","value":"#, "}"),
    ("any", #"{"value":"#, #","@type":"x/google.protobuf.Any"}"#),
  ])
  func whatHasAFormOfItsOwnIsAsDeepAtMost(field: String, open: String, close: String) throws {
    let type = try Mapping.message("WellKnown")
    func json(_ depth: Int) -> String {
      let inner = field == "any" ? "{}" : "null"
      return #"{"\#(field)":"# + String(repeating: open, count: depth) + (field == "value" && depth > 0 ? "" : inner)
        + String(repeating: close, count: depth) + "}"
    }
    let shallow = field == "structure" ? #"{"structure":{"a":{"a":null}}}"# : json(10)
    #expect(try type.again(shallow).isEmpty == false)
    for depth in [101, 5_000] {
      let error = #expect(throws: WireError.self) { try type.message(fromJSON: json(depth)) }
      #expect(error?.problem == "stands deeper than 100 messages within each other")
    }
  }

  @Test func typesAreReadAheadForATimeInProportionToTheJSON() throws {
    let type = try Mapping.message("WellKnown")
    func json(_ count: Int) -> String {
      let inner = #"{"@type":"x/google.protobuf.StringValue","value":"\#(String(repeating: "x", count: 100_000))"}"#
      let end = #","@type":"x/google.protobuf.Any"}"#
      return #"{"any":"# + String(repeating: #"{"value":"#, count: count) + inner + String(repeating: end, count: count)
        + "}"
    }
    #expect(try type.message(fromJSON: json(3)).count > 100_000)
    let error = #expect(throws: WireError.self) { try type.message(fromJSON: json(6)) }
    #expect(error?.problem == "stands too often behind other fields")
    // Where it stands first, nothing is read ahead.
    let leading = #"{"any":"# + String(repeating: #"{"@type":"x/google.protobuf.Any","value":"#, count: 90)
    let text = String(repeating: "x", count: 100_000)
    let last = #"{"@type":"x/google.protobuf.StringValue","value":"\#(text)"}"# + String(repeating: "}", count: 91)
    #expect(try type.again(leading + last) == leading + last)
  }

  @Test func theMessageInAnAnyCountsToo() throws {
    let type = try Mapping.message("WellKnown")
    func json(anys: Int) -> String {
      #"{"any":"# + String(repeating: #"{"@type":"x/google.protobuf.Any","value":"#, count: anys - 1)
        + #"{"@type":"x/trackme.test.mapping.Numbers","anInt32":1}"# + String(repeating: "}", count: anys)
    }
    func message(anys: Int) -> [UInt8] {
      let innermost = Wire.text(1, "x/trackme.test.mapping.Numbers") + Wire.bytes(2, Wire.number(3, 1))
      return Wire.bytes(
        4, (1..<anys).reduce(innermost) { inner, _ in Wire.text(1, "x/google.protobuf.Any") + Wire.bytes(2, inner) })
    }
    // The outermost message, 98 times Any, Numbers.
    #expect(try type.message(fromJSON: json(anys: 98)) == message(anys: 98))
    #expect(try type.jsonText(message(anys: 98)) == json(anys: 98))
    #expect(throws: WireError.self) { try type.message(fromJSON: json(anys: 99)) }
    #expect(throws: WireError.self) {
      try type.message(fromJSON: json(anys: 99).replacing(#","anInt32":1"#, with: ""))
    }
    #expect(throws: WireError.self) { try type.json(message(anys: 99)) }
  }

  @Test func deepAnysAndValuesOnTheWireAreRefused() throws {
    let type = try Mapping.message("WellKnown")
    var (any, list) = ([UInt8](), [UInt8]())
    for _ in 0..<300 {
      any = Wire.text(1, "x/google.protobuf.Any") + Wire.bytes(2, any)
      list = Wire.bytes(6, Wire.bytes(1, list))
    }
    for message in [Wire.bytes(4, any), Wire.bytes(7, list)] {
      let error = #expect(throws: WireError.self) { try type.json(message) }
      #expect(error?.problem == "stands deeper than 100 messages within each other")
    }
  }

  @Test func manyPiecesInAnyOrderTakeTimeInProportion() throws {
    let type = try Mapping.message("Presence")
    // Members of a oneof by turns, pieces of one message by turns with another field: a quarter of a million of each.
    let turns = (0..<250_000).flatMap { _ in Wire.bytes(6, [0x18, 1]) + [0x20, 1] }
    #expect(try type.jsonText(turns) == #"{"number":"1"}"#)
    let pieces = (0..<250_000).flatMap { _ in Wire.bytes(10, [0x08, 1]) + [0x58, 1] }
    #expect(try type.jsonText(pieces) == #"{"nested":{"maybeInt32":1},"@odd name":1}"#)
    let entries = (0..<100_000).flatMap { Wire.bytes(1, Wire.number(1, UInt64($0 % 50_000))) }
    #expect(try Mapping.message("Maps").json(entries).count > 50_000 * 8)
  }
}
