import Threads

/// Size, limits and hooks of a `Pool`.
public struct PoolConfiguration: Sendable {
  /// After the first attempt to connect that has failed, and the longest between two: twice as long each time.
  static let firstPause: Duration = .milliseconds(20)
  static let longestPause: Duration = .milliseconds(500)

  /// Where the pool connects, unless `revive` has said another place since.
  public var connection: ConnectionConfiguration
  /// Threads, and connections at most; each connects when it first gets work.
  public var connectionCount = 4
  /// Calls that may wait for a thread; further ones fail at once with `PostgresError.Kind.poolExhausted`.
  public var waitingMax = 1024
  /// The longest that a call may take, its wait included; nil: as long as it likes.
  public var bodyTimeMax: Duration?
  /// What its threads are called, before their numbers.
  public var threadName = "pg"
  /// Whether its threads, and an embedded PostgreSQL's processes for its connections, give way to others where the
  /// processors have too much to do.
  public var givesWay = false
  /// How long a call without a deadline waits for a connection while PostgreSQL cannot be reached.
  public var reconnectPatience: Duration = .seconds(5)
  /// How often the monitor asks the server for a sign of life. A server that closes the connection, as a killed one
  /// does, is noticed at once; this is for one that hangs.
  public var heartbeatInterval: Duration = .milliseconds(500)
  /// How long a sign of life may take.
  public var heartbeatTimeout: Duration = .seconds(2)
  /// Called on the monitor's thread: with true when PostgreSQL answers for the first time and again after a loss, with
  /// false when it is gone (and when it is not there at the start). Must be quick.
  public var onAvailabilityChange: (@Sendable (Bool) -> Void)?
  /// Called on the monitor's thread before each attempt to reconnect after a loss, to revive the server
  /// (`EmbeddedCluster.ensureRunning`). Returns where it is now.
  public var revive: (@Sendable () throws -> ConnectionConfiguration)?

  /// Between attempts to connect.
  var backOff: BackOff { BackOff(initial: Self.firstPause, max: Self.longestPause) }

  /// For a server that others start: nothing revives it here.
  public init(_ connection: ConnectionConfiguration) { self.connection = connection }

  /// For an embedded cluster: starts its server again when that dies.
  public init(_ cluster: EmbeddedCluster, _ connection: ConnectionConfiguration) {
    self.connection = connection
    revive = {
      try cluster.ensureRunning()
      return connection
    }
  }
}
