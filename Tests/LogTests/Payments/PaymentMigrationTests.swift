import Postgres
import Testing

@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races

@Suite("A-R21.1: fees that were paid before payments were an area of their own")
struct PaymentMigrationTests {
  /// The last number before.
  private static let before = 45

  /// A race with a fee, and a payment in a state with a wish of somebody who holds a place in it.
  private static let fixture = """
    INSERT INTO account (id, kind, username, email, display_name) OVERRIDING SYSTEM VALUE
    VALUES (1, 'person', 'organizer', 'organizer@example.org', ''), (2, 'person', 'runner', 'runner@example.org', '');
    INSERT INTO course (planned_by, source, latitudes, longitudes, altitudes, start_name, start_at, arrival_name,
      arrival_at, stage_names, stage_latitudes, stage_longitudes, stage_distances, length_m, attribution)
    VALUES (1, 3, '{45.47,45.48}', '{9.17,9.17}', '{}', '', ST_MakePoint(9.17, 45.47)::geography, '',
      ST_MakePoint(9.17, 45.48)::geography, '{}', '{}', '{}', '{}', 1111.5, '');
    INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at, time_limit_us,
      is_opened, by_invitation, capacity, fee_minor_units, fee_currency)
    SELECT 1, 'Stramilano', '', 'Milano', c.id, now() + interval '2 days', now() + interval '1 day', 21600000000,
      true, false, 9, 1500, 'EUR' FROM course c;
    INSERT INTO race_payment (race, person, minor_units, currency, state, wish, provider_payment, payment_url, given_up,
      attempts)
    SELECT id, 2, 1500, 'EUR', 2, 2, 'pay_1', 'https://pay/1', 0, 3 FROM race;
    INSERT INTO race_enrolment (race, person, state, number, runner_name, payment)
    SELECT race, 2, 3, 1, 'Ada', id FROM race_payment;
    """

  @Test func theyAreKeptAndGoOn() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("payment_migration")
    let connection = try Connection(database)
    _ = try Migrations([AreaTables].all.migrations.filter { $0.number <= Self.before }).apply(connection)
    try connection.execute(Self.fixture)
    let columns = "id, minor_units, currency, state, wish, provider_payment, payment_url, attempts, created_at"
    func row(_ table: String, _ race: String, _ person: String) throws -> String {
      try connection.query("SELECT ROW(\(columns), \(race), \(person))::text FROM \(table)").string(0, 0)
    }
    let known = try row("race_payment", "race", "person")

    try StorageSystem.migrate(connection, .all)
    #expect(try row("payment", "subject", "payer") == known)
    let found = try connection.query("SELECT description, subject_kind::bigint, id::text FROM payment")
    #expect(try found.string(0, 0) == "Stramilano")
    #expect(try found.int64(0, 1) == Int64(PaymentSubject.fees.kind))

    // The provider, which was asked before, answers.
    let pool = Pool(database)
    let store = PaymentStore(pool: pool)
    store.add(.fees)
    let settled = try await store.settle(
      try found.string(0, 2), as: "pay_1", .captured, money: Money(currency: "EUR", minorUnits: 1_500), at: Rig.now)
    await pool.shutdown()
    #expect(settled == .done)
    let state = try connection.query("SELECT state::bigint, wish::bigint FROM payment")
    #expect(try [state.int64(0, 0), state.int64(0, 1)] == [3, 0])
  }

  @Test func noFunctionSpeaksOfTheTableOfBefore() async throws {
    try await withStorage { rig in
      let functions = try rig.connection().query(
        "SELECT coalesce(string_agg(proname, ', '), '') FROM pg_proc WHERE prosrc LIKE '%race_payment%'")
      #expect(try functions.string(0, 0) == "")
    }
  }
}
