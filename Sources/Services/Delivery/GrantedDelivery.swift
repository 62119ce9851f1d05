internal import Domain
internal import Storage
internal import Synchronization

/// One delivery of readings under a grant: what it may send, when it must stop, and what the ledger says of it.
final class GrantedDelivery: Sendable {
  let grant: AccessRecord
  /// Closes when the grant ends.
  let gate: GrantGate
  private let ledger: DisclosureLedger
  private let kind: DisclosureKind
  /// The delivery's row, once something is sent.
  private let disclosure = Mutex<Disclosure?>(nil)

  init(_ grant: AccessRecord, _ gate: GrantGate, kind: DisclosureKind, ledger: DisclosureLedger) {
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
  func note(_ columns: ReadingColumns, after previous: LogPosition, through position: LogPosition) async throws {
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

  /// Nothing more is sent.
  func end() async { await disclosure.withLock { $0 }?.end() }
}
