/// Changes of requests for access, by the time of `AccessRules.afterEnd`.
enum AccessEndSQL {
  static let schema = """
    DROP FUNCTION change_access(bigint, integer, bigint, smallint, smallint[], timestamptz);

    -- As before; how long a grant goes on after its interval is given.
    CREATE FUNCTION change_access(
      commit_id bigint, entry_row integer, request bigint, new_state smallint, predecessors smallint[], at timestamptz,
      after_end interval
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
          THEN greatest(at, to_timestamp(r.to_us / 1e6)) + after_end END
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
