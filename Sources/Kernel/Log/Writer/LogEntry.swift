public import Domain
public import Postgres
internal import Synchronization

/// What entries of the log are about: a grant, a subscription, a race …
public struct LogTopic: Sendable, Hashable {
  /// The same for all topics of a kind, of which the area that has it says what `id` numbers.
  public let kind: String
  public let id: Int64

  public init(_ kind: String, _ id: Int64) {
    self.kind = kind
    self.id = id
  }
}

/// What stands in the log beside readings: each entry has a position of its own, in one order with them.
public struct LogEntry: Sendable {
  /// Who follows one of them hears of it.
  public let topics: [LogTopic]
  /// What it says, which its area alone knows.
  public let value: any Sendable

  public init(_ value: any Sendable, about topics: [LogTopic]) {
    self.value = value
    self.topics = topics
  }
}

/// A change that becomes an entry of the log if its condition holds when its turn comes.
///
/// The writer runs it in the transaction of a commit group, between the readings that came before and after it. So
/// whoever has an acknowledgement for a reading knows on which side of the entry the reading is.
public struct EntryRequest: Sendable {
  /// What observers of the log hear when it is committed.
  let entry: LogEntry
  /// Calls an SQL function with the commit's id as $1, the place in its group as $2, and `parameters` from $3 on. The
  /// function returns the position that `append_log_entry` gave it, or NULL if the condition does not hold and nothing
  /// was changed. It must not raise an error: that would hold up every reading of the group.
  let sql: String
  let parameters: [Parameter]

  public init(_ entry: LogEntry, sql: String, _ parameters: [Parameter]) {
    self.entry = entry
    self.sql = sql
    self.parameters = parameters
  }
}

/// An entry that waits for its commit, and whoever waits for that.
final class PendingEntry: Sendable {
  enum Outcome: Sendable {
    case committed(LogPosition?)
    /// Nobody has begun to commit it.
    case abandoned
    /// It may be committed or not.
    case unknown
    case cancelled
  }

  private enum State {
    case idle
    case waiting(CheckedContinuation<Outcome, Never>)
    case over(Outcome)
  }

  let request: EntryRequest
  private let state = Mutex(State.idle)

  init(_ request: EntryRequest) { self.request = request }

  /// The first outcome counts.
  func finish(_ outcome: Outcome) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      switch state {
      case .idle:
        state = .over(outcome)
        return nil
      case .waiting(let continuation):
        state = .over(outcome)
        return continuation
      case .over: return nil
      }
    }
    waiter?.resume(returning: outcome)
  }

  /// Waits for the outcome; `cancelled` if the task is cancelled, which does not take the entry back.
  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Outcome? in
          if case .over(let outcome) = state { return outcome }
          state = .waiting(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      finish(.cancelled)
    }
  }
}

extension LogWriter {
  /// The most entries that wait for a commit.
  static let maxEntries = 4_096

  /// Puts an entry into the log.
  ///
  /// - Returns: its position; nil if its condition did not hold, then nothing has changed.
  /// - Throws: `CancellationError` if the task is cancelled while it waits: the entry may be committed all the same;
  ///   `PostgresError` if the log is closed before the commit, of kind `unknownOutcome` if it had begun.
  public func append(_ request: EntryRequest) async throws -> LogPosition? {
    let pending = PendingEntry(request)
    while try !offer(pending) { try await waitForRoom() }
    monitor.signal()
    switch await pending.outcome() {
    case .committed(let position): return position
    case .abandoned: throw PostgresError(.connection, "the log was closed before the commit")
    case .unknown: throw PostgresError(.unknownOutcome, "the log was closed before a commit was confirmed")
    case .cancelled: throw CancellationError()
    }
  }

  private func offer(_ pending: PendingEntry) throws(PostgresError) -> Bool {
    try monitor.withLock { state throws(PostgresError) in
      if state.isClosed { throw PostgresError(.connection, "the log is closed") }
      guard state.open.entries < Self.maxEntries else { return false }
      state.open.append(pending)
      return true
    }
  }
}
