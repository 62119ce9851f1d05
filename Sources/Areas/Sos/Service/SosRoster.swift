internal import Domain
internal import Log
internal import SosRules
internal import Synchronization

/// Keeps the monitor of readings, and the desk that calls, in step with what the database says: whose readings are
/// checked by which limits, and whether calls are meant.
public final class SosRoster: Sendable {
  private let storage: StorageSystem
  private let monitor: (any ReadingMonitor)?
  private let desk: (any ActiveEmergencies)?
  private let clock: @Sendable () -> Microseconds
  /// How far the database has been followed. Held from the look at the database until it has been passed on, on threads
  /// that may wait: so that no older look is passed on after a newer one.
  private let mark = Mutex<RosterMark?>(nil)
  private let known = Mutex(DispatchStatus.exercise)

  /// - Parameter clock: the time of day.
  init(
    storage: StorageSystem, monitor: (any ReadingMonitor)?, desk: (any ActiveEmergencies)?,
    clock: @escaping @Sendable () -> Microseconds
  ) {
    self.storage = storage
    self.monitor = monitor
    self.desk = desk
    self.clock = clock
  }

  /// Whether calls are meant, as administrators have set it.
  var status: DispatchStatus { known.withLock { $0 } }

  /// Takes up everything at first, later what has changed. When it returns, everything that was committed before it was
  /// called holds. To be called before the first readings come, every 500 ms, and after each change on this server.
  /// - Throws: `PostgresError`; the next call makes up for it.
  public func refresh() async throws {
    try await storage.pools.urgent.withConnection { [self] connection in
      try mark.withLock { mark in
        let status = try DispatchStatusRecords.current(connection)?.status ?? .exercise
        known.withLock { $0 = status }
        if let desk, desk.status != status { desk.status = status }
        mark = try SosStore.changes(connection, since: mark, at: clock()) { changes in
          for change in changes {
            switch change {
            case .watched(let person): monitor?.watch(person)
            case .left(let person): monitor?.forget(person)
            }
          }
        }
      }
    }
  }
}
