package import Log
internal import Postgres

extension AreaTables {
  /// Anonymous groups: who shares what, and what they add up to.
  package static let groups = AreaTables(
    migrations: [
      Migration(number: 48, name: "anonymous_sharing", sql: AnonymousSharingSQL.schema),
      Migration(number: 49, name: "group_cell", sql: GroupCellSQL.schema),
      Migration(number: 50, name: "group_answer", sql: GroupAnswerSQL.schema),
      Migration(number: 51, name: "group_disclosure", sql: GroupDisclosureSQL.schema),
      Migration(number: 52, name: "group_subscription", sql: GroupSubscriptionSQL.schema),
      Migration(number: 53, name: "group_area", sql: GroupAreaSQL.schema),
      Migration(number: 54, name: "group_place", sql: GroupPlaceSQL.schema),
      Migration(number: 56, name: "group_purchase", sql: AnswerPurchaseSQL.schema),
      Migration(number: 59, name: "group_reservation", sql: GroupReservationSQL.schema),
      Migration(number: 60, name: "group_snapshot", sql: GroupSnapshotSQL.schema),
      Migration(number: 61, name: "group_epoch", sql: GroupEpochSQL.schema),
      Migration(number: 63, name: "disabled_sharing", sql: DisabledSharingSQL.schema),
      Migration(number: 66, name: "group_budget_share", sql: BudgetShareSQL.schema),
    ],
    personal: [
      "group_answer.answer": .impersonal,
      "group_answer.question_sha256": .impersonal,
      "group_answer.snapshot": .impersonal,
      "group_area.cells": .impersonal,
      "group_area.code": .impersonal,
      "group_area.name": .impersonal,
      "group_area.name_lower": .impersonal,
      "group_area.parent": .impersonal,
      "group_cell.payload": .erased,
      "group_charge.question_sha256": .impersonal,
      "group_disclosure.question": .impersonal,
      "group_disclosure.sex": .impersonal,
      "group_disclosure.snapshot": .impersonal,
      "group_purchase.answer": .impersonal,
      "group_purchase.question_sha256": .impersonal,
      "group_release.release": .impersonal,
      "group_reservation.question_sha256": .impersonal,
      "group_subscription.question": .impersonal,
      "group_subscription.request_id": .erased,
      "group_subscription.time_zone": .impersonal,
    ],
    numbered: [
      "anonymous_metric", "anonymous_period", "anonymous_sharing", "anonymous_sharing_change", "group_budget",
      "group_charge", "group_disclosure", "group_reservation", "group_stale", "group_subscription",
    ],
    end: { account, storage, now in
      try await storage.groupSubscriptions.end(of: account, at: now)
      try await storage.answerPurchases.endAll(of: account, at: now)
      try await storage.groupCells.forget(account)
    },
    suspend: { account, storage, now in
      try await storage.groupSubscriptions.end(of: account, at: now)
      try await storage.answerPurchases.endAll(of: account, at: now)
    },
    erasure: [
      "DELETE FROM anonymous_metric WHERE person = $1",
      "DELETE FROM anonymous_period WHERE person = $1",
      "DELETE FROM anonymous_sharing_change WHERE person = $1",
      "DELETE FROM anonymous_sharing WHERE person = $1",
      "DELETE FROM group_stale WHERE person = $1",
      "UPDATE group_subscription SET request_id = NULL WHERE third_party = $1",
      // What all have spent together stays, and purchases: their payments are looked after until they are over.
      "DELETE FROM group_charge WHERE third_party = $1",
      "DELETE FROM group_reservation WHERE third_party = $1",
      "DELETE FROM group_budget WHERE third_party = $1",
    ])
}
