import Testing

@testable import GroupsRules

@Suite("B-R.D6: epochs go by the clock") struct GroupEpochsTests {
  private static let second: Int64 = 1_000_000
  private let epochs = GroupEpochs(length: .seconds(3_600))

  @Test(arguments: [(0, 0), (3_599, 0), (3_600, 3_600), (7_300, 7_200), (-1, -3_600)])
  func beginAtMultiplesOfTheirLength(second: Int64, begins: Int64) {
    #expect(epochs.epoch(at: second * Self.second).begins == begins * Self.second)
  }

  @Test(arguments: [(3_600, 3_240), (6_839, 3_240), (6_840, 6_840), (7_200, 6_840)])
  func areGatheredBeforeTheyBegin(second: Int64, gathered: Int64) {
    let time = second * Self.second
    #expect(epochs.gathering(at: time) == gathered * Self.second)
    #expect(epochs.epoch(at: time).gathered <= epochs.gathering(at: time), "and nobody sees that it is done")
  }
}
