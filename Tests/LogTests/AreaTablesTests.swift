import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

@Suite struct AreaTablesTests {
  @Test func everyMigrationHasANumberOfItsOwn() {
    let numbers = [AreaTables].all.migrations.map(\.number)
    #expect(Set(numbers).count == numbers.count && numbers == numbers.sorted())
  }

  @Test func anAreaErasesBeforeThoseThatItStandsOn() async throws {
    try await withStorage { rig in
      let account = try rig.person()
      func area(_ statement: String) -> AreaTables { AreaTables(migrations: [], personal: [:], erasure: [statement]) }
      let lower = area("UPDATE account SET description = 'lower after ' || description WHERE id = $1")
      let upper = area("UPDATE account SET description = 'upper' WHERE id = $1")
      let connection = try rig.connection()
      _ = try ErasedIdentity.erase(account, of: [lower, upper], at: 1, connection)
      let found = try connection.query("SELECT description FROM account WHERE id = $1", [.int8(account)])
      #expect(try found.string(0, 0) == "lower after upper")
    }
  }

  /// Every column of a table of ours that can hold words, bytes or places.
  private func columns(_ rig: Rig) throws -> Set<String> {
    let rows = try rig.connection().query(
      """
      SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname || '.' || a.attname
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
      WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
        AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
        -- All but numbers, times, truth values and random identifiers; of numbers, lists of them that may be places.
        AND (t.typcategory = 'A' AND e.typname NOT IN ('int2', 'int4', 'int8')
          OR t.typcategory <> 'A' AND t.typname NOT IN (
            'int2', 'int4', 'int8', 'float4', 'float8', 'bool', 'date', 'timestamptz', 'uuid', 'xid8'))
      """, [])
    return Set(try (0..<rows.rowCount).map { try rows.string($0, 0) })
  }

  @Test("C-23: of every column that can hold a person's words it is said what becomes of them")
  func everyColumnHasAFate() async throws {
    try await withStorage { rig in
      let (found, named) = (try columns(rig), Set([AreaTables].all.personal.keys))
      #expect(found.subtracting(named) == [], "say in the tables of their area who erases them")
      #expect(named.subtracting(found) == [], "there are no such columns any more")
    }
  }

  @Test func everyTableThatAnErasureTakesFromIsThere() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      for table in [AreaTables].all.erasedTables { try connection.execute("VACUUM \(table)") }
    }
  }
}
