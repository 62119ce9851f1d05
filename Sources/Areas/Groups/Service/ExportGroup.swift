internal import Domain
internal import GroupsRules
internal import Log
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
  /// Rows without identifiers. What they are made of is drawn, stored and paid for as an answer is; they are written from it
  /// part by part, so that a slow client costs one part of memory. Where questions have a price, there are rows when that is
  /// reserved.
  /// - Throws: what `queryGroup` throws.
  package func exportGroup(
    _ request: Trackme_Groups_V1_ExportGroupRequest,
    responses: ResponseWriter<Trackme_Groups_V1_ExportGroupResponse>, context: CallContext
  ) async throws {
    let began = ContinuousClock.now
    let thirdParty = try context.account()
    let asked = request.question ?? .init()
    let catalog = metrics.catalog
    var violations = Violations()
    let format = RecordFile.Format(request.format)
    if format == nil { violations.add("format", "must be a GroupExportFormat") }
    let checked = GroupQuestion(
      asked, "question", in: try await areaCells(of: asked), isExport: true, catalog, &violations)
    violations.add("question.time_zone", try await problem(ofTimeZone: asked.timeZone))
    try violations.check()
    guard let format, let question = checked, let year = CalendarDate(utc: clock())?.year else {
      throw RPCStatus.invalidArgument(field: "question", problem: "must be given")
    }
    var first = Trackme_Groups_V1_ExportGroupResponse(question: question.wire(asked), cost: .init(question.loss))
    let ordered = AskedQuestion(question, told: question.wire(asked).encoded(), catalog)
    let departures = Departures(question, parts: try await reader.parts(), since: began)
    if request.dryRun {
      if let price, try await answers.given(ordered, to: thirdParty, in: epoch) == nil { first.price = .init(price) }
      first.gathered = Google_Protobuf_Timestamp(epoch.gathered)
      try await departures.next()
      first.budget = try await budget(of: thirdParty, in: year)
      return try await responses.send(first)
    }
    var records: Trackme_Groups_V1_GroupRecords?
    switch try await answer(ordered, catalog, for: thirdParty, in: year, paymentID: request.paymentID, departures) {
    case .answered(let stored, let price):
      records = try .decode(stored.answer)
      first.cost = .init(stored.cost)
      first.gathered = Google_Protobuf_Timestamp(stored.gathered)
      first.price = price.map { .init($0) }
    case .due(let payment):
      first.payment = .init(payment)
      first.price = .init(payment.money)
    }
    first.records = records
    first.budget = try await budget(of: thirdParty, in: year)
    try await responses.send(first)
    guard var file = records?.file(format) else { return }
    while let part = file.next() { try await responses.send(.init(data: part)) }
  }
}
