import RPCRuntime
import ServiceAPI
import Testing

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

@Suite(.timeLimit(.minutes(5))) struct AttemptLimitTests {
  private let now = ContinuousClock.now

  private func limit(_ perMinute: Int) -> AttemptLimit {
    AttemptLimit(perMinute: perMinute, reason: "TOO_MANY", of: "attempts")
  }

  private func address(_ peer: String) -> ClientAddress {
    ClientAddress(peer: peer, forwarded: [], proxies: TrustedProxies())
  }

  @Test func strangersAreBoundedByAddress() async throws {
    let limit = limit(10)
    for _ in 0..<10 { try limit.take(address("ipv4:192.0.2.1:1000"), at: now) }
    let end = await status { try limit.take(address("ipv4:192.0.2.1:2000"), at: now + .seconds(59)) }
    #expect(end?.code == .resourceExhausted && end?.errorInfo?.reason == "TOO_MANY")
    try limit.take(address("ipv4:192.0.2.2:1000"), at: now)
    try limit.take(address("ipv4:192.0.2.1:1000"), at: now + .seconds(60))
    for _ in 0..<200 { try limit.take(address("ipv4:127.0.0.1:1000"), at: now) }
  }

  @Test func whatWasNoAttemptIsTakenBack() throws {
    let limit = limit(1)
    for _ in 0..<200 {
      try limit.take(address("ipv4:192.0.2.1:1"), at: now)
      limit.giveBack(address("ipv4:192.0.2.1:1"))
    }
    try limit.take(address("ipv4:192.0.2.1:1"), at: now)
    #expect(throws: RPCStatus.self) { try limit.take(address("ipv4:192.0.2.1:1"), at: now) }
  }

  @Test("A network of many addresses has as many attempts as ten of them: a /24, or a /48")
  func networksAreBounded() throws {
    let networks: [(Int) -> String] = [{ "ipv4:192.0.2.\($0):1" }, { "ipv6:%5B2001:db8:7:\($0)::1%5D:1" }]
    for member in networks {
      let limit = limit(1)
      for number in 1...10 { try limit.take(address(member(number)), at: now) }
      #expect(throws: RPCStatus.self) { try limit.take(address(member(11)), at: now) }
      try limit.take(address("ipv4:192.0.3.1:1"), at: now)
      try limit.take(address("ipv6:%5B2001:db8:8::1%5D:1"), at: now)
    }
  }

  @Test("Of addresses and networks the server remembers ten thousand: then it begins again, and does not grow")
  func addressesAreBounded() throws {
    let limit = limit(1)
    func take(_ index: Int, _ offset: Duration) throws {
      try limit.take(address("ipv4:10.\(index / 250).\(index % 250).1:1"), at: now + offset)
    }
    try limit.take(address("ipv4:192.0.2.1:1"), at: now)
    // Each is two: it and its network.
    for index in 1..<5_000 { try take(index, .zero) }
    #expect(throws: RPCStatus.self) { try limit.take(address("ipv4:192.0.2.1:1"), at: now) }
    try take(5_000, .zero)
    try limit.take(address("ipv4:192.0.2.1:1"), at: now)
    // Those of a minute ago make room for others alone.
    for index in 5_001..<10_000 { try take(index, .seconds(60)) }
    #expect(throws: RPCStatus.self) { try take(9_999, .seconds(61)) }
    try take(10_000, .seconds(61))
    #expect(throws: RPCStatus.self) { try take(9_999, .seconds(61)) }
  }
}
