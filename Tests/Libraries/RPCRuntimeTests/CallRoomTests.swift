import Testing

@testable import RPCRuntime

@Suite("Who gets into a server's room for calls")
struct CallRoomTests {
  private let here = ClientAddress.thisMachine

  private func address(_ host: Int) -> ClientAddress {
    ClientAddress(peer: "ipv4:192.0.2.\(host):1", forwarded: [], proxies: TrustedProxies())
  }

  private func room(
    all: Int = 1_000, perAddress: Int = 100, strangers: Int = 10, strangersPerAddress: Int = 4, checks: Int = 3,
    checksPerAddress: Int = 3
  ) -> CallRoom<Int> {
    CallRoom(
      CallRoomLimits(
        maxCalls: all, maxPerAddress: perAddress, maxStrangers: strangers,
        maxStrangersPerAddress: strangersPerAddress, maxChecks: checks,
        maxChecksPerAddress: checksPerAddress))
  }

  /// The place of a call that must get in, and the call that ended for it.
  private func enter(
    _ room: inout CallRoom<Int>, _ call: Int, _ standing: CallStanding, _ address: ClientAddress
  ) throws -> (CallRoom<Int>.Place, Int?) {
    guard case .taken(let place, let oldest) = room.enter(call, as: standing, from: address) else {
      throw RPCStatus(.resourceExhausted, "call \(call) was refused")
    }
    return (place, oldest)
  }

  private func isRefused(_ room: inout CallRoom<Int>, _ standing: CallStanding, _ address: ClientAddress) -> Bool {
    if case .refused = room.enter(0, as: standing, from: address) { true } else { false }
  }

  @Test("Where strangers or checks have their whole share, their oldest ends for the newest, and no other's")
  func oldest() throws {
    var room = room()
    _ = try enter(&room, 100, .known, here)
    _ = try enter(&room, 101, .vital, address(1))
    for (standing, max) in [(CallStanding.stranger, 10), (.check, 3)] {
      var places: [CallRoom<Int>.Place] = []
      for call in 0..<max { places.append(try enter(&room, call, standing, here).0) }
      #expect(try enter(&room, max, standing, here).1 == 0)
      // One that ends by itself makes room for one.
      room.leave(places[1])
      #expect(try enter(&room, max + 1, standing, here).1 == nil)
      #expect(try enter(&room, max + 2, standing, here).1 == 2)
      // What has ended for another gives nothing back twice.
      room.leave(places[0])
      #expect(try enter(&room, max + 3, standing, here).1 == 3)
    }
    #expect(room.strangerCount == 13)
  }

  @Test("An address whose calls have ended for those of others may have as many again")
  func oldestOfAddress() throws {
    for standing in [CallStanding.stranger, .check] {
      var room = room(strangers: 2, strangersPerAddress: 2, checks: 2, checksPerAddress: 2)
      for host in [1, 2, 1, 2] {
        for call in 0..<2 { _ = try enter(&room, call, standing, address(host)) }
      }
      #expect(room.strangerCount == 2 && room.count == 8)
    }
  }

  @Test("An address has so many checks at once, beside its other calls; this machine's are not counted")
  func checksOfAddress() throws {
    var room = room(checks: 100, checksPerAddress: 2)
    let places = try (0..<2).map { try enter(&room, $0, .check, address(1)).0 }
    #expect(isRefused(&room, .check, address(1)))
    for standing in [CallStanding.stranger, .known, .vital] { _ = try enter(&room, 2, standing, address(1)) }
    _ = try enter(&room, 3, .check, address(2))
    for call in 4..<9 { _ = try enter(&room, call, .check, here) }
    room.leave(places[0])
    _ = try enter(&room, 9, .check, address(1))
    #expect(isRefused(&room, .check, address(1)))
  }

  @Test("A silent call ends before one that waits for its answer")
  func silence() throws {
    for standing in [CallStanding.stranger, .check] {
      var room = room(strangers: 3, checks: 3)
      for call in 0..<3 {
        let place = try enter(&room, call, standing, here).0
        if call != 1 { room.speak(place) }
      }
      #expect(try enter(&room, 3, standing, here).1 == 1)
      let place = try enter(&room, 4, standing, here)
      #expect(place.1 == 3)
      room.speak(place.0)
      #expect(try enter(&room, 5, standing, here).1 == 0)
    }
  }

  @Test("A call that lasts while a hundred thousand come and go is still the oldest")
  func longLasting() throws {
    var room = room()
    for call in [-2, -1] { room.speak(try enter(&room, call, .stranger, here).0) }
    _ = try enter(&room, 0, .stranger, here)
    for call in 1..<100_000 {
      let place = try enter(&room, call, .stranger, here).0
      if call % 2 == 0 { room.speak(place) }
      room.leave(place)
    }
    for call in 1..<8 { #expect(try enter(&room, call, .stranger, here).1 == nil) }
    for oldest in 0..<8 {
      let (place, last) = try enter(&room, 8, .stranger, here)
      room.speak(place)
      #expect(last == oldest)
    }
    #expect(try enter(&room, 9, .stranger, here).1 == -2)
    #expect(try enter(&room, 10, .stranger, here).1 == 9)
  }

  @Test("Strangers of one address have few calls, others more; this machine's are not counted by address")
  func perAddress() throws {
    var room = room()
    let first = try enter(&room, 0, .stranger, address(1)).0
    for call in 1..<4 { _ = try enter(&room, call, .stranger, address(1)) }
    #expect(isRefused(&room, .stranger, address(1)))
    _ = try enter(&room, 4, .stranger, address(2))
    _ = try enter(&room, 5, .check, address(1))
    for call in 6..<101 { _ = try enter(&room, call, .known, address(1)) }
    for standing in [CallStanding.stranger, .check, .known, .vital] {
      #expect(isRefused(&room, standing, address(1)), "\(standing)")
    }
    room.leave(first)
    _ = try enter(&room, 101, .stranger, address(1))
    for call in 102..<300 { _ = try enter(&room, call, .known, here) }
  }

  @Test("One for whom somebody vouches is no stranger any more")
  func vouching() throws {
    var room = room()
    var places: [CallRoom<Int>.Place] = []
    for call in 0..<4 { places.append(try enter(&room, call, .stranger, address(1)).0) }
    for index in places.indices { room.vouch(for: &places[index], as: .known) }
    #expect(room.strangerCount == 0)
    for call in 4..<8 { places.append(try enter(&room, call, .stranger, address(1)).0) }
    #expect(isRefused(&room, .stranger, address(1)))
    for place in places { room.leave(place) }
    #expect(room.count == 0 && room.addressCount == 0)
  }

  @Test("The last twentieth is kept for vital calls and checks")
  func reserve() throws {
    var room = room(all: 40, checks: 1)
    for call in 0..<38 { _ = try enter(&room, call, .known, here) }
    #expect(isRefused(&room, .known, here) && isRefused(&room, .stranger, here))
    let check = try enter(&room, 38, .check, here).0
    _ = try enter(&room, 39, .vital, here)
    #expect(isRefused(&room, .vital, here) && isRefused(&room, .check, here))
    room.leave(check)
    _ = try enter(&room, 40, .vital, here)
  }

  @Test("Counts go back to nothing, in whatever order calls come, are vouched for and end")
  func counts() {
    var random = SystemRandomNumberGenerator()
    var room = room(all: 60, perAddress: 20)
    var places: [CallRoom<Int>.Place] = []
    for call in 0..<20_000 {
      switch Int.random(in: 0..<7, using: &random) {
      case 0..<3:
        let standing = [CallStanding.stranger, .stranger, .check, .known, .vital].randomElement(using: &random)!
        let address = [here, address(1), address(2), address(3)].randomElement(using: &random)!
        if case .taken(let place, _) = room.enter(call, as: standing, from: address) { places.append(place) }
      case 3:
        guard let index = places.indices.randomElement(using: &random) else { continue }
        if places[index].standing == .stranger { room.vouch(for: &places[index], as: .known) }
      case 4:
        if let place = places.randomElement(using: &random) { room.speak(place) }
      default:
        guard let index = places.indices.randomElement(using: &random) else { continue }
        room.leave(places.remove(at: index))
      }
      #expect(room.count == places.count)
      #expect(room.strangerCount <= places.count { $0.standing == .stranger || $0.standing == .check })
    }
    for place in places { room.leave(place) }
    #expect(room.count == 0 && room.strangerCount == 0 && room.addressCount == 0)
    // As if nobody had been there.
    for call in 0..<10 { #expect(throws: Never.self) { try enter(&room, call, .stranger, address(call / 4)) } }
  }
}
