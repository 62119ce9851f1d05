import RPCRuntime
import ServiceAPI
import Synchronization
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

/// Whoever brings many passwords waits behind the others with most of them.
@Suite(.timeLimit(.minutes(5))) final class PasswordTurnsTests: Sendable {
  private let turns = PasswordTurns()
  private let gate = Gate()
  /// Keeps all places but one taken, so that those who wait go in one after the other.
  private let held = Gate()
  private let order = Mutex<[String]>([])
  private let busy = Counter()

  private func address(_ number: String) -> ClientAddress {
    ClientAddress(peer: "ipv4:\(number):1", forwarded: [], proxies: TrustedProxies())
  }

  /// A call that waits for the gate when its turn has come.
  private func call(_ number: String, at gate: Gate? = nil) -> Task<Void, any Error> {
    let gate = gate ?? self.gate
    return Task { [self] in
      do {
        try await turns.run(for: address(number)) {
          order.withLock { $0.append(number) }
          try await gate.wait()
        }
      } catch let status as RPCStatus {
        #expect(status.errorInfo?.reason == "TOO_BUSY")
        busy.add(1)
      }
    }
  }

  /// So many calls of one address each that are inside, each of another network.
  private func fill() async throws -> [Task<Void, any Error>] {
    let calls = (1...PasswordTurns.places).map { call("198.51.\($0).1", at: $0 == 1 ? gate : held) }
    try await eventually { order.withLock(\.count) == PasswordTurns.places }
    return calls
  }

  /// Lets everybody in, by one place at first.
  private func open() async throws {
    gate.open()
    try await eventually { order.withLock(\.count) >= PasswordTurns.places + 2 }
    held.open()
  }

  @Test func anAddressThatBringsAThousandIsOneOfThoseWhoTakeTurns() async throws {
    var calls = try await fill()
    for _ in 0..<1_000 { calls.append(call("192.0.2.1")) }
    try await eventually { busy.value == 1_000 - 1 - PasswordTurns.waitingPerAddress }
    calls.append(call("203.0.113.9"))
    try await eventually { turns.waitingCount == PasswordTurns.waitingPerAddress + 2 }
    try await open()
    for call in calls { try await call.value }
    // The address's oldest was there before.
    #expect(order.withLock { $0[PasswordTurns.places + 1] } == "203.0.113.9")
    #expect(turns.waitingCount == 0)
  }

  @Test func aNetworkOfManyAddressesIsOneOfThoseWhoTakeTurns() async throws {
    var calls = try await fill()
    for host in 0..<256 { calls.append(call("192.0.2.\(host)")) }
    try await eventually { busy.value == 256 - PasswordTurns.waitingPerNetwork }
    calls.append(call("203.0.113.9"))
    try await eventually { turns.waitingCount == PasswordTurns.waitingPerNetwork + 1 }
    try await open()
    for call in calls { try await call.value }
    #expect(order.withLock { $0[PasswordTurns.places + 1] } == "203.0.113.9")
  }

  @Test func whereAsManyWaitAsMayTheNewestOfTheFullestNetworkGoes() async throws {
    var calls = try await fill()
    for host in 1...PasswordTurns.waitingPerNetwork { calls.append(call("192.0.2.\(host)")) }
    for network in 1...(PasswordTurns.waiting - PasswordTurns.waitingPerNetwork) {
      calls.append(call("100.64.\(network).1"))
    }
    try await eventually { turns.waitingCount == PasswordTurns.waiting }
    #expect(busy.value == 0)
    calls.append(call("203.0.113.9"))
    try await eventually { busy.value == 1 }
    try await open()
    for call in calls { try await call.value }
    #expect(order.withLock { $0.contains("203.0.113.9") && $0.filter { $0.hasPrefix("100.64.") }.count == 128 })
  }

  @Test func programsOfThisMachineAreAsManyAsANetwork() async throws {
    var calls = try await fill()
    for _ in 0..<PasswordTurns.waitingPerNetwork { calls.append(call("127.0.0.1")) }
    try await eventually { turns.waitingCount == PasswordTurns.waitingPerNetwork }
    #expect(busy.value == 0)
    try await open()
    for call in calls { try await call.value }
  }
}
