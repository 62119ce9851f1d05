import Testing

@testable import Domain

/// What a third party can find out that looks through every door, as often as it likes.
struct ShownForEverTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func anIntervalHasOneValueForEverAndNoneBeforeItIsOver(seed: UInt64) {
    var world = ShownWorld(seed: seed, lateValue: 70)
    world.run(steps: 300)
    #expect(world.violations.isEmpty)
    let values = Dictionary(grouping: Set(world.sights.joined())) {
      "\($0.granularity) \($0.metric) \($0.source) \($0.start)"
    }
    #expect(values.filter { $0.value.count > 1 } == [:])
    #expect(values.count > 20 && world.lateReadings > 20)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func nothingThatIsSeenDependsOnAReadingThatWasLateForItsMinute(seed: UInt64) {
    var one = ShownWorld(seed: seed, lateValue: 70)
    one.run(steps: 300)
    var other = ShownWorld(seed: seed, lateValue: 180)
    other.run(steps: 300)
    #expect(one.sights == other.sights)
    #expect(one.lateReadings > 20 && one.keptReadings > 0)
  }
}
