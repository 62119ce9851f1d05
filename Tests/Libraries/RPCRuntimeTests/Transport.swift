import RPCRuntime

/// The ways in which a call reaches a server: what a handler sees and a client gets is the same on both.
enum Transport: Sendable, CaseIterable {
  /// Through a channel.
  case network
  /// Within the process.
  case local
}

/// A call's client, whatever its way.
protocol TestCall: Sendable {
  func send(_ message: RPCMessage, moreToCome: Bool) async throws
  func finishSending() async throws
  func next() async throws -> RPCMessage?
  /// The response's headers, once there are some.
  func headers() async throws -> Metadata
  var trailingMetadata: Metadata { get }
  /// How the call ends; messages before that may be lost.
  var status: RPCStatus { get async }
  func cancel()
}

extension TestCall {
  func send(_ message: RPCMessage) async throws { try await send(message, moreToCome: false) }

  func sendLast(_ message: RPCMessage) async throws {
    try await send(message)
    try await finishSending()
  }
}

extension ClientCall: TestCall {
  func headers() async throws -> Metadata { try await initialMetadata() }
}

extension LocalCall: TestCall {
  func send(_ message: RPCMessage, moreToCome: Bool) async throws { try await send(message) }

  func headers() async throws -> Metadata {
    try await eventually { !self.initialMetadata.isEmpty }
    return initialMetadata
  }

  var status: RPCStatus {
    get async {
      do {
        while try await next() != nil {}
        return .ok
      } catch { return error as? RPCStatus ?? RPCStatus(.unknown, "\(error)") }
    }
  }
}

extension Rig {
  /// A call, which begins at once if it is local, else with its first operation.
  func call(
    _ path: String, metadata: Metadata = [:], peer: String = "ipv4:127.0.0.1:50123", deadline: Duration? = nil
  ) -> any TestCall {
    switch transport {
    case .network: channel.call(path, metadata: metadata, deadline: deadline)
    case .local: server.call(path, metadata: metadata, peer: peer, deadline: deadline)
    }
  }

  /// A call that has begun.
  func begunCall(_ path: String, metadata: Metadata = [:]) -> any TestCall {
    let call = call(path, metadata: metadata)
    // Over the network a call begins with its first operation.
    if let call = call as? ClientCall { _ = Task { try? await call.initialMetadata() } }
    return call
  }

  func unary(
    _ path: String, _ message: RPCMessage, metadata: Metadata = [:], waitsForReady: Bool? = nil
  ) async throws -> RPCMessage {
    guard transport == .local else {
      return try await channel.unary(path, message, metadata: metadata, waitsForReady: waitsForReady)
    }
    let call = call(path, metadata: metadata)
    // Whether it could be sent shows in the answer.
    try? await call.sendLast(message)
    let answer = try await call.next()
    guard let answer, try await call.next() == nil else { throw RPCStatus(.unimplemented, "not one message") }
    return answer
  }
}
