public import Domain
internal import Postgres

extension StorageSystem {
  /// Ends every request that an account made or was asked.
  public func endRequests(of account: AccountID, at now: Microseconds) async throws {
    while true {
      let requests = try await access.list(of: account, states: [.pending, .accepted], before: .max, limit: 100)
      if requests.isEmpty { return }
      for request in requests {
        let state: AccessState =
          request.person != account ? .withdrawn : request.state == .pending ? .refused : .revoked
        // Nil where it has changed meanwhile: the next look at the list shows how.
        _ = try await access.change(request, to: state, at: now)
      }
    }
  }
}
