import RPCRuntime
import ServiceAPI
import Synchronization
import Testing

@testable import Services

/// Whoever brings many passwords waits behind the others with most of them.
@Suite(.timeLimit(.minutes(5))) final class PasswordTurnsTests: Sendable {
  private let turns = PasswordTurns()
  private let gate = Gate()
  private let order = Mutex<[String]>([])
  private let busy = Counter()

  private func address(_ number: String) -> ClientAddress {
    ClientAddress(peer: "ipv4:\(number):1", forwarded: [], proxies: TrustedProxies())
  }

  /// A call that waits for the gate when its turn has come.
  private func call(_ number: String) -> Task<Void, any Error> {
    Task { [self] in
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
    let calls = (1...PasswordTurns.places).map { call("198.51.\($0).1") }
    try await eventually { order.withLock(\.count) == PasswordTurns.places }
    return calls
  }

  /// When a call came in, counted from 0. Those that come in together note it in no order.
  private func place(of number: String) -> Int { order.withLock { $0.firstIndex(of: number) ?? .max } }

  @Test func anAddressThatBringsAThousandIsOneOfThoseWhoTakeTurns() async throws {
    var calls = try await fill()
    for _ in 0..<1_000 { calls.append(call("192.0.2.1")) }
    try await eventually { busy.value == 1_000 - 1 - PasswordTurns.waitingPerAddress }
    calls.append(call("203.0.113.9"))
    try await eventually { turns.waitingCount == PasswordTurns.waitingPerAddress + 2 }
    gate.open()
    for call in calls { try await call.value }
    #expect(place(of: "203.0.113.9") <= 2 * PasswordTurns.places)
    #expect(turns.waitingCount == 0)
  }

  @Test func aNetworkOfManyAddressesIsOneOfThoseWhoTakeTurns() async throws {
    var calls = try await fill()
    for host in 0..<256 { calls.append(call("192.0.2.\(host)")) }
    try await eventually { busy.value == 256 - PasswordTurns.waitingPerNetwork }
    calls.append(call("203.0.113.9"))
    try await eventually { turns.waitingCount == PasswordTurns.waitingPerNetwork + 1 }
    gate.open()
    for call in calls { try await call.value }
    #expect(place(of: "203.0.113.9") <= 2 * PasswordTurns.places)
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
    gate.open()
    for call in calls { try await call.value }
    #expect(order.withLock { $0.contains("203.0.113.9") && $0.filter { $0.hasPrefix("100.64.") }.count == 128 })
  }

  @Test func programsOfThisMachineAreAsManyAsANetwork() async throws {
    var calls = try await fill()
    for _ in 0..<PasswordTurns.waitingPerNetwork { calls.append(call("127.0.0.1")) }
    try await eventually { turns.waitingCount == PasswordTurns.waitingPerNetwork }
    #expect(busy.value == 0)
    gate.open()
    for call in calls { try await call.value }
  }
}
