internal import Domain
internal import Postgres

extension StorageSystem {
  /// Whether somebody was erased since then.
  /// - Throws: `PostgresError`.
  func hasErased(since time: Microseconds) async throws -> Bool {
    try await pools.upkeep.withConnection { connection in
      try connection.query(
        "SELECT EXISTS (SELECT FROM erasure WHERE erased_at >= $1)", [.timestamptz(microsecondsSinceUnixEpoch: time)]
      ).bool(0, 0)
    }
  }

  /// Takes what was written until now out of the files of PostgreSQL's write-ahead log: ends the file that is written to,
  /// lets all before it go by a checkpoint, and writes over those that PostgreSQL keeps to use again. What an archive, a
  /// standby or a backup has is not touched; what PostgreSQL must keep for one of them stays for as long.
  ///
  /// Needs a superuser, or the rights that `docs/configuration.md` names.
  /// - Parameter pause: between two files: each is written in full.
  /// - Throws: `PostgresError`, `CancellationError`.
  func renewWriteAheadLog(pause: Duration) async throws {
    let count = try await pools.upkeep.withConnection { connection in
      _ = try connection.query("SELECT pg_switch_wal()")
      _ = try connection.execute("CHECKPOINT")
      return try connection.query(
        """
        SELECT count(*) FROM pg_ls_waldir()
        WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_insert_lsn())
        """
      ).int64(0, 0)
    }
    // The last of them has to be ended too, so that it is written in full.
    for _ in 0...count {
      try await pools.upkeep.withConnection { connection in
        // A file in which nothing was written is not ended.
        _ = try connection.query("SELECT pg_logical_emit_message(false, 'trackme', '')")
        _ = try connection.query("SELECT pg_switch_wal()")
      }
      try await Task.sleep(for: pause)
    }
  }
}
