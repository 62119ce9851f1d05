import Testing

@testable import trackme_generate

@Suite struct TypeScriptTests {
  private func field(
    _ name: String, _ json: String, _ number: Int32, _ kind: FieldKind, repeated: Bool = false, oneof: Int? = nil,
    comment: String = ""
  ) -> ProtoField {
    ProtoField(
      name: name, jsonName: json, number: number, kind: kind, isRepeated: repeated, oneof: oneof,
      isProto3Optional: false, comment: comment)
  }

  private func message(
    _ name: String, _ fields: [ProtoField], oneofs: [ProtoOneof] = [], isMapEntry: Bool = false, comment: String = ""
  ) -> ProtoMessage {
    ProtoMessage(
      fullName: name, isNested: false, isMapEntry: isMapEntry, comment: comment, fields: fields, oneofs: oneofs)
  }

  private func file(
    _ package: String, _ messages: [ProtoMessage], enums: [ProtoEnum] = [], services: [ProtoService] = []
  ) -> ProtoFile {
    ProtoFile(
      name: package.replacing(".", with: "/") + "/x.proto", package: package, isProto3: true, dependencies: [],
      messages: messages, enums: enums, services: services)
  }

  private func source(_ files: ProtoFile..., module: String = "x_v1.ts") throws -> String {
    try #require(TypeScriptModules(files).sources()[module])
  }

  @Test(
    arguments: [
      (FieldKind.int32, "number"), (.uint32, "number"), (.int64, "Int64"), (.uint64, "Uint64"), (.double, "Double"),
      (.float, "Double"), (.bool, "boolean"), (.string, "string"), (.bytes, "Bytes"),
      (.message("google.protobuf.Timestamp"), "Timestamp"), (.message("google.protobuf.Duration"), "Duration"),
      (.message("trackme.x.v1.Other"), "Other"), (.message("trackme.x.v1.Other.Inner"), "Other_Inner"),
    ])
  func aFieldHasTheTypeThatItHasInJSON(kind: FieldKind, type: String) throws {
    let others = [message("trackme.x.v1.Other", []), message("trackme.x.v1.Other.Inner", [])]
    let fields = [field("one_field", "oneField", 1, kind), field("many", "many", 2, kind, repeated: true)]
    let text = try source(file("trackme.x.v1", [message("trackme.x.v1.M", fields)] + others))
    #expect(text.contains("export interface M {\n  oneField?: \(type);\n  many?: \(type)[];\n}\n"))
    let isAlias = ["Int64", "Uint64", "Double", "Bytes", "Timestamp", "Duration"].contains(type)
    #expect(text.contains("import type { \(type) } from \"../json/scalars.js\";") == isAlias)
  }

  @Test func aMapIsOneObject() throws {
    let entry = message(
      "trackme.x.v1.M.LimitsEntry", [field("key", "key", 1, .int64), field("value", "value", 2, .bytes)],
      isMapEntry: true)
    let map = field("limits", "limits", 1, .message("trackme.x.v1.M.LimitsEntry"), repeated: true)
    let text = try source(file("trackme.x.v1", [message("trackme.x.v1.M", [map]), entry]))
    #expect(text.contains("  limits?: { [key: string]: Bytes };\n"))
    #expect(!text.contains("LimitsEntry"))
  }

  @Test func theMembersOfAOneofExcludeEachOther() throws {
    let fields = [
      field("id", "id", 1, .string), field("left", "left", 2, .bool, oneof: 0, comment: " left is a side.\n"),
      field("right", "right", 3, .string, oneof: 0), field("alone", "alone", 4, .bool, oneof: 1),
    ]
    let oneofs = [ProtoOneof(name: "side", comment: " side of it.\n"), ProtoOneof(name: "has_alone", comment: "")]
    let text = try source(file("trackme.x.v1", [message("trackme.x.v1.M", fields, oneofs: oneofs)]))
    #expect(
      text.hasSuffix(
        """
        export type M = {
          id?: string;
          alone?: boolean;
        }
        /** side of it. */
        & OneOf<{
          /** left is a side. */
          left: boolean;
          right: string;
        }>;

        """))
  }

  @Test func aMessageOfOneofsAloneIsWhatTheyHaveInCommon() throws {
    let fields = (0..<4).map { index in
      field("f\(index)", "f\(index)", Int32(index + 1), .bool, oneof: index / 2)
    }
    let oneofs = [ProtoOneof(name: "a", comment: ""), ProtoOneof(name: "b", comment: "")]
    let text = try source(file("trackme.x.v1", [message("trackme.x.v1.M", fields, oneofs: oneofs)]))
    #expect(
      text.hasSuffix(
        """
        export type M =
        OneOf<{
          f0: boolean;
          f1: boolean;
        }>
        & OneOf<{
          f2: boolean;
          f3: boolean;
        }>;

        """))
  }

  @Test func anEnumIsTheUnionOfItsNames() throws {
    let values = [
      ProtoEnum.Value(name: "SIDE_UNSPECIFIED", number: 0, comment: ""),
      ProtoEnum.Value(name: "SIDE_LEFT", number: 1, comment: " SIDE_LEFT: not right.\n"),
    ]
    let text = try source(
      file("trackme.x.v1", [], enums: [ProtoEnum(fullName: "trackme.x.v1.Side", comment: "", values: values)]))
    #expect(
      text.hasSuffix(
        """
        export type Side =
          | "SIDE_UNSPECIFIED"
          /** SIDE_LEFT: not right. */
          | "SIDE_LEFT";

        """))
  }

  @Test func commentsAreKeptAndCannotEndEarly() throws {
    let text = try source(
      file("trackme.x.v1", [message("trackme.x.v1.M", [], comment: " M is one.\n It has a/*/b.\n")]))
    #expect(text.contains("/**\n * M is one.\n * It has a/* /b.\n */\nexport interface M {\n}\n"))
  }

  @Test func anotherPackageIsImportedOnceUnderItsName() throws {
    let other = file("trackme.y.v2", [message("trackme.y.v2.N", [])])
    let kind = FieldKind.message("trackme.y.v2.N")
    let fields = [field("a", "a", 1, kind), field("b", "b", 2, kind, repeated: true)]
    let text = try source(file("trackme.x.v1", [message("trackme.x.v1.M", fields)]), other)
    #expect(text.components(separatedBy: "import type * as y_v2 from \"./y_v2.js\";").count == 2)
    #expect(text.contains("  a?: y_v2.N;\n  b?: y_v2.N[];\n"))
  }

  @Test func filesOfOnePackageAreOneModuleWhateverTheirOrder() throws {
    var first = file("trackme.x.v1", [message("trackme.x.v1.A", [])])
    first.name = "a.proto"
    let second = file("trackme.x.v1", [message("trackme.x.v1.B", [])])
    #expect(try source(first, second) == source(second, first))
    #expect(TypeScriptModules([first, second]).sources().keys.sorted() == ["x_v1.ts"])
  }

  @Test func aServiceIsAnObjectOfItsMethods() throws {
    let shapes = [("GetOne", false, false), ("Watch", false, true), ("Talk", true, true), ("Collect", true, false)]
    let methods = shapes.map { name, clientStreams, serverStreams in
      ProtoService.Method(
        name: name, input: "trackme.x.v1.In", output: "trackme.y.v1.Out", clientStreams: clientStreams,
        serverStreams: serverStreams, callers: [], comment: " \(name) does it.\n")
    }
    let text = try source(
      file(
        "trackme.x.v1", [message("trackme.x.v1.In", [])],
        services: [ProtoService(fullName: "trackme.x.v1.XService", comment: "", methods: methods)]),
      file("trackme.y.v1", [message("trackme.y.v1.Out", [])]))
    #expect(text.contains("import type { ServerStream, Unary } from \"../connect/methods.js\";"))
    #expect(
      text.hasSuffix(
        """
        export const XService = {
          /** GetOne does it. */
          getOne: {
            kind: "unary",
            path: "/trackme.x.v1.XService/GetOne",
          } as Unary<In, y_v1.Out>,
          /** Watch does it. */
          watch: {
            kind: "stream",
            path: "/trackme.x.v1.XService/Watch",
          } as ServerStream<In, y_v1.Out>,
          /**
           * Talk does it.
           *
           * The one message that is sent here is the stream's first.
           */
          talk: {
            kind: "stream",
            path: "/trackme.x.v1.XService/Talk",
          } as ServerStream<In, y_v1.Out>,
        };

        """))
  }

  @Test func onlyPackagesOfPagesAreWritten() {
    let files = ["grpc.health.v1", "google.rpc", "trackme.options.v1", "trackme.x.v1"].map { file($0, []) }
    #expect(TypeScriptModules(files).sources().keys.sorted() == ["x_v1.ts"])
  }

  @Test func aMessageThatPagesCannotReadIsRefusedByItsPlace() {
    let any = file("google.protobuf", [message("google.protobuf.Any", [])])
    let fields = [
      field("when", "when", 1, .message("google.protobuf.Timestamp")),
      field("what", "what", 2, .message("google.protobuf.Any")),
    ]
    let files = [any, file("trackme.x.v1", [message("trackme.x.v1.M", fields)])]
    #expect(
      TypeScriptTypes(files).obstacles(in: files) == [
        "trackme/x/v1/x.proto: trackme.x.v1.M.what is a google.protobuf.Any, of which pages do not know how JSON "
          + "writes it; teach TypeScriptTypes."
      ])
  }
}
