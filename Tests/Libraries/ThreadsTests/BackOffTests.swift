import Testing
import Threads

@Suite struct BackOffTests {
  @Test func delaysDoubleUpToTheLimit() {
    var backOff = BackOff(initial: .milliseconds(10), max: .milliseconds(100), jitter: 0)
    #expect((0..<6).map { _ in backOff.next() } == [10, 20, 40, 80, 100, 100].map { .milliseconds($0) })
  }

  @Test func theLimitHoldsForTheFirstDelayToo() {
    var backOff = BackOff(initial: .seconds(2), max: .seconds(1), jitter: 0)
    #expect(backOff.next() == .seconds(1) && backOff.next() == .seconds(1))
  }

  @Test func jitterShortensADelayByNoMoreThanItsPart() {
    let backOff = BackOff(initial: .milliseconds(100), max: .seconds(1), jitter: 0.5)
    var (shortest, longest, any) = (backOff, backOff, backOff)
    #expect(shortest.next(random: 0) == .milliseconds(50))
    #expect(longest.next(random: 1) == .milliseconds(100))
    for _ in 0..<100 {
      let delay = any.next()
      #expect(delay >= .milliseconds(50) && delay <= .seconds(1))
    }
  }

  @Test func withoutJitterADelayIsExact() {
    var backOff = BackOff(initial: .nanoseconds(1_234_567_891), max: .seconds(100_000), jitter: 0)
    #expect((0..<3).map { _ in backOff.next() } == [1, 2, 4].map { .nanoseconds(1_234_567_891) * $0 })
  }

  @Test func aSuccessStartsOver() {
    var backOff = BackOff(initial: .milliseconds(10), max: .seconds(1), jitter: 0)
    _ = backOff.next()
    _ = backOff.next()
    #expect(backOff.attempts == 2)
    backOff.reset()
    #expect(backOff.attempts == 0)
    #expect(backOff.next() == .milliseconds(10))
  }

  @Test func manyAttemptsStayAtTheLimit() {
    var backOff = BackOff(initial: .milliseconds(1), max: .seconds(5), jitter: 0)
    for _ in 0..<10_000 { _ = backOff.next() }
    #expect(backOff.next() == .seconds(5))
  }

  @Test func aCountThatIsKeptElsewhereGivesTheSameDelays() {
    let backOff = BackOff(initial: .seconds(10), max: .seconds(3_600))
    #expect(
      [0, 1, 2, 3, 9, 10, .max].map { backOff.delay(after: $0) }
        == [10, 10, 20, 40, 2_560, 3_600, 3_600].map { .seconds($0) })
  }

  @Test func noDelayStaysNone() {
    #expect(BackOff(initial: .zero, max: .seconds(1)).delay(after: .max) == .zero)
  }
}
