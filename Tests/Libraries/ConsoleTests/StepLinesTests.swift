import Console
import Synchronization
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(5))) struct StepLinesTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    func count(of line: (String) -> Bool) -> Int { all.withLock { $0.count(where: line) } }
  }

  @Test func aStepIsSaidWhenItBeginsAndAgainWhileItLasts() async throws {
    let said = Lines()
    let lines = StepLines(every: .milliseconds(5)) { line in said.all.withLock { $0.append(line) } }
    lines.begin("1 of 2: reading")
    #expect(said.all.withLock { $0.first } == "1 of 2: reading")
    try await eventually { said.count { $0.hasPrefix("1 of 2: reading (") } >= 2 }
    lines.begin("2 of 2: writing")
    try await eventually { said.count { $0.hasPrefix("2 of 2: writing (") } >= 2 }
    lines.end()
    // The first step was over when the second began.
    let all = said.all.withLock { $0 }
    let second = try #require(all.firstIndex(of: "2 of 2: writing"))
    #expect(all[(second + 2)...].allSatisfy { $0.hasPrefix("2 of 2: writing") })
  }
}
