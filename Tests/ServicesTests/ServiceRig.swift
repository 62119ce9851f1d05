import Domain
import Logging
import Postgres
import RPCRuntime
import ServiceAPI
import SosRules
import Synchronization
import TestSupport
import Testing
import Threads
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Expenditure
@testable import Groups
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// A whole server over a real PostgreSQL, and a channel to it over loopback.
struct ServiceRig: Sendable {
  static let operatorToken = "operator-token"
  /// The server's clock.
  static let now: Microseconds = 1_700_000_000_000_000

  let database: ConnectionConfiguration
  let storage: StorageSystem
  let house: House
  let hub: DeliveryHub
  let ingest: IngestService
  let board: NotificationBoard
  let dispatch: DispatchService
  let server: Server
  let channel: Channel
  let live: LiveAccess
  let sos: SosParts
  /// In the place of the desk that calls.
  let desk: DeskStandIn
  /// In the place of what checks readings.
  let monitor: MonitorStandIn
  let methods: [RPCMethod]
  let races: LiveRaces
  /// What reads uploaded tracks.
  let tracks: WorkerThread
  /// Whose turn it is to plan.
  let plans: FairTurns

  var ingestClient: IngestServiceClient { IngestServiceClient(channel: channel) }
  var readings: ReadingServiceClient { ReadingServiceClient(channel: channel) }
  var subscriptions: SubscriptionServiceClient { SubscriptionServiceClient(channel: channel) }
  var access: AccessServiceClient { AccessServiceClient(channel: channel) }

  var notifications: NotificationServiceClient { NotificationServiceClient(channel: channel) }

  /// Signs cursors and page tokens.
  var seal: Seal { storage.seal }

  static let asOperator: Metadata = ["authorization": "Bearer \(operatorToken)"]

  /// A token of a person.
  func token(for person: PersonID) async throws -> Metadata {
    let token = TokenHash.newToken()
    try await storage.tokens.add(tokenHash: TokenHash(token).bytes, for: person)
    return ["authorization": "Bearer \(token)"]
  }

  func connection() throws -> Connection { try Connection(database) }

  /// How many readings are stored, repeats of a reading included.
  func storedCount() throws -> Int64 {
    try connection().query(
      """
      SELECT (SELECT coalesce(sum(reading_count), 0) FROM reading_log)::bigint
        + (SELECT coalesce(sum(reading_count), 0) FROM reading_chunk)::bigint
      """, []
    ).int64(0, 0)
  }

  /// Pushes scalars of one person and returns when they are acknowledged.
  @discardableResult
  func record(
    _ person: PersonID, _ values: [(Microseconds, Double)], source: String = ""
  ) async throws -> Trackme_Ingest_V1_BatchAcknowledgement {
    let response = try await ingestClient.recordReadings(
      .init(
        readings: values.map {
          .init(personID: person, metric: "heart_rate", source: source, timeUs: $0.0, value: .scalar($0.1))
        }), metadata: Self.asOperator)
    return try #require(response.acknowledgement)
  }
}

/// Runs `body` with a server, and checks that no call, stream, feed or session is left behind.
func withServer(
  _ name: String = #function, limits: LogWriter.Limits = .init(), cluster: TemporaryCluster? = nil,
  poolWaiting: Int = 1_024, arePoolsApart: Bool = false, quotas: ReadingQuotas = ReadingQuotas(),
  checking: (any ReadingMonitor)? = nil,
  calls: (any CallDesk)? = nil,
  configure: (inout ServerConfiguration) -> Void = { _ in },
  clock: @escaping @Sendable () -> Microseconds = { ServiceRig.now },
  _ body: (ServiceRig) async throws -> Void
) async throws {
  await turnstile.enter()
  defer { turnstile.leave() }
  let shared = try TemporaryCluster.shared()
  let database = try (cluster ?? shared).preparedDatabase(name, StorageSystem.migrate)
  var pool = PoolConfiguration(database)
  pool.connectionCount = 3
  pool.waitingMax = poolWaiting
  pool.reconnectPatience = .milliseconds(300)
  let connections = arePoolsApart ? StoragePools(pool) : StoragePools(sharing: Pool(pool))
  let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  let storage = try await StorageSystem.open(
    areas: .all, database: database, pools: connections, limits: limits, logger: logger)
  let (desk, monitor) = (DeskStandIn(), MonitorStandIn())
  let house = House(storage: storage, health: HealthRegistry(services: []), clock: clock, logger: logger)
  let notifications = try await house.open(
    NotificationsArea.self, NotificationsArea.Settings(inboxInterval: .milliseconds(100)))
  try await house.open(IdentityArea.self, IdentityArea.Settings())
  try await house.open(PaymentsArea.self, PaymentsArea.Settings())
  try await house.open(SharingArea.self, SharingArea.Settings())
  let readings = try await house.open(ReadingsArea.self, ReadingsArea.Settings(quotas: quotas))
  let sos = try await house.open(SosArea.self, SosArea.Settings(monitor: checking ?? monitor, desk: desk, calls: calls))
  let races = try await house.open(RacesArea.self, RacesArea.Settings(liveTick: .milliseconds(2)))
  try await house.open(GroupsArea.self, GroupSettings())
  try await house.open(ExpenditureArea.self, NoSettings())
  try await house.open(AdminArea.self, NoSettings())
  let (hub, ingest, board, live) = (house.hub, readings.ingest, notifications.board, house.access)
  let loops = EventLoopGroup(count: 2)
  var configuration = ServerConfiguration()
  configuration.maxReceiveMessageBytes = IngestService.maxFrameBytes
  configure(&configuration)
  let server = try Server(
    configuration: configuration, methods: house.methods(),
    interceptors: house.interceptors(operatorToken: ServiceRig.operatorToken),
    loops: loops,
    logger: { entry in Issue.record("\(entry.path) failed: \(entry.error)") })
  storage.writer.start()
  try await house.begin()
  let racing = Task { await races.live.run() }
  let looking = Task { await board.run { _ in } }
  let ledger = Task { await storage.disclosures.run(logger: logger) }
  let port = try server.start()[0]
  let channel = Channel(target: "127.0.0.1:\(port)", security: .plaintext, options: ChannelOptions(), loops: loops)
  let result: Swift.Result<Void, any Error>
  do {
    try await body(
      ServiceRig(
        database: database, storage: storage, house: house, hub: hub, ingest: ingest, board: board,
        dispatch: sos.dispatch, server: server, channel: channel, live: live, sos: sos.parts, desk: desk,
        monitor: monitor, methods: try house.methods(), races: races.live, tracks: races.races.tracks,
        plans: races.races.plans))
    result = .success(())
  } catch {
    result = .failure(error)
  }
  await channel.close()
  await server.shutdown(grace: .zero)
  #expect(server.statistics.liveCalls == 0)
  #expect(server.statistics.strangerCalls == 0 && server.statistics.addresses == 0)
  #expect(races.live.streamCount == 0)
  racing.cancel()
  await racing.value
  races.results.forget()
  #expect(hub.feedCount == 0)
  #expect(house.streams.count == 0 && house.streams.topics.isEmpty)
  #expect(sos.parts.watch.placeCount == 0)
  looking.cancel()
  await looking.value
  #expect(ingest.streamCount == 0)
  #expect(live.calls.count == 0)
  ledger.cancel()
  await ledger.value
  await storage.writer.close()
  await storage.disclosures.close()
  #expect(storage.writer.monitor.withLock { $0.sessions.isEmpty && $0.waiters.isEmpty })
  await connections.shutdown()
  loops.shutdown()
  if cluster == nil { try shared.remove(database) }
  try result.get()
}

/// Holds the lock that every commit takes: PostgreSQL is there, and nothing moves.
final class CommitBlock {
  private let connection: Connection

  init(_ rig: ServiceRig) throws {
    connection = try rig.connection()
    _ = try connection.query("SELECT pg_advisory_lock($1)", [.int8(0x7472_6163_6b6d_6501)])
  }

  func end() { connection.close() }
}

/// Tests begin all at once; PostgreSQL has connections for some of them.
private let turnstile = Turnstile(places: 4)

/// The status that a call ends with.
func status(_ body: () async throws -> Void) async -> RPCStatus? {
  do {
    try await body()
    return nil
  } catch let status as RPCStatus {
    return status
  } catch {
    Issue.record("\(error)")
    return nil
  }
}

/// The fields at fault, if the status is INVALID_ARGUMENT.
func fields(_ body: () async throws -> Void) async -> [String] {
  guard let status = await status(body), status.code == .invalidArgument else { return [] }
  return status.fieldViolations.map(\.field)
}
