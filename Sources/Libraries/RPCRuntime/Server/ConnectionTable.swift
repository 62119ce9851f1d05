/// The connections that are open, and who has to go when there are too many: whoever has been without a call for
/// longest, of those first that never had one. A client that has had calls may be beginning one just then. Belongs to one
/// thread.
final class ConnectionTable {
  /// The look for idle connections goes through all of them: where it finds few, the next one waits for so long.
  private static let lookInterval: Duration = .milliseconds(100)
  /// An ended connection's descriptor is waited for no longer.
  private static let leaveTimeout: Duration = .seconds(1)

  let index = ConnectionIndex()
  private let maxConnections: Int
  private let maxPerAddress: Int
  private let endSocket: (Connection) -> Bool
  private var byFile: [Int32: Connection] = [:]
  private var byClient: [ClientAddress: [Int32: Connection]] = [:]
  /// What the last look has found, whoever has been idle for longest at the end.
  private var idle: [(connection: Connection, since: UInt64)] = []
  private var lastLook: (time: ContinuousClock.Instant, foundMany: Bool)?
  private var leaving: [(socket: GivenSocket, since: ContinuousClock.Instant)] = []

  /// - Parameter end: ends a connection; false when that takes a descriptor, and there is none.
  init(maxConnections: Int, maxPerAddress: Int, end: @escaping (Connection) -> Bool = { $0.socket.end() }) {
    self.maxConnections = maxConnections
    self.maxPerAddress = maxPerAddress
    endSocket = end
  }

  /// Connections that have been ended here.
  private(set) var endedCount = 0

  /// Takes a new connection, and ends an idle one where that is needed for it.
  /// - Returns: false when each of the others has a call: nothing was taken.
  func add(_ connection: Connection) -> Bool {
    // The descriptor was free.
    if let old = byFile[connection.socket.file] { forget(old) }
    if let client = connection.client, !makeRoom(for: client) { return false }
    guard byFile.count < maxConnections || makeRoom() else { return false }
    byFile[connection.socket.file] = connection
    if let client = connection.client { byClient[client, default: [:]][connection.socket.file] = connection }
    index.add(connection)
    return true
  }

  private func makeRoom(for client: ClientAddress) -> Bool {
    guard byClient[client, default: [:]].count >= maxPerAddress else { return true }
    for connection in byClient[client, default: [:]].values where !connection.socket.isOpen { forget(connection) }
    let open = byClient[client, default: [:]].values
    if open.count < maxPerAddress { return true }
    let idle = open.compactMap { connection in connection.idleSince.map { (connection, $0) } }
    guard let first = idle.min(by: Self.goesBefore) else { return false }
    return end(first.0)
  }

  private func makeRoom() -> Bool {
    look()
    return byFile.count < maxConnections || endLongestIdle()
  }

  /// Ends the connection that has been idle for longest; false if none is idle.
  func endLongestIdle() -> Bool {
    look()
    while let (connection, since) = idle.popLast() {
      guard byFile[connection.socket.file] === connection, connection.idleSince == since else { continue }
      if end(connection) { return true }
      // Its client has closed it since the look.
      forget(connection)
    }
    return false
  }

  /// Forgets those that gRPC has closed, and sorts those that are idle.
  private func look() {
    let now = ContinuousClock.now
    if let lastLook, now < lastLook.time + Self.lookInterval, !idle.isEmpty || !lastLook.foundMany { return }
    for connection in byFile.values where !connection.socket.isOpen { forget(connection) }
    idle = byFile.values.compactMap { connection in connection.idleSince.map { (connection, $0) } }
    idle.sort { Self.goesBefore($1, $0) }
    lastLook = (now, idle.count >= byFile.count / 8)
  }

  private static func goesBefore(_ one: (Connection, since: UInt64), _ other: (Connection, since: UInt64)) -> Bool {
    one.0.isUnused == other.0.isUnused ? one.since < other.since : one.0.isUnused
  }

  private func end(_ connection: Connection) -> Bool {
    guard endSocket(connection) else { return false }
    leaving.append((connection.socket, .now))
    endedCount += 1
    forget(connection)
    return true
  }

  private func forget(_ connection: Connection) {
    let file = connection.socket.file
    byFile[file] = nil
    index.remove(connection)
    guard let client = connection.client else { return }
    byClient[client]?[file] = nil
    if byClient[client]?.isEmpty == true { byClient[client] = nil }
  }

  /// How many connections have been ended here whose descriptors are still taken: gRPC closes them when it has the time.
  func leavingCount() -> Int {
    leaving.removeAll { !$0.socket.isOpen }
    return leaving.count
  }

  /// Whether one was ended lately, and its descriptor is still taken.
  func isOneLeaving() -> Bool {
    let now = ContinuousClock.now
    return leavingCount() > 0 && leaving.contains { now < $0.since + Self.leaveTimeout }
  }
}
