public import Domain
public import Log
internal import Postgres

extension StorageSystem {
  /// Ends every request that an account made or was to be asked.
  public func endRequests(of account: AccountID, at now: Microseconds) async throws {
    while true {
      let requests = try await access.records(
        "WHERE (r.person = $1 OR r.third_party = $1) AND r.state = ANY ($2) ORDER BY r.id DESC LIMIT 100",
        [.int8(account), .int2Array([AccessState.awaitingPayment, .pending, .accepted].map(\.rawValue))])
      if requests.isEmpty { return }
      for request in requests {
        let state: AccessState =
          request.person != account ? .withdrawn : request.state == .accepted ? .revoked : .refused
        // Nil where it has changed meanwhile: the next look at the list shows how.
        _ = try await access.change(request, to: state, at: now)
      }
    }
  }

  /// Whether no delivery of a person's readings is open. Deliveries end with their grants, and those of a server that died
  /// are completed by the others; one that is overdue is completed here as if its server were dead.
  func endDisclosures(of account: AccountID, isOverdue: Bool) async throws -> Bool {
    let isOpen = try await pools.upkeep.withConnection { connection in
      try connection.query(
        """
        SELECT EXISTS (SELECT FROM access_request r JOIN disclosure d ON d.access_request = r.id
          WHERE r.person = $1 AND d.ended_at IS NULL)
        """, [.int8(account)]
      ).bool(0, 0)
    }
    guard isOpen, isOverdue else { return !isOpen }
    try await disclosures.completeEverything(of: account)
    return true
  }
}
