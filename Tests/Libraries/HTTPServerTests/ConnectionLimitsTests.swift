import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Connections have limits, and the one that does least makes room")
struct ConnectionLimitsTests {
  @Test("For one connection too many, the longest without a request makes room, those first that never had one")
  func connections() async throws {
    let gate = Gate()
    let waiting = Counter()
    try await withServer(
      LimitsTests.limits { $0.connections = 4 },
      handler: { request in
        if request.path == "/wait" {
          waiting.add(1)
          try? await gate.wait()
        }
        return .plain(200)
      }
    ) { (port) async throws in
      let used = RawClient(port)
      #expect(try await used.ask(LimitsTests.get).status == 200)
      let busy = RawClient(port)
      busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
      try await eventually { waiting.value == 1 }
      let unused = [RawClient(port), RawClient(port)]
      unused[0].send("GET / HT")
      let newcomers = [RawClient(port), RawClient(port)]
      #expect(try await newcomers[0].ask(LimitsTests.get).status == 200)
      try await unused[0].waitUntilClosed()
      #expect(try await newcomers[1].ask(LimitsTests.get).status == 200)
      try await unused[1].waitUntilClosed()
      let next = RawClient(port)
      #expect(try await next.ask(LimitsTests.get).status == 200)
      try await used.waitUntilClosed()
      gate.open()
      #expect(try await busy.answer().status == 200)
    }
  }

  @Test("Where each has a request, the one whose body has been waited for longest makes room")
  func slowBodiesMakeRoom() async throws {
    let outcomes = Mutex<[String]>([])
    let (waiting, gate) = (Counter(), Gate())
    try await withServer(
      LimitsTests.limits { $0.connections = 4 },
      handler: { request in
        if request.path == "/wait" {
          waiting.add(1)
          try? await gate.wait()
          return .plain(200)
        }
        if request.path == "/" { return .plain(200) }
        waiting.add(1)
        do throws(HTTPBodyError) { while try await request.nextPart() != nil { waiting.add(1) } } catch {
          outcomes.withLock { $0.append("\(request.path) \(error)") }
        }
        return .plain(200)
      }
    ) { (port) async throws in
      let busy = RawClient(port)
      busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
      try await eventually { waiting.value == 1 }
      var slow: [RawClient] = []
      for name in ["a", "b", "c"] {
        slow.append(RawClient(port))
        slow.last!.send("POST /\(name) HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
        // Its head and its first byte.
        try await eventually { waiting.value == 1 + 2 * slow.count }
      }
      // Whoever sends is waited for anew.
      slow[0].send("x")
      try await eventually { waiting.value == 8 }
      #expect(try await RawClient(port).ask(LimitsTests.get).status == 200)
      try await slow[1].waitUntilClosed()
      #expect(!slow[0].isClosed && !slow[2].isClosed)
      try await eventually { outcomes.withLock { $0 } == ["/b gone"] }
      gate.open()
      #expect(try await busy.answer().status == 200)
    }
  }

  @Test("Who has just come gets the time to say something before a body that has been waited for longer")
  func newcomersBeforeSlowBodies() async throws {
    try await withServer(
      LimitsTests.limits { $0.connections = 3 },
      handler: { request in
        if request.path == "/slow" { _ = try? await request.nextPart() }
        return .plain(200)
      }
    ) { (port) async throws in
      let older = RawClient(port)
      older.send("G")
      let slow = RawClient(port)
      slow.send("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
      #expect(try await slow.answer().status == 100)
      let newcomer = RawClient(port)
      newcomer.send("G")
      let next = RawClient(port)
      #expect(try await next.ask(LimitsTests.get).status == 200)
      try await older.waitUntilClosed()
      let last = RawClient(port)
      #expect(try await last.ask(LimitsTests.get).status == 200)
      try await slow.waitUntilClosed()
      newcomer.send("ET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try await newcomer.answer().status == 200)
    }
  }

  @Test("Where each connection has a request, the newest is closed, and later ones come in again")
  func allBusy() async throws {
    let gate = Gate()
    let waiting = Counter()
    try await withServer(
      LimitsTests.limits { $0.connections = 3 },
      handler: { _ in
        waiting.add(1)
        try? await gate.wait()
        return .plain(200)
      }
    ) { (port) async throws in
      let busy = (0..<3).map { _ in RawClient(port) }
      for client in busy { client.send(LimitsTests.get) }
      try await eventually { waiting.value == 3 }
      for _ in 0..<10 { try await RawClient(port).waitUntilClosed() }
      gate.open()
      for client in busy { #expect(try await client.answer().status == 200) }
      try await eventually {
        let client = RawClient(port)
        client.send(LimitsTests.get)
        return try await client.answer().status == 200
      }
    }
  }

  @Test("One address has its share of the connections, unless it is exempt, and gets it back")
  func perAddress() async throws {
    let limits = LimitsTests.limits {
      $0.connectionsPerAddress = 2
      $0.countsThisMachine = true
    }
    try await withServer(limits, isExempt: { $0.hasPrefix("ipv4:127.0.0.9:") }, handler: echo) { (port) async throws in
      var clients = (0..<2).map { _ in RawClient(port, from: "127.0.0.2") }
      for client in clients { #expect(try await client.ask(LimitsTests.get).status == 200) }
      try await RawClient(port, from: "127.0.0.2").waitUntilClosed()
      #expect(try await RawClient(port, from: "127.0.0.3").ask(LimitsTests.get).status == 200)
      let exempt = (0..<5).map { _ in RawClient(port, from: "127.0.0.9") }
      for client in exempt { #expect(try await client.ask(LimitsTests.get).status == 200) }
      clients.removeLast().close()
      try await eventually {
        let client = RawClient(port, from: "127.0.0.2")
        client.send(LimitsTests.get)
        return try await client.rest(orAnswer: ()).hasPrefix("HTTP/1.1 200")
      }
    }
  }

  @Test("Programs of this machine are not counted per address")
  func thisMachine() async throws {
    try await withServer(LimitsTests.limits { $0.connectionsPerAddress = 1 }, handler: echo) { (port) async throws in
      let clients = (0..<5).map { _ in RawClient(port) }
      for client in clients { #expect(try await client.ask(LimitsTests.get).status == 200) }
    }
  }
}
