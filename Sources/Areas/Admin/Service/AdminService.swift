internal import Domain
internal import Identity
internal import Log
internal import Notifications
internal import Postgres
internal import Races
public import ServiceAPI
internal import ServiceKit
internal import Sos

/// What only administrators do: each RPC has its own file.
public final class AdminService: AdminServiceHandler {
  let forms: RegistrationForms
  let codes: ThirdPartyCodes
  let decisions: AccountDecisions
  /// Where accounts are disabled, with what ends then.
  let storage: StorageSystem
  let staff: StaffAccounts
  let deskOperators: DeskOperators
  let deskAnswers: DeskAnswerRecords
  /// Makes hashes of the passwords that administrators choose.
  let hasher: PasswordHasher
  let maintenances: Maintenances
  let dispatchStatus: DispatchStatusRecords
  let metrics: MetricRegistry
  let races: RaceStore
  let seal: Seal
  /// The time of day.
  let clock: @Sendable () -> Microseconds
  /// Told of the tokens of bridges and dispatchers.
  let access: LiveAccess
  /// Takes up whether calls are meant.
  let dispatchStatusChanged: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - storage: where accounts are disabled; the other stores are its own.
  ///   - clock: the time of day.
  ///   - access: where tokens of bridges and dispatchers that begin or end are told.
  ///   - hasher: of passwords that administrators choose.
  ///   - dispatchStatusChanged: takes up whether calls are meant, on this server at once.
  init(
    storage: StorageSystem, access: LiveAccess, hasher: PasswordHasher,
    clock: @escaping @Sendable () -> Microseconds,
    dispatchStatusChanged: @escaping @Sendable () async throws -> Void
  ) {
    let pool = storage.pool
    self.storage = storage
    decisions = AccountDecisions(pool: pool)
    forms = RegistrationForms(pool: pool)
    codes = ThirdPartyCodes(pool: pool)
    staff = StaffAccounts(pool: pool)
    deskOperators = DeskOperators(pool: pool)
    deskAnswers = DeskAnswerRecords(pool: pool)
    self.hasher = hasher
    maintenances = Maintenances(pool: pool)
    dispatchStatus = DispatchStatusRecords(pool: pool)
    metrics = storage.metrics
    races = storage.races
    seal = storage.seal
    self.clock = clock
    self.access = access
    self.dispatchStatusChanged = dispatchStatusChanged
  }
}
