internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension RaceService {
  /// Takes a disqualification back; without one nothing changes.
  /// - Throws: as `decide`.
  public func reinstate(
    _ request: Trackme_Races_V1_ReinstateRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ReinstateResponse {
    let person = try context.account()
    try Self.checkReason(request.reason, isOptional: true)
    try await decide(
      about: request.number, in: request.raceID, by: person, as: .reinstate, reason: request.reason
    ) { _, marks in marks.isDisqualified ? (.reinstated, 0) : nil }
    return .init()
  }
}
