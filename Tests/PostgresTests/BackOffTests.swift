import Postgres
import Testing

@Suite struct BackOffTests {
  @Test func delaysGrowByTheFactorUpToTheLimit() {
    var backOff = BackOff(initial: .milliseconds(10), max: .milliseconds(100), factor: 3, jitter: 0)
    #expect((0..<5).map { _ in backOff.next() } == [10, 30, 90, 100, 100].map { .milliseconds($0) })
  }

  @Test func jitterShortensADelayByNoMoreThanItsPart() {
    let backOff = BackOff(initial: .milliseconds(100), max: .seconds(1), factor: 2, jitter: 0.5)
    var (shortest, longest, any) = (backOff, backOff, backOff)
    #expect(shortest.next(random: 0) == .milliseconds(50))
    #expect(longest.next(random: 1) == .milliseconds(100))
    for _ in 0..<100 {
      let delay = any.next()
      #expect(delay >= .milliseconds(50) && delay <= .seconds(1))
    }
  }

  @Test func aSuccessStartsOver() {
    var backOff = BackOff(initial: .milliseconds(10), jitter: 0)
    _ = backOff.next()
    _ = backOff.next()
    backOff.reset()
    #expect(backOff.next() == .milliseconds(10))
    #expect(backOff.attempts == 1)
  }

  @Test func manyAttemptsStayAtTheLimit() {
    var backOff = BackOff(initial: .milliseconds(1), max: .seconds(5), factor: 10, jitter: 0)
    for _ in 0..<10_000 { _ = backOff.next() }
    #expect(backOff.next() == .seconds(5))
  }
}
