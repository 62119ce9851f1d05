internal import Domain
internal import Log
internal import Postgres
internal import Synchronization

/// Questions that are being answered. Each is a task of its own, which ends neither with the call nor at its deadline: what
/// was charged is answered. Whoever asks the same meanwhile waits for the same answer.
final class AnswersUnderway: Sendable {
  struct Key: Hashable {
    let thirdParty: AccountID
    let question: [UInt8]
  }

  struct Work: Sendable {
    /// Until what there is has been read.
    let reading: Task<Void, any Error>
    let answer: Task<StoredAnswer, any Error>
  }

  private let running = Mutex<[Key: Work]>([:])

  /// What answers a question, begun by now.
  /// - Parameters:
  ///   - read: charges and reads.
  ///   - answer: draws, and puts the answer down.
  func work<Read: Sendable>(
    on asked: AskedQuestion, for thirdParty: AccountID, reading read: @escaping @Sendable () async throws -> Read,
    answering answer: @escaping @Sendable (Read) async throws -> StoredAnswer
  ) -> Work {
    let key = Key(thirdParty: thirdParty, question: asked.sha256)
    return running.withLock { running in
      if let work = running[key] { return work }
      let reading = Task { try await Pool.$deadline.withValue(nil) { try await read() } }
      let answering = Task {
        defer { self.running.withLock { $0[key] = nil } }
        return try await Pool.$deadline.withValue(nil) { try await answer(try await reading.value) }
      }
      let work = Work(reading: Task { _ = try await reading.value }, answer: answering)
      running[key] = work
      return work
    }
  }
}
