internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

// What is not built yet: the caller is checked, and told so.

extension RPCStatus {
  fileprivate static let notYet = failure(.unimplemented, reason: "NOT_YET", message: "this call is not built yet")
}

extension RaceService {
  public func planRoutes(
    _ request: Trackme_Races_V1_PlanRoutesRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_PlanRoutesResponse { try throwNotYet(context) }

  public func createRace(
    _ request: Trackme_Races_V1_CreateRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_CreateRaceResponse { try throwNotYet(context) }

  public func getRace(
    _ request: Trackme_Races_V1_GetRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_GetRaceResponse { try throwNotYet(context) }

  public func updateRace(
    _ request: Trackme_Races_V1_UpdateRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_UpdateRaceResponse { try throwNotYet(context) }

  public func openEnrolment(
    _ request: Trackme_Races_V1_OpenEnrolmentRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_OpenEnrolmentResponse { try throwNotYet(context) }

  public func postponeRace(
    _ request: Trackme_Races_V1_PostponeRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_PostponeRaceResponse { try throwNotYet(context) }

  public func cancelRace(
    _ request: Trackme_Races_V1_CancelRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_CancelRaceResponse { try throwNotYet(context) }

  public func finishRace(
    _ request: Trackme_Races_V1_FinishRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_FinishRaceResponse { try throwNotYet(context) }

  public func listRaces(
    _ request: Trackme_Races_V1_ListRacesRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ListRacesResponse { try throwNotYet(context) }

  public func searchRaces(
    _ request: Trackme_Races_V1_SearchRacesRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_SearchRacesResponse { try throwNotYet(context) }

  public func enrol(
    _ request: Trackme_Races_V1_EnrolRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_EnrolResponse { try throwNotYet(context) }

  public func withdraw(
    _ request: Trackme_Races_V1_WithdrawRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_WithdrawResponse { try throwNotYet(context) }

  public func listEnrolments(
    _ request: Trackme_Races_V1_ListEnrolmentsRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ListEnrolmentsResponse { try throwNotYet(context) }

  public func inviteRunners(
    _ request: Trackme_Races_V1_InviteRunnersRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_InviteRunnersResponse { try throwNotYet(context) }

  public func revokeInvitations(
    _ request: Trackme_Races_V1_RevokeInvitationsRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_RevokeInvitationsResponse { try throwNotYet(context) }

  public func observeRace(
    _ request: Trackme_Races_V1_ObserveRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ObserveRaceResponse { try throwNotYet(context) }

  public func stopObserving(
    _ request: Trackme_Races_V1_StopObservingRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_StopObservingResponse { try throwNotYet(context) }

  public func addOrganizer(
    _ request: Trackme_Races_V1_AddOrganizerRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_AddOrganizerResponse { try throwNotYet(context) }

  public func removeOrganizer(
    _ request: Trackme_Races_V1_RemoveOrganizerRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_RemoveOrganizerResponse { try throwNotYet(context) }

  public func markPresent(
    _ request: Trackme_Races_V1_MarkPresentRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_MarkPresentResponse { try throwNotYet(context) }

  public func disqualify(
    _ request: Trackme_Races_V1_DisqualifyRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_DisqualifyResponse { try throwNotYet(context) }

  public func reinstate(
    _ request: Trackme_Races_V1_ReinstateRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ReinstateResponse { try throwNotYet(context) }

  public func correctResult(
    _ request: Trackme_Races_V1_CorrectResultRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_CorrectResultResponse { try throwNotYet(context) }

  public func exportRun(
    _ request: Trackme_Races_V1_ExportRunRequest, responses: ResponseWriter<Trackme_Races_V1_ExportRunResponse>,
    context: CallContext
  ) async throws { try throwNotYet(context) }

  private func throwNotYet(_ context: CallContext) throws -> Never {
    _ = try context.person()
    throw RPCStatus.notYet
  }
}

/// Stands for the service of running races.
final class LiveServiceNotYet: LiveServiceHandler {
  func watchRace(
    _ request: Trackme_Races_V1_WatchRaceRequest, responses: ResponseWriter<Trackme_Races_V1_WatchRaceResponse>,
    context: CallContext
  ) async throws { try throwNotYet(context) }

  func getLeaderboard(
    _ request: Trackme_Races_V1_GetLeaderboardRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_GetLeaderboardResponse { try throwNotYet(context) }

  func getResults(
    _ request: Trackme_Races_V1_GetResultsRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_GetResultsResponse { try throwNotYet(context) }

  private func throwNotYet(_ context: CallContext) throws -> Never {
    _ = try context.person()
    throw RPCStatus.notYet
  }
}
