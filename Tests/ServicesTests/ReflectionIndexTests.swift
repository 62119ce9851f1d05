import ServiceAPI
import Testing
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

@Suite struct ReflectionIndexTests {
  private typealias Response = Grpc_Reflection_V1_ServerReflectionResponse

  private let set = try! DescriptorSet(ServiceDescriptors.fileDescriptorSet)
  private var index: ReflectionIndex { ReflectionIndex(set, services: ServiceDescriptors.serviceNames) }

  private func ask(
    _ question: Grpc_Reflection_V1_ServerReflectionRequest.OneOf_MessageRequest?
  ) -> Response.OneOf_MessageResponse? {
    index.answer(.init(host: "h", messageRequest: question)).messageResponse
  }

  /// The names of the files in an answer, in order.
  private func files(_ answer: Response.OneOf_MessageResponse?) throws -> [String] {
    guard case .fileDescriptorResponse(let response) = answer else { return [] }
    return response.fileDescriptorProto.compactMap { bytes in set.files.first { $0.serialized == bytes }?.name }
  }

  private func errorCode(_ answer: Response.OneOf_MessageResponse?) -> Int32? {
    if case .errorResponse(let error) = answer { error.errorCode } else { nil }
  }

  @Test(
    "a symbol of every kind leads to its file",
    arguments: [
      ("trackme.ingest.v1.IngestService", "trackme/ingest/v1/ingest_service.proto"),
      ("trackme.ingest.v1.IngestService.PushReadings", "trackme/ingest/v1/ingest_service.proto"),
      ("trackme.ingest.v1.ReadingBatch", "trackme/ingest/v1/ingest_service.proto"),
      ("trackme.ingest.v1.ReadingBatch.sequence", "trackme/ingest/v1/ingest_service.proto"),
      ("trackme.ingest.v1.PushReadingsRequest.frame", "trackme/ingest/v1/ingest_service.proto"),
      ("trackme.readings.v1.Resolution", "trackme/readings/v1/reading_service.proto"),
      ("trackme.readings.v1.RESOLUTION_DAY", "trackme/readings/v1/reading_service.proto"),
      ("google.rpc.BadRequest.FieldViolation", "google/rpc/error_details.proto"),
      ("grpc.health.v1.HealthCheckResponse.ServingStatus", "grpc/health/v1/health.proto"),
      ("grpc.health.v1.HealthCheckResponse.NOT_SERVING", "grpc/health/v1/health.proto"),
    ])
  func symbols(symbol: String, file: String) throws {
    #expect(try files(ask(.fileContainingSymbol(symbol))).first == file)
  }

  @Test func everythingImportedComesAlong() throws {
    #expect(
      try files(ask(.fileByFilename("google/rpc/status.proto"))) == [
        "google/rpc/status.proto", "google/protobuf/any.proto",
      ])
    #expect(
      try files(ask(.fileContainingSymbol("trackme.ingest.v1.IngestService"))) == [
        "trackme/ingest/v1/ingest_service.proto", "trackme/options/v1/callers.proto",
        "trackme/readings/v1/reading.proto", "google/protobuf/descriptor.proto",
      ])
  }

  @Test func whatIsUnknownIsNotFound() {
    #expect(errorCode(ask(.fileByFilename("no.proto"))) == 5)
    #expect(errorCode(ask(.fileContainingSymbol("trackme.ingest.v1.No"))) == 5)
    #expect(errorCode(ask(.fileContainingSymbol(""))) == 5)
    let extensionOfStatus = Grpc_Reflection_V1_ExtensionRequest(containingType: "google.rpc.Status", extensionNumber: 9)
    #expect(errorCode(ask(.fileContainingExtension(extensionOfStatus))) == 5)
    #expect(errorCode(ask(.allExtensionNumbersOfType("no.Type"))) == 5)
    #expect(errorCode(ask(nil)) == 3)
  }

  @Test func aTypeWithoutExtensionsHasNone() {
    #expect(
      ask(.allExtensionNumbersOfType("google.rpc.Status"))
        == .allExtensionNumbersResponse(.init(baseTypeName: "google.rpc.Status")))
  }

  @Test func extensionsAreFound() throws {
    // x.proto: extend .a.B { unit = 50001 }.
    let field: [UInt8] = [0x0A, 4] + Array("unit".utf8) + [0x18, 0xD1, 0x86, 0x03, 0x12, 4] + Array(".a.B".utf8)
    let file: [UInt8] = [0x0A, 7] + Array("x.proto".utf8) + [0x3A, UInt8(field.count)] + field
    let index = ReflectionIndex(try DescriptorSet([0x0A, UInt8(file.count)] + file), services: [])
    let answer = index.answer(
      .init(messageRequest: .fileContainingExtension(.init(containingType: "a.B", extensionNumber: 50001))))
    guard case .fileDescriptorResponse(let response) = answer.messageResponse else {
      Issue.record("\(answer)")
      return
    }
    #expect(response.fileDescriptorProto.count == 1)
  }

  @Test func servicesAreListedInOrder() {
    let expected = ServiceDescriptors.serviceNames.sorted().map { Grpc_Reflection_V1_ServiceResponse(name: $0) }
    #expect(ask(.listServices("*")) == .listServicesResponse(.init(service: expected)))
    #expect(expected.contains { $0.name == "grpc.reflection.v1alpha.ServerReflection" })
  }

  @Test func theAnswerRepeatsTheQuestion() {
    let request = Grpc_Reflection_V1_ServerReflectionRequest(host: "h", messageRequest: .listServices(""))
    let answer = index.answer(request)
    #expect(answer.originalRequest == request)
    #expect(answer.validHost == "h")
  }
}
