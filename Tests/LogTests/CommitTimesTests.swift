import Domain
import Testing

@testable import Log

@Suite("when positions were committed, about")
struct CommitTimesTests {
  private let began = ContinuousClock.now

  private func seconds(_ times: CommitTimes, _ position: LogPosition) -> Double {
    let (seconds, attoseconds) = (times.time(of: position) - began).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  @Test("what is older than the server counts from its start")
  func older() {
    var times = CommitTimes(began: began)
    #expect(seconds(times, 5) == 0)
    times.note(11, at: began + .seconds(7))
    #expect(seconds(times, 10) == 0)
    #expect(seconds(times, 11) == 7)
  }

  @Test("a commit after a silence has its own time, not that of the one before")
  func silence() {
    var times = CommitTimes(began: began)
    times.note(1, at: began + .seconds(1))
    times.note(2, at: began + .seconds(3_600))
    #expect(seconds(times, 1) == 1)
    #expect(seconds(times, 2) == 3_600)
  }

  @Test("what comes in one tenth of a second has the time of the first of it")
  func interval() {
    var times = CommitTimes(began: began)
    for number in 0..<10 { times.note(LogPosition(1 + number), at: began + .milliseconds(30 * number)) }
    #expect((1...4).map { seconds(times, $0) } == [0, 0, 0, 0])
    #expect((5...8).map { seconds(times, $0) } == [0.12, 0.12, 0.12, 0.12])
  }

  @Test("however long it goes on, no time is further off than a tenth, and a silence stays one")
  func longTime() {
    var times = CommitTimes(began: began)
    // A day of commits, ten a second, with a silence of an hour.
    var at: [Double] = []
    var now = 0.0
    for number in 0..<864_000 {
      now += number == 400_000 ? 3_600 : 0.1
      at.append(now)
      times.note(LogPosition(number), at: began + .seconds(now))
    }
    for number in Array(stride(from: 0, to: at.count, by: 997)) + [399_999, 400_000, 863_999] {
      let known = seconds(times, LogPosition(number))
      #expect(known <= at[number] + 1e-6 && at[number] - known <= 0.1 + (now - at[number]) / 10)
    }
    #expect(seconds(times, 400_000) - seconds(times, 399_999) >= 3_600)
  }
}
