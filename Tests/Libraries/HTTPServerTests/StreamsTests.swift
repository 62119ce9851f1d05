import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Answers that are written bit by bit")
struct StreamsTests {
  private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test("What is written arrives before the next is written, and the connection goes on after the end")
  func arrives() async throws {
    let turn = Counter()
    try await withServer(handler: { _ in
      HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")]) { writer in
        for number in 0..<5 {
          try? await eventually { turn.value >= number }
          try? await writer.write(Array("frame \(number)".utf8))
          try? await writer.write([])
        }
      }
    }) { (port) async throws in
      let client = RawClient(port)
      for _ in 0..<2 {
        turn.add(-turn.value)
        client.send(Self.get)
        #expect(try await client.head().contains("Transfer-Encoding: chunked"))
        for number in 0..<5 {
          #expect(try await client.chunk() == Array("frame \(number)".utf8))
          turn.add(1)
        }
        #expect(try await client.chunk() == nil)
      }
    }
  }

  @Test("A write that is longer than the connection's memory comes as a whole")
  func longWrites() async throws {
    let part = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    try await withServer(handler: { _ in
      HTTPResponse(status: 200) { writer in for _ in 0..<3 { try? await writer.write(part) } }
    }) { (port) async throws in
      #expect(try await RawClient(port).ask(Self.get).body == part + part + part)
      let old = RawClient(port)
      old.send("GET / HTTP/1.0\r\n\r\n")
      let head = try await old.head()
      #expect(!head.contains("chunked"))
      #expect(try await old.bytes(900_000) == part + part + part)
      try await old.waitUntilClosed()
    }
  }

  @Test("Frames come whole and in their order to who reads little by little, also those behind which the answer ends")
  func slowly() async throws {
    let frames = (0..<12).map { number in (0..<(number * 60_000)).map { UInt8(truncatingIfNeeded: $0 &* number) } }
    try await withServer(handler: { _ in
      HTTPResponse(status: 200) { writer in for frame in frames { try? await writer.write(frame) } }
    }) { (port) async throws in
      let clients = (0..<2).map { _ in RawClient(port, receiveBufferBytes: 4_096) }
      for client in clients { client.send(Self.get) }
      for client in clients { _ = try await client.head() }
      for frame in frames where !frame.isEmpty {
        for client in clients { #expect(try await client.chunk() == frame) }
      }
      for client in clients { #expect(try await client.chunk() == nil) }
    }
  }

  @Test("Who goes on taking a long write is not cut off, however long it takes in all")
  func steadily() async throws {
    var limits = HTTPLimits()
    limits.takingTime = .seconds(2)
    let part = [UInt8](repeating: 1, count: 16 << 20)
    try await withServer(
      limits, handler: { _ in HTTPResponse(status: 200) { writer in try? await writer.write(part) } }
    ) { (port) async throws in
      // Where the machine stands still for as long as a client may, it is done again.
      try await eventually {
        let client = RawClient(port, receiveBufferBytes: 256 << 10)
        client.send("GET / HTTP/1.0\r\n\r\n")
        var answer: [UInt8] = []
        while case let some = try await client.some(atMost: 256 << 10), !some.isEmpty {
          answer += some
          // It waits for nothing: it is slow.
          try await Task.sleep(for: .milliseconds(60))
        }
        return answer.suffix(part.count + 1).elementsEqual([10] + part)
      }
    }
  }

  @Test("A stream that has nothing to send for a while is not cut off")
  func silence() async throws {
    var limits = HTTPLimits()
    limits.takingTime = .milliseconds(200)
    try await withServer(
      limits,
      handler: { _ in
        HTTPResponse(status: 200) { writer in
          for number: UInt8 in 0..<3 {
            try? await writer.write([number])
            try? await Task.sleep(for: .milliseconds(700))
          }
        }
      }
    ) { (port) async throws in
      #expect(try await RawClient(port).ask(Self.get).body == [0, 1, 2])
    }
  }

  @Test("Who writes is as fast as the client: two writes are ahead at most, beside what the system holds")
  func backpressure() async throws {
    let written = Counter()
    try await withServer(handler: { _ in
      HTTPResponse(status: 200) { writer in
        let part = [UInt8](repeating: 1, count: 1 << 20)
        while written.value < 24 {
          do { try await writer.write(part) } catch { return }
          written.add(1)
        }
      }
    }) { (port) async throws in
      let client = RawClient(port, receiveBufferBytes: 65_536)
      client.send(Self.get)
      try await eventually { written.value > 0 }
      var last = -1
      try await eventually(within: .seconds(60)) {
        defer { last = written.value }
        try await Task.sleep(for: .milliseconds(200))
        return written.value == last
      }
      #expect(written.value < 16)
      #expect(try await client.answer().body.count == 24 << 20)
    }
  }

  @Test("The client's going is noticed with the next writes, and cancels the task")
  func gone() async throws {
    let writes = Counter()
    let cancelled = Counter()
    try await withServer(handler: { _ in
      HTTPResponse(status: 200) { writer in
        do {
          while true {
            try await writer.write([1, 2, 3])
            writes.add(1)
            try? await Task.sleep(for: .milliseconds(5))
          }
        } catch {
          try? await eventually { Task.isCancelled }
          if Task.isCancelled { cancelled.add(1) }
        }
      }
    }) { (port) async throws in
      let clients = (0..<20).map { _ in RawClient(port) }
      for client in clients { client.send(Self.get) }
      for client in clients { _ = try await client.head() }
      for client in clients { client.close() }
      try await eventually { cancelled.value == 20 }
    }
  }

  @Test("Many streams share a frame, and each gets each, however many are suspended")
  func many() async throws {
    let turn = Counter()
    let frame = [UInt8](repeating: 65, count: 500)
    var limits = HTTPLimits()
    limits.requests = 1_000
    try await withServer(
      limits,
      handler: { _ in
        HTTPResponse(status: 200) { writer in
          for number in 1...5 {
            try? await eventually { turn.value >= number }
            try? await writer.write(frame)
          }
        }
      }
    ) { (port) async throws in
      let clients = (0..<900).map { _ in RawClient(port) }
      for client in clients { client.send(Self.get) }
      for client in clients { _ = try await client.head() }
      for _ in 1...5 {
        turn.add(1)
        for client in clients { #expect(try await client.chunk() == frame) }
      }
      for client in clients { #expect(try await client.chunk() == nil) }
    }
  }

  @Test("A write that waits ends when its task is cancelled by somebody else")
  func cancelledWrite() async throws {
    let ended = Counter()
    try await withServer(handler: { _ in
      HTTPResponse(status: 200) { writer in
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            let part = [UInt8](repeating: 1, count: 1 << 22)
            do { while true { try await writer.write(part) } } catch { ended.add(1) }
          }
          group.addTask { try? await Task.sleep(for: .milliseconds(100)) }
          await group.next()
          group.cancelAll()
        }
      }
    }) { (port) async throws in
      let client = RawClient(port, receiveBufferBytes: 4_096)
      client.send(Self.get)
      try await eventually { ended.value == 1 }
    }
  }

  @Test("A wait for a body ends when its task is cancelled by somebody else, and can be answered")
  func cancelledRead() async throws {
    let ended = Counter()
    try await withServer(handler: { request in
      let error = await withTaskGroup(of: HTTPBodyError?.self) { group in
        group.addTask {
          do throws(HTTPBodyError) { _ = try await request.nextPart() } catch { return error }
          return nil
        }
        try? await Task.sleep(for: .milliseconds(50))
        group.cancelAll()
        return await group.next() ?? nil
      }
      ended.add(1)
      return .plain(error?.status ?? 200)
    }) { (port) async throws in
      let client = RawClient(port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n")
      try await eventually { ended.value == 1 }
      client.send("abc")
      #expect(try await client.answer().status == 503)
    }
  }
}
