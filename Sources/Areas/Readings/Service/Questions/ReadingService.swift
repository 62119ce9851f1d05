public import Domain
public import Log
internal import Postgres
internal import RPCRuntime
internal import ServiceAPI
public import ServiceKit
internal import Sharing
internal import WireCodec

/// Answers about the readings of one person: each RPC has its own file.
public final class ReadingService: Sendable {
  let store: ReadingStore
  let hub: DeliveryHub
  /// For streams that are behind.
  let pool: Pool
  let metrics: MetricRegistry
  let sources: SourceRegistry
  let access: AccessRegistry
  let watermarks: WatermarkStore
  let disclosures: DisclosureLedger
  let watch: EntryWatch
  let seal: Seal
  let resourceIDs: ResourceIDs
  let clock: @Sendable () -> Microseconds

  /// - Parameter clock: the time of day, by which it is known which minutes and hours are over.
  public init(
    hub: DeliveryHub, watch: EntryWatch, storage: StorageSystem, clock: @escaping @Sendable () -> Microseconds
  ) {
    self.hub = hub
    self.watch = watch
    self.clock = clock
    seal = storage.seal
    resourceIDs = ResourceIDs(key: storage.cursorKey)
    store = storage.store
    pool = storage.pools.heavy
    metrics = storage.metrics
    sources = storage.sources
    access = storage.access
    watermarks = storage.watermarks
    disclosures = storage.disclosures
  }

  /// The person that a request is about, if the caller may see that person's readings.
  ///
  /// - Parameter personID: of the request; 0 means the caller.
  /// - Throws: INVALID_ARGUMENT, PERMISSION_DENIED, UNAUTHENTICATED.
  func person(_ personID: Int64, _ context: CallContext) throws -> PersonID {
    let principal = try context.principal()
    if personID == 0, case .person(let own) = principal { return own }
    guard personID > 0 else { throw RPCStatus.invalidArgument(field: "person_id", problem: "must be positive") }
    guard AccessPolicy.mayRead(principal, of: personID) else { throw RPCStatus.notPermitted }
    return personID
  }

  /// The numbers of the metrics that a request names; all of them if it names none.
  func metricNumbers(_ names: [String]) throws -> [MetricID] {
    guard let numbers = try metrics.numbers(of: names, field: "metrics") else {
      return metrics.catalog.metrics.map(\.id)
    }
    return numbers.sorted()
  }

  /// The interval of a request whose ends may be left out, as far as it lies in `OutsideTimes`; it may be empty.
  func interval(fromUs: Int64, toUs: Int64) throws -> Range<Microseconds> {
    let from = fromUs == 0 ? Microseconds.min : fromUs
    let to = toUs == 0 ? Microseconds.max : toUs
    guard from < to else { throw RPCStatus.invalidArgument(field: "to_us", problem: "must be after from_us") }
    return (from..<to).clamped(to: OutsideTimes.range)
  }

  /// Readings as rows, with the names of their metrics and sources.
  func rows(_ readings: [ReadingColumns]) async throws -> [Trackme_Readings_V1_Reading] {
    let names = try await sources.names(of: readings.reduce(into: []) { $0.formUnion($1.sources) })
    let catalog = metrics.catalog
    return readings.flatMap { reading in
      reading.wireRows(metricName: { catalog[$0]?.name ?? "" }, sourceName: { names[$0] ?? "" })
    }
  }

  /// Readings of a page as rows, in the order of the page.
  func rows(_ page: ReadingPage) async throws -> [Trackme_Readings_V1_Reading] { try await rows(page.readings) }

  func rows(_ columns: ReadingColumns) async throws -> [Trackme_Readings_V1_Reading] { try await rows([columns]) }
}
