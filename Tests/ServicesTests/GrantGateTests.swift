import Domain
import TestSupport
import Testing

@testable import ServiceKit
@testable import Services
@testable import Storage

/// What closes when a grant ends.
@Suite(.timeLimit(.minutes(1))) struct GrantGateTests {
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

  @Test func aCancelledTaskStopsWaiting() async throws {
    let gate = GrantGate(grant: 1)
    let waiting = Task { try await gate.waitForEnd() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
