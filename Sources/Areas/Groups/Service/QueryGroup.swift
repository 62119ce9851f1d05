internal import Domain
internal import GroupsRules
internal import Log
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
  /// Answers leave at multiples of it after the question came: how long they take to make tells nothing.
  static let answerInterval: Duration = .milliseconds(100)

  /// Answers with noise; where questions have a price, when that is reserved.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; RESOURCE_EXHAUSTED with reason PRIVACY_BUDGET_SPENT;
  ///   FAILED_PRECONDITION with reason GROUP_TOO_SMALL; what `paid` throws.
  package func queryGroup(
    _ request: Trackme_Groups_V1_QueryGroupRequest, context: CallContext
  ) async throws -> Trackme_Groups_V1_QueryGroupResponse {
    let began = ContinuousClock.now
    let thirdParty = try context.account()
    let asked = request.question ?? .init()
    let catalog = metrics.catalog
    var violations = Violations()
    let checked = GroupQuestion(asked, "question", in: try await areaCells(of: asked), catalog, &violations)
    try violations.check()
    guard let question = checked, let year = CalendarDate(utc: clock())?.year else {
      throw RPCStatus.invalidArgument(field: "question", problem: "must be given")
    }
    var response = Trackme_Groups_V1_QueryGroupResponse(question: question.wire(asked), cost: .init(question.loss))
    let ordered = AskedQuestion(question, told: question.wire(asked).encoded(), catalog)
    if !request.dryRun {
      switch try await answer(ordered, catalog, for: thirdParty, in: year, paymentID: request.paymentID, since: began) {
      case .answered(let stored, let price):
        response.answer = try .decode(stored.answer)
        response.cost = .init(stored.cost)
        response.gathered = Google_Protobuf_Timestamp(stored.gathered)
        response.price = price.map { .init($0) }
      case .due(let payment):
        response.payment = .init(payment)
        response.price = .init(payment.money)
      }
    } else {
      if let price, try await answers.given(ordered, to: thirdParty) == nil { response.price = .init(price) }
      response.gathered = Google_Protobuf_Timestamp(try await answers.gathered())
    }
    response.budget = try await budget(of: thirdParty, in: year)
    return response
  }

  /// The cells of the area that a question names; nil where there is none of that code.
  func areaCells(of asked: Trackme_Groups_V1_GroupQuestion) async throws -> [Range<PlaceGrid.Cell>]? {
    guard let code = AreaCode(asked.area) else { return nil }
    return try await areas.cells(of: code)
  }

  func budget(of thirdParty: AccountID, in year: Int) async throws -> Trackme_Groups_V1_GroupBudget {
    .init(try await answers.budget(of: thirdParty, in: year, budgets), budgets, year: year)
  }

  /// The answer of this epoch, which leaves at a multiple of `answerInterval`; or the payment that it waits for.
  /// - Parameters:
  ///   - id: of the payment that the caller names; may be empty.
  ///   - began: when the question came.
  /// - Throws: what `paid` and the other one throw; RESOURCE_EXHAUSTED with reason PRIVACY_BUDGET_SPENT;
  ///   FAILED_PRECONDITION with reason GROUP_TOO_SMALL.
  func answer(
    _ asked: AskedQuestion, _ catalog: MetricCatalog, for thirdParty: AccountID, in year: Int, paymentID id: String,
    since began: ContinuousClock.Instant
  ) async throws -> PaidAnswer {
    let outcome: PaidAnswer
    do {
      outcome = try await paid(asked, by: thirdParty, paymentID: id) { payment in
        try await answer(asked, catalog, for: thirdParty, in: year, payment: payment)
      }
    } catch is BudgetSpent {
      try await Self.wait(since: began)
      throw RPCStatus.budgetSpent(year: year)
    }
    guard case .answered(let stored, _) = outcome else { return outcome }
    try await Self.wait(since: began)
    if stored.isRefused { throw RPCStatus.groupTooSmall }
    return outcome
  }

  /// The answer of this epoch: one that there is, or a new one. Its cost is taken before anything is drawn; what is too
  /// much of it is given back.
  /// - Parameter payment: of the purchase that it uses up; nil: it needs none.
  /// - Throws: `BudgetSpent`; `PurchaseNotUsable`; `PostgresError`; `FairTurns.Full`; `CancellationError`; INVALID_ARGUMENT
  ///   for a time zone that is none.
  func answer(
    _ asked: AskedQuestion, _ catalog: MetricCatalog, for thirdParty: AccountID, in year: Int, payment: String? = nil
  ) async throws -> StoredAnswer {
    let question = asked.question
    if let stored = try await answers.find(asked, for: thirdParty, in: year, payment: payment, at: clock(), budgets) {
      return stored
    }
    try await untilDone { [budgets] in try await $0.reserve(question.loss, for: thirdParty, in: year, budgets) }
    let tallies: GroupTallies
    do {
      guard let read = try await reader.tallies(of: question, catalog) else {
        throw RPCStatus.invalidArgument(field: "question.time_zone", problem: "is not an IANA time zone")
      }
      tallies = read
    } catch {
      // Nothing was drawn.
      try await untilDone { try await $0.release(question.loss, of: thirdParty, in: year) }
      throw error
    }
    var generator = SystemRandomNumberGenerator()
    let drawn =
      question.statistics.contains(.records)
      ? NoisyRecords(tallies, to: question, catalog, using: &generator).drawn
      : NoisyAnswer(tallies, to: question, catalog, using: &generator).drawn
    let new = StoredAnswer(
      answer: drawn.answer, cost: drawn.count * question.precision.loss, gathered: tallies.gathered,
      isRefused: drawn.isRefused)
    return try await untilDone { [clock] in
      do {
        return try await $0.put(
          new, to: asked, epoch: tallies.epoch, for: thirdParty, in: year, reserved: question.loss, payment: payment,
          at: clock())
      } catch let error as PurchaseNotUsable {
        // What was drawn is told to nobody.
        try await $0.release(question.loss, of: thirdParty, in: year)
        throw error
      }
    }
  }

  /// What is done to budgets is done to its end, also for a caller who goes away: nothing stays reserved, and what was drawn
  /// is charged. So it is a task of its own, which is not cancelled with the call, and which the call waits for.
  private func untilDone<Result: Sendable>(
    _ work: @escaping @Sendable (GroupAnswers) async throws -> Result
  ) async throws -> Result {
    try await Task { [answers] in try await work(answers) }.value
  }

  /// Until the next multiple of `answerInterval`.
  private static func wait(since began: ContinuousClock.Instant) async throws {
    let intervals = ((.now - began) / answerInterval).rounded(.up)
    try await Task.sleep(until: began + answerInterval * intervals, tolerance: .zero)
  }
}

extension RPCStatus {
  fileprivate static let groupTooSmall = failure(
    .failedPrecondition, reason: "GROUP_TOO_SMALL", message: "the group is too small to tell of it")

  fileprivate static func budgetSpent(year: Int) -> RPCStatus {
    failure(
      .resourceExhausted, reason: "PRIVACY_BUDGET_SPENT",
      message: "the answer would cost more than is left of the privacy budget; the next one begins on \(year + 1)-01-01"
    )
  }
}
