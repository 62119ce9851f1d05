internal import Glibc
internal import Synchronization
internal import Threads

/// Takes HTTP requests on one thread: for a few webhooks, not for traffic. It speaks plain HTTP; a proxy in front of it
/// ends TLS. Every connection carries one request, has a deadline, and is limited in size: see `InboundLimits`.
public final class HTTPListener: Sendable {
  /// Where it listens; if 0 was asked for, the one that was free.
  public let port: UInt16
  private let listener: Int32
  private let wake: (read: Int32, write: Int32)
  private let limits: InboundLimits
  private let handler: @Sendable (InboundRequest) async -> InboundResponse
  /// Answers that handlers have made, by connection.
  private let answers = Mutex<[(connection: UInt64, response: InboundResponse)]>([])
  private let isStopping = Atomic<Bool>(false)

  /// Listens from now on; connections wait until `run`.
  ///
  /// - Parameters:
  ///   - host: a name or a number; a number of IPv6 may be in brackets.
  ///   - port: 0: any that is free.
  ///   - handler: answers a request; its task is cancelled when it takes too long.
  /// - Throws: `InboundError`.
  public init(
    host: String, port: UInt16, limits: InboundLimits = InboundLimits(),
    handler: @escaping @Sendable (InboundRequest) async -> InboundResponse
  ) throws(InboundError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw InboundError(description: "no pipe") }
    for end in ends { InboundSocket.makeOurs(end) }
    wake = (ends[0], ends[1])
    do throws(InboundError) { (listener, self.port) = try InboundSocket.listen(host: host, port: port) } catch {
      close(ends[0])
      close(ends[1])
      throw error
    }
    self.limits = limits
    self.handler = handler
  }

  deinit {
    close(wake.read)
    close(wake.write)
    close(listener)
  }

  /// Takes requests until `stop`, or until the task is cancelled; then answers those that have come as a whole, and
  /// returns. To be called once.
  public func run() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        DedicatedThread.detached("http") {
          self.loop()
          continuation.resume()
        }
      }
    } onCancel: {
      stop()
    }
  }

  /// Takes nothing more; `run` returns soon.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    signal()
  }

  private func signal() {
    var byte: UInt8 = 1
    // A full pipe wakes as well.
    _ = write(wake.write, &byte, 1)
  }

  // MARK: The thread

  private struct Connection {
    enum Phase {
      case reading(RequestParser)
      case answering(Task<Void, Never>)
      case writing([UInt8], sent: Int)
    }

    let file: Int32
    var phase: Phase
    var received: [UInt8] = []
    var deadline: ContinuousClock.Instant
  }

  private func loop() {
    var connections: [UInt64: Connection] = [:]
    var last: UInt64 = 0
    while true {
      let isEnding = isStopping.load(ordering: .acquiring)
      if isEnding {
        for (id, connection) in connections {
          if case .reading = connection.phase { end(id, &connections) }
        }
        if connections.isEmpty { return }
      }
      let order = Array(connections.keys)
      var files = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
      let isAccepting = !isEnding && connections.count < limits.connections
      files.append(pollfd(fd: isAccepting ? listener : -1, events: Int16(POLLIN), revents: 0))
      files += order.map { Self.interest(connections[$0]!) }
      poll(&files, nfds_t(files.count), Self.pause(connections))
      var byte = [UInt8](repeating: 0, count: 64)
      while read(wake.read, &byte, byte.count) > 0 {}
      take(&connections)
      for (index, id) in order.enumerated() where files[index + 2].revents != 0 { step(id, &connections) }
      let now = ContinuousClock.now
      for (id, connection) in connections where connection.deadline <= now { expire(id, &connections) }
      while isAccepting, connections.count < limits.connections, let file = InboundSocket.accept(listener) {
        last += 1
        connections[last] = Connection(
          file: file, phase: .reading(RequestParser(limits: limits)), deadline: .now + limits.transfer)
        step(last, &connections)
      }
    }
  }

  private static func interest(_ connection: Connection) -> pollfd {
    switch connection.phase {
    case .reading: pollfd(fd: connection.file, events: Int16(POLLIN), revents: 0)
    // Who goes away now gets no answer; the work is done all the same.
    case .answering: pollfd(fd: -1, events: 0, revents: 0)
    case .writing: pollfd(fd: connection.file, events: Int16(POLLOUT), revents: 0)
    }
  }

  /// Milliseconds until the next deadline; -1 is for ever.
  private static func pause(_ connections: [UInt64: Connection]) -> Int32 {
    guard let next = connections.values.map(\.deadline).min() else { return -1 }
    let left = (next - .now).components
    return Int32(max(0, min(60_000, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)))
  }

  private func step(_ id: UInt64, _ connections: inout [UInt64: Connection]) {
    guard var connection = connections[id] else { return }
    switch connection.phase {
    case .reading(var parser):
      connections[id] = nil
      let received = InboundSocket.receive(connection.file, into: &connection.received)
      if case .nothingYet = received {
        connections[id] = connection
        return
      }
      guard case .bytes = received else {
        close(connection.file)
        return
      }
      let didAwait = parser.awaitsContinue
      let outcome = parser.parse(connection.received)
      connection.phase = .reading(parser)
      connections[id] = connection
      switch outcome {
      case .incomplete:
        if parser.awaitsContinue, !didAwait {
          _ = InboundSocket.send(connection.file, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), from: 0)
        }
      case .refused(let status): answer(id, InboundResponse(status: status), &connections)
      case .request(let request): begin(id, request, &connections)
      }
    case .answering: break
    case .writing(let bytes, let sent):
      guard let count = InboundSocket.send(connection.file, bytes, from: sent), sent + count < bytes.count else {
        end(id, &connections)
        return
      }
      connections[id]?.phase = .writing(bytes, sent: sent + count)
    }
  }

  private func begin(_ id: UInt64, _ request: InboundRequest, _ connections: inout [UInt64: Connection]) {
    let busy = connections.values.count { if case .answering = $0.phase { true } else { false } }
    guard busy < limits.requests else { return answer(id, InboundResponse(status: 503), &connections) }
    connections[id]?.received = []
    connections[id]?.deadline = .now + limits.answer
    let task = Task { [self] in
      let response = await handler(request)
      answers.withLock { $0.append((id, response)) }
      signal()
    }
    connections[id]?.phase = .answering(task)
  }

  /// Takes over the answers that were made.
  private func take(_ connections: inout [UInt64: Connection]) {
    let made = answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
    for (id, response) in made {
      guard case .answering = connections[id]?.phase else { continue }
      answer(id, response, &connections)
    }
  }

  private func answer(_ id: UInt64, _ response: InboundResponse, _ connections: inout [UInt64: Connection]) {
    connections[id]?.phase = .writing(response.bytes, sent: 0)
    connections[id]?.deadline = .now + limits.transfer
    step(id, &connections)
  }

  private func expire(_ id: UInt64, _ connections: inout [UInt64: Connection]) {
    switch connections[id]?.phase {
    case .reading: answer(id, InboundResponse(status: 408), &connections)
    case .answering(let task):
      task.cancel()
      answer(id, InboundResponse(status: 503), &connections)
    default: end(id, &connections)
    }
  }

  private func end(_ id: UInt64, _ connections: inout [UInt64: Connection]) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    // What was sent is sent; unread bytes of a refused request must not turn the answer into a reset.
    shutdown(connection.file, Int32(SHUT_WR))
    var rest: [UInt8] = []
    while rest.count < 1 << 18, case .bytes = InboundSocket.receive(connection.file, into: &rest) {}
    close(connection.file)
  }
}
