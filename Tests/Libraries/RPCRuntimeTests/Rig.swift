import Foundation
import RPCRuntime
import Synchronization
import TestSupport
import Testing

/// All tests of this target, one at a time: some of them count what the whole process holds.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RPCRuntimeTests {}

/// A server and a channel to it.
struct Rig: Sendable {
  /// How the calls of the rig go.
  let transport: Transport
  let server: Server
  let channel: Channel
  let port: Int
  let serverLoops: EventLoopGroup
  let clientLoops: EventLoopGroup

  /// Another channel to the server.
  func channel(options: ChannelOptions = ChannelOptions()) -> Channel {
    Channel(target: "127.0.0.1:\(port)", options: options, loops: clientLoops)
  }
}

/// Runs `body` with a server and a channel, ends both, and checks that they left no call and no batch behind.
func withRig(
  over transport: Transport = .network, _ methods: [RPCMethod],
  configuration: ServerConfiguration = ServerConfiguration(),
  interceptors: [any ServerInterceptor] = [], security: ClientSecurity = .plaintext,
  options: ChannelOptions = ChannelOptions(), serverLoopCount: Int = 2,
  listening: @escaping @Sendable (ListenerEvent) -> Void = { _ in },
  logger: @escaping @Sendable (ServerLogEntry) -> Void = { _ in }, _ body: (Rig) async throws -> Void
) async throws {
  let serverLoops = EventLoopGroup(count: serverLoopCount)
  let clientLoops = EventLoopGroup(count: 1)
  let server = try Server(
    configuration: configuration, methods: methods, interceptors: interceptors, loops: serverLoops,
    listening: listening, logger: logger)
  let port = try server.start()[0]
  let channel = Channel(target: "127.0.0.1:\(port)", security: security, options: options, loops: clientLoops)
  var failure: (any Error)?
  do {
    try await body(
      Rig(
        transport: transport, server: server, channel: channel, port: port, serverLoops: serverLoops,
        clientLoops: clientLoops))
  } catch { failure = error }
  await channel.close()
  await server.shutdown(grace: .zero)
  #expect(server.statistics.liveCalls == 0)
  #expect(server.statistics.strangerCalls == 0 && server.statistics.addresses == 0)
  #expect(server.statistics.heldConnections == 0)
  #expect(serverLoops.statistics == LoopStatistics.nothing)
  // The calls of other channels that the test dropped may still be on their way out.
  try await eventually { clientLoops.statistics == LoopStatistics.nothing }
  serverLoops.shutdown()
  clientLoops.shutdown()
  if let failure { throw failure }
}

/// Methods that tests call.
enum Methods {
  /// Answers every message with itself.
  static let echo = RPCMethod(path: "/test.Echo/Echo") { call in
    while let message = try await call.next() { try await call.send(message) }
  }
  /// Answers one message with itself, together with the status.
  static let unary = RPCMethod(path: "/test.Echo/Unary") { call in
    guard let message = try await call.next() else { throw RPCStatus(.invalidArgument, "no message") }
    call.sendLast(message)
  }
  /// Waits for a message that never comes, and tells how that ended.
  static func waiting(_ path: String, started: Gate, outcome: Box<String>) -> RPCMethod {
    RPCMethod(path: path) { call in
      do {
        _ = try await call.next()
        started.open()
        let end = try await call.next()
        outcome.set(end == nil ? "half-closed" : "message")
      } catch let status as RPCStatus {
        outcome.set("\(status.code) cancelled=\(Task.isCancelled) \(call.isCancelled)")
        throw status
      }
    }
  }
}

extension RPCMessage {
  convenience init(_ text: String) { self.init(Array(text.utf8)) }
  var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

/// Something that happens once and is waited for.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  func open() {
    let waiters = state.withLock { state in
      defer { state = (true, []) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// A value set by one task and waited for by another.
final class Box<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let gate = Gate()

  func set(_ new: Value) {
    value.withLock { $0 = new }
    gate.open()
  }

  func get() async -> Value {
    await gate.wait()
    return value.withLock { $0! }
  }
}

/// Waits until `condition` holds, as long as tests wait.
func eventually(_ condition: @Sendable () -> Bool) async throws { try await TestSupport.eventually { condition() } }

/// The status that `body` throws.
func statusThrown(_ body: () async throws -> Void) async throws -> RPCStatus {
  do { try await body() } catch let status as RPCStatus { return status }
  Issue.record("nothing was thrown")
  return .ok
}

/// What handlers saw, in order.
final class Records<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

/// The memory that the process has, in bytes.
func residentBytes() -> Int {
  let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
  return (pages.flatMap { Int($0) } ?? 0) * 4_096
}
