internal import RacesRules

/// Dates and course of a race change while its enrolment is open: an entry of the log. Those concerned are told, and
/// those who leave because of it get their fees back.
enum RacePlanSQL {
  static let schema = columns + telling + changing + leaving

  private static let columns = """
    ALTER TABLE race ADD COLUMN plan_changed_at timestamptz;
    COMMENT ON COLUMN race.plan_changed_at IS 'When dates or course last changed after publishing: who had a place by then gets the fee back on leaving before the start';

    ALTER TABLE race_change ADD COLUMN facts jsonb NOT NULL DEFAULT '{}';
    ALTER TABLE race_change DROP CONSTRAINT race_change_kind_check,
      ADD CONSTRAINT race_change_kind_check CHECK (kind BETWEEN 1 AND 12);
    COMMENT ON COLUMN race_change.facts IS 'Of kind 12: old and new dates and course, as those concerned were told';
    COMMENT ON COLUMN race_change.kind IS 'As RaceChange.Kind: 1 present, 2 absent, 3 disqualified, 4 reinstated, '
      '5 retired, 6 finish time, 7 did not finish, 8 as measured, 9 withdrawn, 10 race finished, 11 race cancelled, '
      '12 dates or course changed';

    """

  private static let telling = """
    -- As before; those who are invited can be told, too.
    CREATE OR REPLACE FUNCTION tell_race(told_race bigint, told_kind smallint, audience text[], more jsonb DEFAULT '{}')
    RETURNS void LANGUAGE sql AS $$
      WITH concerned AS MATERIALIZED (
        SELECT account FROM race_organizer WHERE race = told_race AND 'organizers' = ANY (audience)
        UNION SELECT account FROM race_observer WHERE race = told_race AND 'observers' = ANY (audience)
        UNION SELECT person FROM race_invitation WHERE race = told_race AND 'invited' = ANY (audience)
        UNION SELECT person FROM race_enrolment
          WHERE race = told_race AND state IN (1, 2, 3) AND 'runners' = ANY (audience)
      ), told AS MATERIALIZED (
        -- Nothing is left for an account that is being erased.
        SELECT a.id, a.email FROM account a WHERE a.id IN (SELECT account FROM concerned) AND a.state = 'active'
        FOR KEY SHARE
      ), facts AS (
        SELECT jsonb_build_object('race', r.id::text, 'name', r.name) || more AS facts FROM race r WHERE r.id = told_race
      ), entries AS (
        INSERT INTO notification (account, kind, facts) SELECT t.id, told_kind, f.facts FROM told t, facts f
      )
      INSERT INTO email_queue (account, address, kind, facts)
      SELECT t.id, t.email, told_kind, f.facts FROM told t, facts f WHERE t.email <> '';
    $$;

    """

  private static let changing = """
    -- A new plan for a race of a certain version whose enrolment is open, in the writer's transaction: the entry's position,
    -- or NULL where nothing was changed. Raises nothing. Places, numbers and payments stay as they are.
    CREATE FUNCTION change_race_plan(
      commit_id bigint, entry_row integer, changed_race bigint, known_version bigint, deciding bigint, at timestamptz,
      new_name text, new_description text, new_place text, new_course uuid, new_start timestamptz,
      new_deadline timestamptz, new_limit bigint, new_capacity integer, told jsonb
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
    BEGIN
      -- Of this, an enrolment and the deadline one comes first.
      PERFORM FROM race r
      WHERE r.id = changed_race AND r.version = known_version AND race_state(r, at) = 2 AND new_deadline > at
        AND new_capacity >= r.capacity
      FOR UPDATE;
      IF NOT FOUND THEN RETURN NULL; END IF;
      UPDATE race SET name = new_name, description = new_description, place_name = new_place, course = new_course,
        starts_at = new_start, enrolment_ends_at = new_deadline, time_limit_us = new_limit, capacity = new_capacity,
        plan_changed_at = at, version = version + 1, changed_in = pg_current_xact_id()
      WHERE id = changed_race;
      -- No hold reaches into the race; those from the waiting list end with the deadline (see hold_end).
      UPDATE race_enrolment SET held_until = least(new_start, greatest(at + interval '15 minutes', new_deadline))
      WHERE race = changed_race AND state = 2
        AND held_until > least(new_start, greatest(at + interval '15 minutes', new_deadline));
      PERFORM tell_race(changed_race, 27::smallint, '{runners,observers,organizers,invited}', told);
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO race_change (position, race, kind, persons, author, finish_us, reason, changed_at, facts)
      VALUES (entry, changed_race, 12, '{}', deciding, 0, '', at, told);
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;

    """

  private static let leaving = """
    -- Whoever gives a place back that was taken before dates or course changed gets the fee back, also after the deadline
    -- and whichever way the place is given back.
    CREATE FUNCTION refund_after_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM drop_payment(p.id, NEW.changed_at) FROM race_payment p JOIN race r ON r.id = p.race
      WHERE p.id = NEW.payment AND p.created_at <= r.plan_changed_at;
      RETURN NULL;
    END $$;
    CREATE TRIGGER race_enrolment_refunded AFTER UPDATE OF state ON race_enrolment FOR EACH ROW
    WHEN (OLD.state = 3 AND NEW.state = 4 AND NEW.payment IS NOT NULL) EXECUTE FUNCTION refund_after_change();
    """
}
