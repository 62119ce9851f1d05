import Testing

@testable import trackme_generate

@Suite struct CallersRuleTests {
  private func file(service: String, callers: [[Int32]]) -> ProtoFile {
    let methods = callers.enumerated().map { index, callers in
      ProtoService.Method(
        name: "Do\(index)", input: "", output: "", clientStreams: false, serverStreams: false, callers: callers,
        comment: "")
    }
    return ProtoFile(
      name: "x.proto", package: "", isProto3: true, dependencies: [], messages: [], enums: [],
      services: [ProtoService(fullName: service, comment: "", methods: methods)])
  }

  @Test func aMethodThatNamesNoCallersIsRefusedByItsName() {
    #expect(
      violations(in: [file(service: "trackme.x.v1.XService", callers: [[2], [], [1, 8]])])
        == ["x.proto: trackme.x.v1.XService.Do1 names no callers; give it the option trackme.options.v1.callers."])
  }

  @Test func ofTheServicesOfOthersOnlyThoseThatAreServedNeedNoOption() {
    #expect(violations(in: [file(service: "grpc.health.v1.Health", callers: [[]])]) == [])
    #expect(violations(in: [file(service: "grpc.other.v1.Other", callers: [[]])]).count == 1)
  }
}
