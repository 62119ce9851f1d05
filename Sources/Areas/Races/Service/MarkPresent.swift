internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// All of the numbers, or none if one of them is no enrolled runner's. Counts those whose mark has changed.
  /// - Throws: as `change`; INVALID_ARGUMENT, which names up to 100 of the wrong numbers.
  public func markPresent(
    _ request: Trackme_Races_V1_MarkPresentRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_MarkPresentResponse {
    let person = try context.account()
    guard request.numbers.count <= Int(RacePlan.maxCapacity) else {
      throw RPCStatus.invalidArgument(field: "numbers", problem: "has more than \(RacePlan.maxCapacity) entries")
    }
    let kind: RaceChange.Kind = request.absent ? .absent : .present
    var changed = 0
    try await change(request.raceID, by: person, .markPresent) { race, now in
      let marks = try await store.marks(of: race.id, request.numbers)
      var violations = Violations()
      for (index, number) in request.numbers.enumerated() where marks[number] == nil {
        violations.add("numbers[\(index)]", "is no enrolled runner's")
        if violations.all.count == 100 { break }
      }
      try violations.check()
      // Who is marked so already stays so, so that a repeat changes nothing.
      let persons = marks.values.filter { $0.isPresent == request.absent }.map(\.person).sorted()
      if persons.isEmpty { return true }
      let change = RaceChange(race: race.id, kind: kind, persons: persons, author: person, time: now)
      guard try await storage.decisions.decide(change, as: .markPresent, reason: "") != nil else { return false }
      changed = persons.count
      return true
    }
    return .init(changedCount: Int32(changed))
  }
}
