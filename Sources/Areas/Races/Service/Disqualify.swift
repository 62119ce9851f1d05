internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension RaceService {
  /// Who is disqualified already stays so, with the first reason.
  /// - Throws: as `decide`; INVALID_ARGUMENT without a reason.
  public func disqualify(
    _ request: Trackme_Races_V1_DisqualifyRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_DisqualifyResponse {
    let person = try context.account()
    try Self.checkReason(request.reason)
    try await decide(
      about: request.number, in: request.raceID, by: person, as: .disqualify, reason: request.reason
    ) { _, marks in marks.isDisqualified ? nil : (.disqualified, 0) }
    return .init()
  }
}
