import Testing
import Threads

/// Whose turn it is among those who wait.
@Suite struct RoundRobinTests {
  private static func waiting(_ all: [(String, Int)]) -> RoundRobin<String, Int> {
    var waiting = RoundRobin<String, Int>()
    for (key, element) in all { waiting.append(element, of: key) }
    return waiting
  }

  private static func rest(of waiting: RoundRobin<String, Int>) -> [Int] {
    var waiting = waiting
    var rest: [Int] = []
    while let next = waiting.popNext() { rest.append(next.element) }
    #expect(waiting.isEmpty && waiting.longest == nil)
    return rest
  }

  @Test func keysTakeTurnsAndOfEachTheOldestComesFirst() {
    let waiting = Self.waiting([("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)])
    #expect(waiting.count == 6 && waiting.count(of: "a") == 3 && waiting.count(of: "d") == 0)
    #expect(waiting.longest == "a")
    #expect(Self.rest(of: waiting) == [1, 4, 5, 2, 6, 3])
  }

  @Test func whoMayHaveNoTurnIsPassedOverAndKeepsThePlace() throws {
    var waiting = Self.waiting([("a", 1), ("b", 2), ("c", 3), ("b", 4)])
    let next = try #require(waiting.popNext { $0 != "a" })
    #expect(next == ("b", 2))
    #expect(waiting.popNext { _ in false } == nil)
    #expect(Self.rest(of: waiting) == [1, 3, 4])
  }

  @Test func whoHasHadATurnAndComesAgainIsTheLast() {
    var waiting = Self.waiting([("a", 1), ("b", 2)])
    #expect(waiting.popNext()?.element == 1)
    waiting.append(3, of: "a")
    #expect(Self.rest(of: waiting) == [2, 3])
  }

  @Test func whoLeavesIsInNobodysWay() {
    var waiting = Self.waiting([("a", 1), ("a", 2), ("b", 3), ("b", 4), ("b", 5)])
    #expect(waiting.remove(of: "a") { $0 == 2 } == 2)
    #expect(waiting.remove(of: "a") { $0 == 2 } == nil)
    #expect(waiting.remove(of: "a") { $0 == 1 } == 1)
    #expect(waiting.removeLast(of: "b") == 5)
    #expect(waiting.removeLast(of: "a") == nil)
    #expect(waiting.count == 2 && waiting.longest == "b")
    #expect(Self.rest(of: waiting) == [3, 4])
  }
}
