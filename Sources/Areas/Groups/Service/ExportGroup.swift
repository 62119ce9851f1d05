internal import Domain
internal import GroupsRules
internal import Log
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
  /// Rows without identifiers. What they are made of is drawn, stored and paid for as an answer is; they are written from it
  /// part by part, so that a slow client costs one part of memory.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; RESOURCE_EXHAUSTED with reason PRIVACY_BUDGET_SPENT;
  ///   FAILED_PRECONDITION with reason GROUP_TOO_SMALL.
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
    try violations.check()
    guard let format, let question = checked, let year = CalendarDate(utc: clock())?.year else {
      throw RPCStatus.invalidArgument(field: "question", problem: "must be given")
    }
    var first = Trackme_Groups_V1_ExportGroupResponse(question: question.wire(asked), cost: .init(question.loss))
    if request.dryRun {
      first.gathered = Google_Protobuf_Timestamp(try await answers.gathered())
      first.budget = try await budget(of: thirdParty, in: year)
      return try await responses.send(first)
    }
    let stored = try await answer(
      AskedQuestion(question, told: question.wire(asked).encoded(), catalog), catalog, for: thirdParty, in: year,
      since: began)
    let records = try Trackme_Groups_V1_GroupRecords.decode(stored.answer)
    first.records = records
    first.cost = .init(stored.cost)
    first.gathered = Google_Protobuf_Timestamp(stored.gathered)
    first.budget = try await budget(of: thirdParty, in: year)
    try await responses.send(first)
    var file = records.file(format)
    while let part = file.next() { try await responses.send(.init(data: part)) }
  }
}
