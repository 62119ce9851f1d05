internal import Domain
internal import Log
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit

/// Races while they are run, and their results. Each RPC has its own file.
public final class LiveService: LiveServiceHandler {
  let storage: StorageSystem
  let hub: DeliveryHub
  /// Who may see a race.
  let access: RaceAccess
  let races: LiveRaces
  let replays: RaceReplays
  let results: RaceResults
  let seal: Seal
  /// The time of day.
  let clock: @Sendable () -> Microseconds

  /// - Parameters:
  ///   - races: those that are followed.
  ///   - results: of those that are finished.
  ///   - clock: the time of day.
  init(
    storage: StorageSystem, hub: DeliveryHub, races: LiveRaces, results: RaceResults,
    clock: @escaping @Sendable () -> Microseconds
  ) {
    self.storage = storage
    self.hub = hub
    self.races = races
    self.clock = clock
    seal = storage.seal
    access = RaceAccess(races: storage.races)
    self.results = results
    replays = results.replays
  }

  /// The moment of a race that a client names; nil if it names none.
  /// - Throws: INVALID_ARGUMENT.
  func cursor(_ text: String, of race: RaceID) throws -> BoardCursor? {
    if text.isEmpty { return nil }
    guard let cursor = BoardCursor(text: text, seal) else {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is not a cursor of this service")
    }
    guard cursor.race == race else {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is of another race")
    }
    guard cursor.position <= hub.head, cursor.time <= clock() + Self.tolerance else {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is after now: it is of another server")
    }
    return cursor
  }

  /// A cursor may be this far ahead of the server's clock: a board keeps its time where the clock is set back.
  private static let tolerance: Microseconds = 60 * 1_000_000

  /// The rest of a race.
  /// - Throws: NOT_FOUND; `PostgresError`.
  func edition(_ record: RaceRecord) async throws -> RaceEdition {
    guard let edition = try await RaceEdition.load(record, from: storage, at: clock()) else { throw RPCStatus.noRace }
    return edition
  }
}
