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

    -- For readers of one person's readings who come back after a position.
    CREATE INDEX reading_chunk_person_position ON reading_chunk (person, last_position);

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

    -- The two functions with which requests change run in the writer's transaction. They return the entry's position,
    -- or NULL where nothing was changed, and raise nothing: an error would hold up every reading of the commit.
    CREATE FUNCTION add_access_request(
      commit_id bigint, entry_row integer, new_id bigint, third_party bigint, person bigint, request_id text,
      metrics integer[], from_us bigint, to_us bigint, granularity smallint, purpose text, at timestamptz
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
    BEGIN
      PERFORM FROM account a WHERE a.id IN (add_access_request.third_party, add_access_request.person)
        AND a.state = 'active' HAVING count(*) = 2;
      IF NOT FOUND THEN RETURN NULL; END IF;
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO access_request (id, third_party, person, request_id, metrics, from_us, to_us, granularity, purpose,
        state, position, requested_at, changed_at)
      OVERRIDING SYSTEM VALUE VALUES (new_id, third_party, person, request_id, metrics, from_us, to_us, granularity,
        purpose, 1, entry, at, at);
      INSERT INTO access_change (position, access_request, state, changed_at) VALUES (entry, new_id, 1, at);
      PERFORM add_notification(person, 3::smallint, new_id);
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;

    CREATE FUNCTION change_access(
      commit_id bigint, entry_row integer, request bigint, new_state smallint, predecessors smallint[], at timestamptz
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      changed access_request;
      entry bigint;
    BEGIN
      SELECT * INTO changed FROM access_request r WHERE r.id = request AND r.state = ANY (predecessors) FOR UPDATE;
      IF NOT FOUND THEN RETURN NULL; END IF;
      -- Nothing is granted to an account that has ended, nor by one.
      IF new_state = 2 THEN
        PERFORM FROM account a WHERE a.id IN (changed.third_party, changed.person)
          AND a.state = 'active' HAVING count(*) = 2;
        IF NOT FOUND THEN RETURN NULL; END IF;
      END IF;
      entry := append_log_entry(commit_id, entry_row);
      UPDATE access_request r SET state = new_state, position = entry, changed_at = at,
        expires_at = CASE WHEN new_state = 2 AND r.to_us < 9223372036854775807
          THEN greatest(at, to_timestamp(r.to_us / 1e6)) + interval '30 days' END
      WHERE r.id = request;
      INSERT INTO access_change (position, access_request, state, changed_at) VALUES (entry, request, new_state, at);
      -- Told is who did not do it; of the end of a grant by time, both.
      IF new_state IN (2, 3, 5) THEN
        PERFORM add_notification(changed.third_party,
          CASE new_state WHEN 2 THEN 4 WHEN 3 THEN 5 ELSE 7 END::smallint, request);
      ELSIF new_state = 4 THEN
        PERFORM add_notification(changed.person, 6::smallint, request);
      ELSIF new_state = 6 THEN
        PERFORM add_notification(changed.person, 8::smallint, request),
          add_notification(changed.third_party, 8::smallint, request);
      END IF;
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;
    """
}
