/// Whose readings name which source, so that a name goes with the last person who used it.
enum SourceUseSQL {
  static let schema = """
    -- Written with the chunks, in their transaction.
    CREATE TABLE reading_source_use (
      source integer NOT NULL,
      person bigint NOT NULL,
      PRIMARY KEY (source, person)
    );
    CREATE INDEX reading_source_use_person ON reading_source_use (person);
    COMMENT ON TABLE reading_source_use IS 'Persons of whose readings in chunks the source is; a name that nobody uses any more is erased';

    ALTER TABLE log_state ADD COLUMN source_uses_complete boolean NOT NULL DEFAULT false;
    UPDATE log_state SET source_uses_complete = NOT EXISTS (SELECT FROM reading_chunk);
    COMMENT ON COLUMN log_state.source_uses_complete IS 'Whether reading_source_use covers the chunks from before there was such a table';

    -- Names of clients go with their devices from now on; these are of devices that went before.
    DELETE FROM ingest_client c WHERE starts_with(c.name, 'device/')
      AND NOT EXISTS (SELECT FROM device d WHERE d.id::text = split_part(c.name, '/', 2));
    """

  static let common = """
    ALTER TABLE reading_source ADD COLUMN is_common boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN reading_source.is_common IS 'So many persons'' readings have it that it tells of none: kept, and its uses are not written down';
    """
}
