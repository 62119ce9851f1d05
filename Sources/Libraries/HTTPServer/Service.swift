internal import Synchronization

/// What all requests of a server share.
final class Service: Sendable {
  /// What an answer's headers may take.
  static let answerHeaderBytes = 1_536
  /// What has to be left of a connection's memory for its answer: the headers, and the lines that the server adds.
  private static let answerRoomBytes = 2_048
  /// What libmicrohttpd takes of a connection's memory for each field, with the alignment.
  private static let valueBytes = 64
  /// An answer up to so long is copied once, and goes out with its head.
  static let copiedBytes = 16 << 10

  let limits: HTTPLimits
  let table: ConnectionTable
  let waker = Waker()
  let fullSockets = FullSockets()
  let lingering: Lingering
  let handler: @Sendable (HTTPRequest) async -> HTTPResponse
  let executor: (@Sendable () -> any TaskExecutor)?
  private let isExempt: (@Sendable (String) -> Bool)?
  private let running = Atomic<Int>(0)
  private let tasks = Atomic<Int>(0)
  private let ending = Atomic<Int>(0)

  init(
    limits: HTTPLimits, isExempt: (@Sendable (String) -> Bool)?, executor: (@Sendable () -> any TaskExecutor)?,
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.limits = limits
    self.isExempt = isExempt
    self.executor = executor
    self.handler = handler
    lingering = Lingering(
      max: limits.connections / Lingering.connectionsPerLingering, time: limits.leftoverTime)
    table = ConnectionTable(max: limits.connections, maxPerGroup: limits.connectionsPerAddress)
  }

  /// Whose share a connection takes.
  func group(of peer: PeerAddress) -> PeerAddress.Group? {
    if isExempt?(peer.text) == true || peer.isThisMachine && !limits.countsThisMachine { return nil }
    return peer.group
  }

  func hasRoom(headBytes: Int, valueCount: Int) -> Bool {
    headBytes + valueCount * Self.valueBytes + Self.answerRoomBytes <= limits.connectionBytes
  }

  /// Begins the making of an answer; false if too many are being made.
  func takeTurn() -> Bool {
    guard running.add(1, ordering: .acquiringAndReleasing).newValue > limits.requests else { return true }
    giveTurn()
    return false
  }

  func giveTurn() { running.subtract(1, ordering: .acquiringAndReleasing) }

  /// Of those that make answers and write streams.
  var taskCount: Int { tasks.load(ordering: .acquiring) }

  func taskBegins() { tasks.add(1, ordering: .acquiringAndReleasing) }
  func taskEnds() { tasks.subtract(1, ordering: .acquiringAndReleasing) }

  /// No request begins any more.
  var isEnding: Bool { ending.load(ordering: .acquiring) > 0 }
  /// No connection is suspended any more.
  var isAborting: Bool { ending.load(ordering: .acquiring) > 1 }

  func beginEnd() { ending.store(1, ordering: .releasing) }
  func beginAbort() { ending.store(2, ordering: .releasing) }
}
