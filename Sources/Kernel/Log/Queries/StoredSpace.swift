public import Domain
internal import Postgres

extension StorageSystem {
  /// About what the row of a chunk takes beside its payload, with its place in the index.
  private static let rowBytes: Int64 = 100

  /// How many bytes a person's chunks take on the disk. What is in the log and in no chunk yet does not count.
  /// - Throws: `PostgresError`.
  public func storedBytes(of person: PersonID) async throws -> Int64 {
    try await pools.upkeep.withConnection { connection in
      // The sizes stand in the rows: no payload is read.
      try connection.query(
        """
        SELECT coalesce(sum(pg_column_size(payload) + $2), 0)::bigint FROM (
          SELECT payload FROM reading_chunk WHERE person = $1
          UNION ALL SELECT payload FROM replaced_reading WHERE person = $1
        ) chunk
        """, [.int8(person), .int8(Self.rowBytes)]
      ).int64(0, 0)
    }
  }
}
