/// For whom a client pushes, so that its name goes with the last of them.
enum ClientPersonSQL {
  static let schema = """
    ALTER TABLE ingest_client ADD COLUMN persons bigint[] DEFAULT '{}';
    COMMENT ON COLUMN ingest_client.persons IS
      'For whom it has pushed, as far as is known; NULL: so many that its name tells of none, and is kept';
    """
}
