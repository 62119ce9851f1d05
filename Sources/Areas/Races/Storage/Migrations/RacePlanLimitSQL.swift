/// Changes of dates and course of a race, by the numbers of `RaceNotices`, `PlaceRules` and `RaceState`.
enum RacePlanLimitSQL {
  static let schema = """
    DROP FUNCTION is_changed_often(bigint);
    DROP FUNCTION change_race_plan(
      bigint, integer, bigint, bigint, bigint, timestamptz, text, text, text, uuid, timestamptz, timestamptz, bigint,
      integer, jsonb);

    -- Whether dates or course of a race have changed so often in a period, of which all its people were told.
    CREATE FUNCTION is_changed_often(changed_race bigint, changes_max integer, period interval) RETURNS boolean
    LANGUAGE sql STABLE AS $$
      SELECT count(*) >= changes_max FROM race_notice
      WHERE race = changed_race AND kind IN (14, 27) AND made_at > now() - period
    $$;

    -- As before; in which states, for how long a place is held, and how many changes there may be in a period is given.
    CREATE FUNCTION change_race_plan(
      commit_id bigint, entry_row integer, changed_race bigint, known_version bigint, deciding bigint, at timestamptz,
      new_name text, new_description text, new_place text, new_course uuid, new_start timestamptz,
      new_deadline timestamptz, new_limit bigint, new_capacity integer, told jsonb,
      states smallint[], hold interval, changes_max integer, period interval
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
    BEGIN
      -- Of this, an enrolment and the deadline one comes first.
      PERFORM FROM race r
      WHERE r.id = changed_race AND r.version = known_version AND race_state(r, at) = ANY (states) AND new_deadline > at
        AND new_capacity >= r.capacity
      FOR UPDATE;
      IF NOT FOUND OR is_changed_often(changed_race, changes_max, period) THEN RETURN NULL; END IF;
      UPDATE race SET name = new_name, description = new_description, place_name = new_place, course = new_course,
        starts_at = new_start, enrolment_ends_at = new_deadline, time_limit_us = new_limit, capacity = new_capacity,
        plan_changed_at = at, version = version + 1, changed_in = pg_current_xact_id()
      WHERE id = changed_race;
      -- No hold reaches into the race; those from the waiting list end with the deadline (see hold_end).
      UPDATE race_enrolment SET held_until = least(new_start, greatest(at + hold, new_deadline))
      WHERE race = changed_race AND state = 2
        AND held_until > least(new_start, greatest(at + hold, new_deadline));
      PERFORM announce_race(changed_race, 27::smallint, '{runners,observers,organizers,invited}', at, told);
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO race_change (position, race, kind, persons, author, finish_us, reason, changed_at, facts)
      VALUES (entry, changed_race, 12, '{}', deciding, 0, '', at, told);
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;
    """
}
