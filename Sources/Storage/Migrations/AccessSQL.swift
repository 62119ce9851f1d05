/// Requests for access and their changes, which are entries of the log.
enum AccessSQL {
  static let schema = """
    ALTER TABLE reading_log ADD COLUMN entry_row integer;
    COMMENT ON COLUMN reading_log.entry_row IS 'Of an entry that is no reading: its place in the commit group; its payload holds no reading';

    -- Gives an entry of the log its position, in the writer's transaction.
    CREATE FUNCTION append_log_entry(commit_id bigint, entry_row integer) RETURNS bigint LANGUAGE sql AS $$
      INSERT INTO reading_log (position, commit_id, reading_count, payload, entry_row)
      SELECT 1 + greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state)),
        append_log_entry.commit_id, 0, '\\x0100', append_log_entry.entry_row
      RETURNING position
    $$;

    CREATE TABLE access_request (
      id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      third_party   bigint NOT NULL REFERENCES account (id),
      person        bigint NOT NULL REFERENCES account (id),
      request_id    text,
      metrics       integer[] NOT NULL CHECK (cardinality(metrics) BETWEEN 1 AND 100),
      from_us       bigint NOT NULL,
      to_us         bigint NOT NULL CHECK (to_us > from_us),
      granularity   smallint NOT NULL CHECK (granularity BETWEEN 1 AND 3),
      purpose       text NOT NULL,
      state         smallint NOT NULL CHECK (state BETWEEN 1 AND 6),
      position      bigint NOT NULL,
      requested_at  timestamptz NOT NULL DEFAULT now(),
      changed_at    timestamptz NOT NULL DEFAULT now(),
      expires_at    timestamptz,
      UNIQUE (third_party, request_id)
    );
    CREATE INDEX access_request_person ON access_request (person, id);
    CREATE INDEX access_request_third_party ON access_request (third_party, id);
    CREATE INDEX access_request_expires ON access_request (expires_at) WHERE state = 2;
    COMMENT ON COLUMN access_request.state IS '1 pending, 2 accepted, 3 refused, 4 withdrawn, 5 revoked, 6 expired';
    COMMENT ON COLUMN access_request.position IS 'Where in the log the state changed last';

    -- Each change of a request is an entry of the log: it has a position of its own, and a row of reading_log without
    -- readings until that is compacted.
    CREATE TABLE access_change (
      position       bigint PRIMARY KEY,
      access_request bigint NOT NULL REFERENCES access_request (id),
      state          smallint NOT NULL,
      changed_at     timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX access_change_access_request ON access_change (access_request, position);
    """
}
