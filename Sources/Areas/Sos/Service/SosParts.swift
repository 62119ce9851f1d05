public import Domain
internal import Log
internal import ServiceAPI
internal import ServiceKit

/// AutomatedSOS of a server, put together: what persons have chosen, and the monitor and the desk that follow it.
public final class SosParts: Sendable {
  /// What each person has chosen.
  public let roster: SosRoster
  /// Streams of persons who follow their own emergencies.
  public let watch: EmergencyWatch
  let service: SosService
  private let archive: EmergencyStore
  private let sources: SourceRegistry
  private let monitor: (any ReadingMonitor)?
  private let desk: (any ActiveEmergencies)?

  /// - Parameters:
  ///   - streams: those that are open.
  ///   - monitor: checks readings; nil: nobody does.
  ///   - desk: calls; nil: nobody does.
  ///   - clock: the time of day.
  init(
    storage: StorageSystem, streams: Board<LogTopic>, monitor: (any ReadingMonitor)?, desk: (any ActiveEmergencies)?,
    clock: @escaping @Sendable () -> Microseconds
  ) {
    self.monitor = monitor
    self.desk = desk
    watch = EmergencyWatch(streams: streams)
    archive = storage.emergencies
    sources = storage.sources
    roster = SosRoster(storage: storage, monitor: monitor, desk: desk, clock: clock)
    service = SosService(storage: storage, roster: roster, desk: desk, watch: watch, clock: clock)
    desk?.observe { [watch] in watch.changed($0) }
  }

  /// Takes up what was before this server began: to be called before the first readings come.
  /// - Throws: `PostgresError`.
  public func begin() async throws {
    watch.begin(at: try await archive.newestTransition())
    let active = desk?.active() ?? []
    watch.begin(at: active.map(\.changed).max() ?? 0)
    // So that they can be shown while the database is away.
    _ = try await sources.names(of: active.reduce(into: []) { $0.formUnion($1.sources) })
    try await roster.refresh()
  }

  /// Takes a person out of everything that is kept in memory and in files; returns when the disk has it.
  /// - Throws: if that did not succeed; it may be tried again.
  public func forget(_ person: PersonID) async throws {
    monitor?.forget(person)
    try await desk?.forget(person, archived: try await archive.numbers(of: person))
  }
}
