import Domain
import Testing

@testable import GroupsRules

@Suite("B-R.D6: when answers leave follows from the question") struct AnswerPaceTests {
  private func pace(
    days: Int = 1, parts: Int = 1, ages: AgeBands = AgeBands(from: nil, to: nil)!, sex: Sex? = nil,
    weights: WeightBands = WeightBands(from: nil, to: nil)!, personsMin: Int = 1_000, metrics: [String] = ["heart_rate"]
  ) throws -> Duration {
    let first = CalendarDate(year: 2026, month: 11, day: 1)!
    let question = try GroupQuestion(
      metrics: metrics, persons: .init(ages: ages, weights: weights, sex: sex, address: ""), place: .anywhere,
      times: .init(days: first...first.adding(days: days - 1)!, slot: .day, timeZone: "UTC", buckets: .whole),
      statistics: [.mean], precision: .high, personsMin: personsMin)
    return AnswerPace(question, parts: parts).interval
  }

  @Test func isTheSameWhoeverIsAskedAbout() throws {
    let everybody = try pace(days: 30, parts: 25)
    #expect(try pace(days: 30, parts: 25, ages: AgeBands(from: 85, to: 89)!) == everybody)
    #expect(try pace(days: 30, parts: 25, sex: .female) == everybody)
    #expect(try pace(days: 30, parts: 25, weights: WeightBands(from: 300, to: nil)!) == everybody)
    #expect(try pace(days: 30, parts: 25, personsMin: 1_000_000) == everybody)
  }

  @Test func growsWithDaysKindsAndPersonsInWholeSteps() throws {
    #expect(try pace() == AnswerPace.step)
    #expect(try pace(days: 30, parts: 25) == .milliseconds(400), "100,000 persons")
    #expect(try pace(days: 366, parts: 25) > pace(days: 30, parts: 25))
    #expect(try pace(days: 30, parts: 250) > pace(days: 30, parts: 25))
    #expect(try pace(days: 30, parts: 25, metrics: ["heart_rate", "steps"]) > pace(days: 30, parts: 25))
    for days in [1, 7, 100, 366] {
      let steps = try pace(days: days, parts: 25) / AnswerPace.step
      #expect(steps == steps.rounded())
    }
  }
}
