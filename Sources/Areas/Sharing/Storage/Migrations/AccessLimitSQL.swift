/// How many requests for access may wait, checked where one is added.
enum AccessLimitSQL {
  static let schema = """
    CREATE INDEX access_request_pending ON access_request (third_party, person) WHERE state = 1;

    -- As before, with two limits: of the third party's requests that wait for the person, and that wait for anyone. It
    -- runs in the writer's transaction, of which there is one at a time: nothing is added between counting and adding.
    DROP FUNCTION add_access_request(
      bigint, integer, bigint, bigint, bigint, text, integer[], bigint, bigint, smallint, text, timestamptz);
    CREATE FUNCTION add_access_request(
      commit_id bigint, entry_row integer, new_id bigint, third_party bigint, person bigint, request_id text,
      metrics integer[], from_us bigint, to_us bigint, granularity smallint, purpose text, at timestamptz,
      max_of_person integer, max_of_all integer
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
    BEGIN
      PERFORM FROM account a WHERE a.id IN (add_access_request.third_party, add_access_request.person)
        AND a.state = 'active' HAVING count(*) = 2;
      IF NOT FOUND THEN RETURN NULL; END IF;
      PERFORM FROM access_request r WHERE r.third_party = add_access_request.third_party AND r.state = 1
        HAVING count(*) < max_of_all
          AND count(*) FILTER (WHERE r.person = add_access_request.person) < max_of_person;
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
    """
}
