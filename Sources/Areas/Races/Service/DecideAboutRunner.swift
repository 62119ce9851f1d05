internal import Domain
internal import RacesRules
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

extension RaceService {
  /// Decides about a runner in a race that the caller organises, if its state allows the action.
  ///
  /// - Parameter decision: what is to be decided about the runner as it stands: a kind and, for a finish time, the time
  ///   from the start; nil where it is so already.
  /// - Throws: as `change`; NOT_FOUND with reason NO_RUNNER if no enrolled runner has the number.
  func decide(
    about number: BibNumber, in race: RaceID, by person: PersonID, as action: RaceAction, reason: String,
    _ decision: (RaceRecord, RunnerMarks) async throws -> (kind: RaceChange.Kind, finishTime: Microseconds)?
  ) async throws {
    try await change(race, by: person, action) { race, now in
      guard let marks = try await store.marks(of: race.id, [number])[number] else { throw RPCStatus.noRunner }
      guard let (kind, finishTime) = try await decision(race, marks) else { return true }
      let change = RaceChange(
        race: race.id, kind: kind, persons: [marks.person], author: person, time: now, finishTime: finishTime)
      return try await storage.decisions.decide(change, as: action, reason: reason) != nil
    }
    board.nudge()
  }

  /// Adds what is wrong with a reason that others read.
  static func checkReason(_ reason: String, isOptional: Bool = false) throws {
    var violations = Violations()
    violations.add(
      "reason",
      PlainText.problem(reason, length: (isOptional ? 0 : 1)...maxReasonCharacters, isParagraph: true))
    try violations.check()
  }
}

extension RPCStatus {
  static let noRunner = failure(
    .notFound, reason: "NO_RUNNER", message: "no enrolled runner has this number")
}
