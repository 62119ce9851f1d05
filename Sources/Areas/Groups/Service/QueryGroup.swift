internal import Domain
internal import GroupsRules
internal import Log
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
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
    violations.add("question.time_zone", try await problem(ofTimeZone: asked.timeZone))
    try violations.check()
    guard let question = checked, let year = CalendarDate(utc: clock())?.year else {
      throw RPCStatus.invalidArgument(field: "question", problem: "must be given")
    }
    var response = Trackme_Groups_V1_QueryGroupResponse(question: question.wire(asked), cost: .init(question.loss))
    let ordered = AskedQuestion(question, told: question.wire(asked).encoded(), catalog)
    let departures = Departures(question, parts: try await reader.parts(), since: began)
    if !request.dryRun {
      switch try await answer(ordered, catalog, for: thirdParty, in: year, paymentID: request.paymentID, departures) {
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
      if let price, try await answers.given(ordered, to: thirdParty, in: epoch) == nil { response.price = .init(price) }
      response.gathered = Google_Protobuf_Timestamp(epoch.gathered)
      try await departures.next()
    }
    response.budget = try await budget(of: thirdParty, in: year)
    return response
  }

  /// The cells of the area that a question names; nil where there is none of that code.
  func areaCells(of asked: Trackme_Groups_V1_GroupQuestion) async throws -> [Range<PlaceGrid.Cell>]? {
    guard let code = AreaCode(asked.area) else { return nil }
    return try await areas.cells(of: code)
  }

  /// - Returns: nil for the IANA name of a time zone, and where none is named.
  func problem(ofTimeZone name: String) async throws -> String? {
    if name.isEmpty { return nil }
    // The longest name of the IANA database has 32 characters.
    let isKnown = name.utf8.count <= 64 ? try await zones.hasTimeZone(name) : false
    return isKnown ? nil : "is not the IANA name of a time zone"
  }

  func budget(of thirdParty: AccountID, in year: Int) async throws -> Trackme_Groups_V1_GroupBudget {
    .init(try await answers.budget(of: thirdParty, in: year, budgets, at: clock()), budgets, year: year)
  }

  /// The answer of this epoch, or the payment that it waits for: at one of the departures, as is every refusal.
  /// - Parameter id: of the payment that the caller names; may be empty.
  /// - Throws: what `paid` and the other one throw; RESOURCE_EXHAUSTED with reason PRIVACY_BUDGET_SPENT;
  ///   FAILED_PRECONDITION with reason GROUP_TOO_SMALL.
  func answer(
    _ asked: AskedQuestion, _ catalog: MetricCatalog, for thirdParty: AccountID, in year: Int, paymentID id: String,
    _ departures: Departures
  ) async throws -> PaidAnswer {
    let outcome: PaidAnswer
    var hasWaited = false
    do {
      outcome = try await paid(asked, by: thirdParty, paymentID: id) { payment in
        let (stored, isNew) = try await answer(
          asked, catalog, for: thirdParty, in: year, payment: payment, departures)
        hasWaited = isNew
        return stored
      }
    } catch {
      try await departures.next()
      throw error is BudgetSpent ? RPCStatus.budgetSpent(year: year) : error
    }
    if !hasWaited { try await departures.next() }
    guard case .answered(let stored, _) = outcome else { return outcome }
    if stored.isRefused { throw RPCStatus.groupTooSmall }
    return outcome
  }

  /// The answer of this epoch: one that there is, or a new one. The most that it can cost is charged when its reading begins,
  /// and from then on it is made to its end, whoever hangs up: asked again, the question is answered for what was charged.
  /// - Parameters:
  ///   - payment: of the purchase that it uses up; nil: it needs none.
  ///   - departures: at one of which a new answer is put down: nobody sees before that there is one, nor what it has cost.
  /// - Returns: whether it was made, and has waited for a departure.
  /// - Throws: `BudgetSpent`; `PurchaseNotUsable`; `PostgresError`; `FairTurns.Full`; `CancellationError` for who hangs up
  ///   before it is read.
  func answer(
    _ asked: AskedQuestion, _ catalog: MetricCatalog, for thirdParty: AccountID, in year: Int, payment: String? = nil,
    _ departures: Departures
  ) async throws -> (answer: StoredAnswer, isNew: Bool) {
    let stored = try await answers.find(
      asked, for: thirdParty, in: year, epoch, payment: payment, at: clock(), budgets)
    if let stored { return (stored, false) }
    let work = try await turns.run {
      let work = underway.work(on: asked, for: thirdParty) { [self] in
        try await answers.reserve(asked, for: thirdParty, in: year, payment: payment, budgets, at: clock())
        let gathered = epoch.gathered
        return (gathered, try await reader.tallies(of: asked.question, catalog))
      } answering: { [self] gathered, tallies in
        let drawn = Self.draw(tallies, gathered, for: asked.question, catalog)
        try await departures.next()
        // Where an epoch has begun since it was read, it has this answer too: it is there for whoever asks again.
        return try await answers.put(
          drawn, of: tallies.snapshot, to: asked, for: thirdParty, in: year, epoch, payment: payment, at: clock())
      }
      try await work.reading.value
      return work
    }
    return (try await work.answer.value, true)
  }

  private static func draw(
    _ tallies: GroupTallies, _ gathered: Microseconds, for question: GroupQuestion, _ catalog: MetricCatalog
  ) -> StoredAnswer {
    var generator = SystemRandomNumberGenerator()
    let drawn =
      question.statistics.contains(.records)
      ? NoisyRecords(tallies, to: question, catalog, using: &generator).drawn
      : NoisyAnswer(tallies, to: question, catalog, using: &generator).drawn
    return StoredAnswer(
      answer: drawn.answer, cost: drawn.count * question.precision.loss, gathered: gathered,
      isRefused: drawn.isRefused)
  }
}

extension RPCStatus {
  fileprivate static let groupTooSmall = failure(
    .failedPrecondition, reason: "GROUP_TOO_SMALL", message: "the group is too small to tell of it")

  fileprivate static func budgetSpent(year: Int) -> RPCStatus {
    failure(
      .resourceExhausted, reason: "PRIVACY_BUDGET_SPENT",
      message: """
        the answer would cost more than is left of the privacy budget; GetGroupBudget tells what there is later in the \
        year, and the next one begins on \(year + 1)-01-01
        """
    )
  }
}
