/// What was delivered of persons' readings, to whom and under which consent.
enum DisclosureSQL {
  static let schema = """
    -- One row a delivery and day (UTC); never one a reading.
    CREATE TABLE disclosure (
      id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      delivery         bigint NOT NULL,
      day              integer NOT NULL,
      access_request   bigint NOT NULL REFERENCES access_request (id),
      kind             smallint NOT NULL CHECK (kind BETWEEN 1 AND 3),
      metrics          integer[] NOT NULL DEFAULT '{}',
      reading_count    bigint NOT NULL DEFAULT 0,
      from_us          bigint,
      to_us            bigint,
      began_at         timestamptz NOT NULL,
      ended_at         timestamptz,
      instance         bigint NOT NULL,
      through_position bigint NOT NULL,
      at_most          boolean NOT NULL DEFAULT false,
      UNIQUE (delivery, day)
    );
    -- A row changes about once a second while its stream delivers: the new version goes beside the old one.
    ALTER TABLE disclosure SET (fillfactor = 70);
    CREATE INDEX disclosure_access_request ON disclosure (access_request, id);
    CREATE INDEX disclosure_open ON disclosure (instance) WHERE ended_at IS NULL;
    COMMENT ON COLUMN disclosure.delivery IS 'Random number of the stream, digest or export, which has one row a day';
    COMMENT ON COLUMN disclosure.day IS 'Days since 1970-01-01 (UTC)';
    COMMENT ON COLUMN disclosure.kind IS '1 stream, 2 digest, 3 export';
    COMMENT ON COLUMN disclosure.from_us IS 'When the oldest of the readings was taken; NULL while there are none';
    COMMENT ON COLUMN disclosure.instance IS 'The server process; while it lives it holds the advisory lock of this number';
    COMMENT ON COLUMN disclosure.through_position IS 'How far in the log the row counts what was sent';
    COMMENT ON COLUMN disclosure.at_most IS 'The server died: the count includes all that it may have sent';
    """
}
