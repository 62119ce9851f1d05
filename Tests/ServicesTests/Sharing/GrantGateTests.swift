import Domain
import Testing
import TestSupport

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// What closes when a grant ends.
@Suite(.timeLimit(.minutes(5))) struct GrantGateTests {
  private func end(at position: LogPosition) -> PositionedAccessChange {
    .init(position: position, change: .init(request: 1, person: 2, thirdParty: 3, state: .revoked, time: 4))
  }

  @Test func whoWaitsHearsOfTheFirstEnd() async throws {
    let stream = StreamSignal()
    let gate = GrantGate(grant: 1, signal: stream)
    let told = Counter()
    let waiting = Task {
      defer { told.add(1) }
      return try await gate.waitForEnd()
    }
    // So long that it waits.
    try await Task.sleep(for: .milliseconds(50))
    #expect(gate.end == nil && told.value == 0)
    gate.end(end(at: 7))
    gate.end(end(at: 8))
    try await eventually(within: .seconds(5)) { told.value == 1 }
    #expect(try await waiting.value.position == 7)
    #expect(gate.end?.position == 7)
    #expect(await stream.wait() == .data)
    // Whoever comes later does not wait.
    #expect(try await gate.waitForEnd().position == 7)
  }

  @Test func onlyAnEndClosesIt() {
    let gate = GrantGate(grant: 1)
    let change = AccessChange(request: 1, person: 2, thirdParty: 3, state: .accepted, time: 4)
    gate.heard(LogEntry(change), at: 7)
    #expect(gate.end == nil)
    gate.heard(LogEntry(end(at: 8).change), at: 8)
    #expect(gate.end?.position == 8)
  }

  @Test func aCancelledTaskStopsWaiting() async throws {
    let gate = GrantGate(grant: 1)
    let waiting = Task { try await gate.waitForEnd() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
