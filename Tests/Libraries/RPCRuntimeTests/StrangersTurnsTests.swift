import Testing

@testable import RPCRuntime

extension RPCRuntimeTests {
  /// How far strangers may run ahead of the server, all together and one alone.
  @Suite struct StrangersTurnsTests {
    private let start = ContinuousClock.now

    private static func connections(_ count: Int, of address: String = "192.0.2.1") -> [Connection] {
      (1...count).map {
        let endpoint = Endpoint(peer: "ipv4:\(address):\($0)")
        return Connection(-1, endpoint: endpoint, client: endpoint.map { ClientAddress($0.number) })
      }
    }

    /// Whoever has a turn now, of all that wait.
    private static func begun(
      _ turns: inout StrangersTurns, after count: Int = 0, at now: ContinuousClock.Instant
    ) -> [Connection] {
      var begun: [Connection] = []
      while let connection = turns.popNext(after: count, at: now) {
        turns.begin(of: connection, at: now)
        begun.append(connection)
      }
      return begun
    }

    private func turns(interval: Duration, for connections: [Connection]) -> StrangersTurns {
      var turns = StrangersTurns(interval: interval)
      for connection in connections { turns.enqueue(connection) }
      return turns
    }

    private static func areSame(_ some: [Connection], _ others: [Connection]) -> Bool {
      some.elementsEqual(others, by: ===)
    }

    private static func numbers(_ connections: [Connection]) -> [UInt16] { connections.map { $0.endpoint!.port } }

    @Test func fourAreReadAtOnceUntilTheyHaveSentEnoughOrTheirTimeIsOver() throws {
      let all = Self.connections(6)
      var turns = turns(interval: .seconds(60), for: all)
      var begun = Self.begun(&turns, at: start)
      #expect(Self.numbers(begun) == [1, 2, 3, 4])
      var ended = turns.popEnded(at: start)
      #expect(ended == nil)
      turns.end(of: all[1])
      begun = Self.begun(&turns, at: start + .milliseconds(1))
      #expect(Self.numbers(begun) == [5])
      let end = try #require(turns.nextChange)
      #expect(end > start && end <= start + .milliseconds(10))
      for connection in [all[0], all[2], all[3]] {
        ended = turns.popEnded(at: end)
        #expect(ended === connection)
      }
      ended = turns.popEnded(at: end)
      #expect(ended == nil, "the last one began later")
      let next = try #require(turns.nextChange)
      #expect(next <= end, "one that waits may begin")
    }

    @Test func addressesTakeTurnsAndWhoeverWaitsLongestIsTheFirstOfThem() {
      let many = Self.connections(100)
      let (one, other) = (Self.connections(2, of: "192.0.2.2"), Self.connections(1, of: "192.0.2.3"))
      var turns = turns(interval: .seconds(60), for: many + one + other)
      var begun = Self.begun(&turns, at: start)
      #expect(Self.areSame(begun, [many[0], one[0], other[0], many[1]]))
      // Who has had a turn and waits for the next one is behind the others of its address, and that behind the others.
      for connection in begun { turns.end(of: connection) }
      for connection in begun.reversed() { turns.enqueue(connection) }
      begun = Self.begun(&turns, at: start + .milliseconds(1))
      #expect(Self.areSame(begun, [one[1], many[2], other[0], one[0]]))
    }

    @Test func whoWaitsNoLongerHasNoTurn() {
      let (one, other) = (Self.connections(2), Self.connections(2, of: "192.0.2.2"))
      var turns = turns(interval: .seconds(60), for: one + other)
      for connection in [one[0], one[0], one[1], other[0]] { turns.dequeue(connection) }
      let begun = Self.begun(&turns, at: start)
      #expect(Self.areSame(begun, [other[1]]))
      turns.end(of: other[1])
      #expect(turns.nextChange == nil)
    }

    @Test func theCallsThatTheyBeginHaveARate() throws {
      let all = Self.connections(3)
      var turns = turns(interval: .seconds(60), for: [all[0]])
      var begun = Self.begun(&turns, after: 999, at: start).count
      #expect(begun == 1)
      turns.enqueue(all[1])
      begun = Self.begun(&turns, after: 999, at: start).count
      #expect(begun == 1, "each call is counted once")
      turns.enqueue(all[2])
      begun = Self.begun(&turns, after: 1_800, at: start).count
      let next = try #require(turns.nextChange)
      #expect(begun == 0 && next == start + .milliseconds(5), "the first turn's end")
      for connection in all { turns.end(of: connection) }
      let ready = try #require(turns.nextChange)
      #expect(ready > start + .milliseconds(150) && ready < start + .milliseconds(200))
      begun = Self.begun(&turns, after: 1_800, at: start + .milliseconds(100)).count
      #expect(begun == 0)
      begun = Self.begun(&turns, after: 1_800, at: ready).count
      #expect(begun == 1)
    }

    @Test func callsThatNobodyLookedAtBlockNoTurnsForLong() {
      let all = Self.connections(2)
      var turns = turns(interval: .seconds(60), for: [all[0]])
      var begun = Self.begun(&turns, at: start).count
      turns.end(of: all[0])
      turns.enqueue(all[1])
      // A health check each second for a day.
      let later = start + .seconds(86_400)
      for pause in [Duration.zero, .milliseconds(250)] {
        begun += Self.begun(&turns, after: 86_400, at: later + pause).count
      }
      #expect(begun == 2)
    }

    @Test func whoeverNeedsATurnHasOneHoweverManyCallsBeginWithoutOne() {
      let all = Self.connections(4)
      var turns = turns(interval: .milliseconds(20), for: all)
      let begun = [0, 10, 19, 20, 30, 40].map {
        Self.begun(&turns, after: ($0 + 1) * 1_000_000, at: start + .milliseconds($0)).count
      }
      // Nobody has had one before: the first one begins.
      #expect(begun == [1, 0, 0, 1, 0, 1])
    }

    @Test func aCallNowAndThenNeedsNoTurn() throws {
      var (bytes, calls) = try #require(ReadingBounds.stranger.turnless)
      // The handshake of TLS and a call, and then a call each second.
      var waits = [bytes.take(1_900, at: start)]
      for second in 1...60 { waits.append(bytes.take(120, at: start + .seconds(second))) }
      #expect(waits.allSatisfy { $0 == .zero })
      let wait = bytes.take(1_000, at: start + .seconds(60))
      #expect(wait > .seconds(1))
      waits = [calls.take(10, at: start)]
      for second in 1...60 { waits.append(calls.take(1, at: start + .seconds(second))) }
      #expect(waits.allSatisfy { $0 == .zero })
      #expect(ReadingBounds.known.turnless == nil)
    }
  }
}
