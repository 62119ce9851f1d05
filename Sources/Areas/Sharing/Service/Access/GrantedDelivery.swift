package import Domain
package import RPCRuntime
internal import Synchronization

/// One delivery of readings under a grant: what it may send, when it must stop, and what the ledger says of it.
package final class GrantedDelivery: Sendable {
  private static let farewellTime: Duration = .milliseconds(500)

  package let grant: AccessRecord
  /// Closes when the grant ends.
  package let gate: GrantGate
  private let ledger: DisclosureLedger
  private let kind: DisclosureKind
  /// The delivery's row, once something is sent.
  private let disclosure = Mutex<Disclosure?>(nil)

  package init(_ grant: AccessRecord, _ gate: GrantGate, kind: DisclosureKind, ledger: DisclosureLedger) {
    self.grant = grant
    self.gate = gate
    self.kind = kind
    self.ledger = ledger
  }

  /// Notes readings in the ledger; they are sent after that. One caller at a time.
  ///
  /// - Parameters:
  ///   - columns: the readings as they are sent; of none nothing is noted.
  ///   - previous: how far the delivery was in the log before.
  ///   - position: how far it is with them.
  /// - Throws: `PostgresError` if the delivery's row can't be made; `CancellationError`.
  package func note(_ columns: ReadingColumns, after previous: LogPosition, through position: LogPosition) async throws
  {
    if columns.isEmpty { return }
    let known = disclosure.withLock { $0 }
    let row: Disclosure
    if let known {
      row = known
    } else {
      row = try await ledger.begin(grant, kind: kind, after: previous)
      disclosure.withLock { $0 = row }
    }
    try await row.note(columns, through: position)
  }

  /// Runs the delivery; its row in the ledger ends with it. When the grant has ended, the delivery has `farewellTime` to
  /// say so; then the call is cut off, for a client that does not read can't be told.
  ///
  /// - Parameter body: sends what the grant covers until its gate closes.
  package func run(on call: ServerCall, _ body: @escaping @Sendable () async throws -> Void) async throws {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { [gate] in
          let end = try await gate.waitForEnd()
          try await Task.sleep(for: Self.farewellTime)
          let status = RPCStatus.accessEnded(end.change.state, at: end.position)
          call.cutOff(with: status)
          throw status
        }
        group.addTask(operation: body)
        // The first of the two ends by an error only.
        try await group.next()
        group.cancelAll()
      }
    } catch {
      await end()
      throw error
    }
    await end()
  }

  private func end() async { await disclosure.withLock { $0 }?.end() }
}
