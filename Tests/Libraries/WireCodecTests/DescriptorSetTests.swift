import Testing
import WireCodec

@Suite struct DescriptorSetTests {
  private let set = try! DescriptorSet(DescriptorSet.embeddedBytes)

  @Test(arguments: [
    "trackme.ingest.v1.IngestService", "trackme.readings.v1.ReadingService", "trackme.sharing.v1.SubscriptionService",
    "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection",
  ])
  func holdsTheService(_ service: String) {
    #expect(set.files.contains { $0.symbols.contains(service) })
  }

  @Test func holdsEverythingThatIsImported() {
    let names = Set(set.files.map(\.name))
    for file in set.files { #expect(names.isSuperset(of: file.dependencies)) }
  }

  @Test func knowsSymbolsOfEveryKind() {
    let symbols = Set(set.files.flatMap(\.symbols))
    for symbol in [
      "trackme.ingest.v1.IngestService.PushReadings", "trackme.ingest.v1.PushHello",
      "trackme.ingest.v1.PushHello.client_id", "trackme.ingest.v1.PushReadingsRequest.frame",
      "trackme.ingest.v1.RejectionReason", "trackme.ingest.v1.REJECTION_REASON_NOT_YOURS",
      "trackme.ingest.v1.RejectionReason.REJECTION_REASON_NOT_YOURS", "google.rpc.BadRequest.FieldViolation",
    ] { #expect(symbols.contains(symbol), "\(symbol)") }
  }

  @Test func aPieceThatIsNoSetIsRefused() {
    #expect(throws: WireError.self) { try DescriptorSet([10, 200, 1]) }
  }

  @Test func readsExtensions() throws {
    // file "x.proto" with extension 50001 of google.protobuf.FieldOptions, named "unit".
    let field: [UInt8] = [0x0A, 4] + Array("unit".utf8) + [0x18, 0xD1, 0x86, 0x03, 0x12, 4] + Array(".a.B".utf8)
    let file: [UInt8] = [0x0A, 7] + Array("x.proto".utf8) + [0x3A, UInt8(field.count)] + field
    let set = try DescriptorSet([0x0A, UInt8(file.count)] + file)
    #expect(set.files[0].extensions.map(\.number) == [50001])
    #expect(set.files[0].extensions.map(\.extendee) == ["a.B"])
    #expect(set.files[0].symbols == ["unit"])
  }
}
