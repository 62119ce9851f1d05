public import Log
internal import Postgres

extension AreaTables {
  /// Races, places in them, and the map of roads.
  public static let races = AreaTables(
    migrations: [
      Migration(number: 15, name: "race", sql: RaceSQL.schema),
      Migration(number: 16, name: "roads", sql: RoadSQL.schema),
      Migration(number: 17, name: "live_race", sql: LiveRaceSQL.schema),
      Migration(number: 20, name: "gun", sql: SettlementSQL.functions),
      Migration(number: 21, name: "race_plan", sql: RacePlanSQL.schema),
      Migration(number: 25, name: "disabled_race", sql: DisabledRaceSQL.schema),
      Migration(number: 32, name: "race_notice", sql: RaceNoticeSQL.schema),
      Migration(number: 33, name: "given_up_payment", sql: GivenUpPaymentSQL.schema),
      Migration(number: 39, name: "race_plan_limit", sql: RacePlanLimitSQL.schema),
      Migration(number: 40, name: "invitation_limit", sql: InvitationLimitSQL.schema),
      Migration(number: 41, name: "place_rules", sql: PlaceRulesSQL.schema),
      Migration(number: 47, name: "fee", sql: FeeSQL.schema),
    ],
    functions: [RaceStateSQL.function],
    personal: [
      "course.altitudes": ofOthersRaces,
      "course.arrival_at": ofOthersRaces,
      "course.arrival_name": ofOthersRaces,
      "course.attribution": .impersonal,
      "course.latitudes": ofOthersRaces,
      "course.longitudes": ofOthersRaces,
      "course.stage_distances": ofOthersRaces,
      "course.stage_latitudes": ofOthersRaces,
      "course.stage_longitudes": ofOthersRaces,
      "course.stage_names": ofOthersRaces,
      "course.start_at": ofOthersRaces,
      "course.start_name": ofOthersRaces,
      "race.description": ofOthersRaces,
      "race.fee_currency": .impersonal,
      "race.invitation_sha256": .impersonal,
      "race.name": ofOthersRaces,
      "race.place_name": ofOthersRaces,
      "race.request_id": .erased,
      "race_change.facts": ofOthersRaces,
      // Of what was decided about the person; the person's own decisions about others are part of their results.
      "race_change.reason": .erased,
      "race_disabling.reason": .kept("what administrators decided about a race, and why, is on record"),
      "race_enrolment.runner_name": .erased,
      "race_notice.audience": .impersonal,
      "race_notice.facts": ofOthersRaces,
      "roads.import.attribution": .impersonal,
      "roads.import.file_name": .impersonal,
      "roads.way.kind": .impersonal,
      "roads.way.line": .impersonal,
    ],
    numbered: [
      "course", "race_emergency", "race_invitation", "race_invitation_told", "race_observer", "race_organizer",
    ],
    end: { account, storage, now in try await storage.endRaces(of: account, at: now) },
    erasure: ErasedRaces.statements)

  private static let ofOthersRaces = PersonalData.kept(
    "of a race that others run, ran or watched; drafts and routes are deleted")
}
