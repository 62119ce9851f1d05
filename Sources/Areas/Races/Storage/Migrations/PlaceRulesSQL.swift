/// Places in races, by the rules of `PlaceRules` and `RaceState`, which come with each call.
enum PlaceRulesSQL {
  static let schema = type + places + leaving + fees

  private static let type = """
    DROP FUNCTION hold_end(race, boolean, timestamptz), fill_race(bigint, timestamptz),
      fill_free_places(bigint, timestamptz), enrol_runner(bigint, bigint, text, bytea, boolean, timestamptz),
      free_place(race, bigint, smallint, timestamptz), withdraw_runner(bigint, bigint, timestamptz),
      expire_hold(bigint, bigint, timestamptz),
      lose_fee(race, race_payment, integer, timestamptz, timestamptz), give_up_payment(uuid, smallint, timestamptz),
      settle_payment(uuid, text, smallint, bigint, text, timestamptz);

    -- How long a place is held, and one from the waiting list; the states of a race in which runners enrol, in which
    -- they leave, and in which a fee that was paid makes a place certain.
    CREATE TYPE place_rules AS (
      hold interval, list_hold interval, enrolling smallint[], leaving smallint[], certain smallint[]
    );

    """

  /// As in `EnrolmentSQL`; the rules are given.
  private static let places = """
    CREATE FUNCTION hold_end(r race, is_from_list boolean, at timestamptz, rules place_rules) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
      SELECT least(r.starts_at, greatest(at + rules.hold,
        CASE WHEN is_from_list THEN least(at + rules.list_hold, r.enrolment_ends_at) END))
    $$;

    CREATE FUNCTION fill_race(filled bigint, at timestamptz, rules place_rules) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      r race;
      next bigint;
      given integer := 0;
      bill uuid;
    BEGIN
      SELECT * INTO r FROM race WHERE id = filled;
      IF r.waiting_count = 0 OR r.taken_count >= r.capacity OR race_state(r, at) <> ALL (rules.enrolling) THEN
        RETURN 0;
      END IF;
      FOR next IN
        SELECT person FROM race_enrolment WHERE race = filled AND state = 1 ORDER BY queue_place
        LIMIT least(r.capacity - r.taken_count, 500)
      LOOP
        given := given + 1;
        IF r.fee_minor_units IS NULL THEN
          r.last_number := r.last_number + 1;
          UPDATE race_enrolment SET state = 3, number = r.last_number, changed_at = at
          WHERE race = filled AND person = next;
          PERFORM tell_runner(r, next, 18::smallint, jsonb_build_object('number', r.last_number::text));
        ELSE
          bill := open_payment(r, next, at);
          UPDATE race_enrolment SET state = 2, payment = bill, held_until = hold_end(r, true, at, rules),
            changed_at = at
          WHERE race = filled AND person = next;
          PERFORM tell_runner(r, next, 19::smallint, jsonb_build_object(
            'until', (extract(epoch FROM hold_end(r, true, at, rules)) * 1000000)::bigint::text));
        END IF;
      END LOOP;
      UPDATE race SET last_number = r.last_number WHERE id = filled AND last_number <> r.last_number;
      RETURN given;
    END $$;

    CREATE FUNCTION fill_free_places(filled bigint, at timestamptz, rules place_rules) RETURNS integer
    LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM race WHERE id = filled FOR NO KEY UPDATE;
      RETURN fill_race(filled, at, rules);
    END $$;

    CREATE FUNCTION enrol_runner(
      wanted bigint, runner bigint, shown_name text, link bytea, can_pay boolean, at timestamptz,
      rules place_rules
    ) RETURNS smallint LANGUAGE plpgsql AS $$
    DECLARE
      r race;
      new_state smallint := 1;
      bill uuid;
      own_name text;
    BEGIN
      SELECT * INTO r FROM race WHERE id = wanted;
      IF NOT FOUND THEN RETURN 1; END IF;
      IF EXISTS (SELECT FROM race_enrolment WHERE race = wanted AND person = runner AND state <= 3) THEN
        RETURN 0;
      END IF;
      IF NOT r.is_opened THEN
        RETURN CASE WHEN EXISTS (SELECT FROM race_organizer WHERE race = wanted AND account = runner) THEN 2 ELSE 1 END;
      END IF;
      SELECT display_name INTO own_name FROM account
      WHERE id = runner AND kind = 'person' AND state = 'active' FOR SHARE;
      IF NOT FOUND THEN RETURN 5; END IF;
      -- From here on one after the other.
      SELECT * INTO r FROM race WHERE id = wanted FOR NO KEY UPDATE;
      IF r.by_invitation AND (r.invitation_sha256 IS DISTINCT FROM link OR NOT EXISTS (
        SELECT FROM race_invitation WHERE race = wanted AND person = runner))
      THEN
        RETURN CASE WHEN EXISTS (SELECT FROM race_organizer WHERE race = wanted AND account = runner)
          OR EXISTS (SELECT FROM race_observer WHERE race = wanted AND account = runner) THEN 3 ELSE 1 END;
      END IF;
      IF race_state(r, at) <> ALL (rules.enrolling) THEN RETURN 2; END IF;
      IF r.fee_minor_units IS NOT NULL AND NOT can_pay THEN RETURN 4; END IF;
      -- The same person at the same moment: this look sees what the other call has done.
      IF EXISTS (SELECT FROM race_enrolment WHERE race = wanted AND person = runner AND state <= 3) THEN
        RETURN 0;
      END IF;
      IF r.taken_count < r.capacity AND r.waiting_count = 0 THEN
        IF r.fee_minor_units IS NULL THEN new_state := 3;
        ELSE
          new_state := 2;
          bill := open_payment(r, runner, at);
        END IF;
      END IF;
      INSERT INTO race_enrolment AS e (race, person, state, number, runner_name, payment, held_until, changed_at)
      VALUES (wanted, runner, new_state, CASE new_state WHEN 3 THEN r.last_number + 1 END,
        coalesce(nullif(shown_name, ''), nullif(left(own_name, 60), ''), 'Runner'), bill,
        CASE new_state WHEN 2 THEN hold_end(r, false, at, rules) END, at)
      ON CONFLICT (race, person) DO UPDATE SET state = EXCLUDED.state, number = EXCLUDED.number,
        runner_name = EXCLUDED.runner_name, payment = EXCLUDED.payment, held_until = EXCLUDED.held_until,
        queue_place = DEFAULT, is_present = false, is_disqualified = false, is_retired = false, changed_at = at;
      IF new_state = 1 THEN PERFORM fill_race(wanted, at, rules); END IF;
      IF new_state = 3 THEN UPDATE race SET last_number = last_number + 1 WHERE id = wanted; END IF;
      RETURN 0;
    END $$;

    """

  /// As in `EnrolmentSQL`; the rules are given.
  private static let leaving = """
    CREATE FUNCTION free_place(r race, runner bigint, new_state smallint, at timestamptz, rules place_rules)
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE race_enrolment SET state = new_state, number = NULL, held_until = NULL, changed_at = at
      WHERE race = r.id AND person = runner;
      PERFORM fill_race(r.id, at, rules);
    END $$;

    CREATE FUNCTION withdraw_runner(abandoned bigint, runner bigint, at timestamptz, rules place_rules) RETURNS smallint
    LANGUAGE plpgsql AS $$
    DECLARE
      r race;
      e race_enrolment;
      phase smallint;
    BEGIN
      SELECT * INTO r FROM race WHERE id = abandoned FOR NO KEY UPDATE;
      SELECT * INTO e FROM race_enrolment WHERE race = abandoned AND person = runner;
      IF NOT FOUND THEN RETURN 1; END IF;
      IF e.state > 3 THEN RETURN 0; END IF;
      phase := race_state(r, at);
      IF phase <> ALL (rules.leaving) THEN RETURN 2; END IF;
      IF e.state = 3 AND phase <> ALL (rules.enrolling) THEN RETURN 6; END IF;
      PERFORM drop_payment(e.payment, at);
      IF e.state = 1 THEN
        UPDATE race_enrolment SET state = 4, changed_at = at WHERE race = abandoned AND person = runner;
      ELSE
        PERFORM free_place(r, runner, 4::smallint, at, rules);
      END IF;
      RETURN 0;
    END $$;

    CREATE FUNCTION expire_hold(abandoned bigint, runner bigint, at timestamptz, rules place_rules) RETURNS boolean
    LANGUAGE plpgsql AS $$
    DECLARE
      r race;
      e race_enrolment;
    BEGIN
      SELECT * INTO r FROM race WHERE id = abandoned FOR NO KEY UPDATE;
      SELECT * INTO e FROM race_enrolment
      WHERE race = abandoned AND person = runner AND state = 2 AND held_until <= at;
      IF NOT FOUND THEN RETURN false; END IF;
      PERFORM drop_payment(e.payment, at);
      PERFORM tell_runner(r, runner, 20::smallint);
      PERFORM free_place(r, runner, 5::smallint, at, rules);
      RETURN true;
    END $$;

    """

  /// As in `GivenUpPaymentSQL`; the rules are given.
  private static let fees = """
    CREATE FUNCTION lose_fee(
      r race, p race_payment, bib integer, at timestamptz, moment timestamptz, rules place_rules
    ) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF moment >= r.starts_at THEN
        PERFORM tell_runner(r, p.person, 31::smallint,
          payment_facts(p) || jsonb_build_object('wish', 'capture', 'place', 'kept'));
        PERFORM tell_race(r.id, 31::smallint, '{organizers}',
          payment_facts(p) || jsonb_build_object('wish', 'capture', 'organizer', 'true', 'number', bib::text));
        RETURN;
      END IF;
      PERFORM tell_runner(r, p.person, 31::smallint,
        payment_facts(p) || jsonb_build_object('wish', 'capture', 'place', 'lost'));
      PERFORM free_place(r, p.person, 5::smallint, at, rules);
      -- After the deadline servers have read who runs.
      UPDATE race SET changed_in = pg_current_xact_id()
      WHERE id = r.id AND race_state(r, moment) <> ALL (rules.enrolling);
    END $$;

    CREATE FUNCTION give_up_payment(abandoned uuid, refused smallint, at timestamptz, rules place_rules) RETURNS boolean
    LANGUAGE plpgsql AS $$
    DECLARE
      p race_payment;
      r race;
      e race_enrolment;
      is_its_place boolean;
      moment timestamptz;
    BEGIN
      SELECT x.* INTO r FROM race_payment q JOIN race x ON x.id = q.race WHERE q.id = abandoned FOR NO KEY UPDATE OF x;
      IF NOT FOUND THEN RETURN false; END IF;
      moment := at + (clock_timestamp() - statement_timestamp());
      SELECT * INTO p FROM race_payment WHERE id = abandoned FOR UPDATE;
      IF p.wish <> refused THEN RETURN false; END IF;
      SELECT * INTO e FROM race_enrolment WHERE race = r.id AND person = p.person;
      is_its_place := coalesce(e.payment = abandoned AND r.cancelled_at IS NULL, false);
      UPDATE race_payment SET changed_at = at, attempts = 0, next_attempt_at = now(),
        state = CASE WHEN refused IN (1, 2) THEN 6 ELSE state END, wish = CASE refused WHEN 2 THEN 3 ELSE 0 END,
        given_up = CASE WHEN refused = 3 AND given_up <> 0 THEN given_up ELSE refused END
      WHERE id = abandoned;
      IF refused = 1 AND is_its_place AND e.state = 2 THEN
        PERFORM tell_runner(r, p.person, 31::smallint,
          payment_facts(p) || jsonb_build_object('wish', 'create', 'place', 'lost'));
        PERFORM free_place(r, p.person, 5::smallint, at, rules);
      ELSIF refused = 2 AND is_its_place AND e.state = 3 THEN
        PERFORM lose_fee(r, p, e.number, at, moment, rules);
      ELSIF refused = 4 THEN
        PERFORM tell_runner(r, p.person, 31::smallint, payment_facts(p) || jsonb_build_object('wish', 'refund'));
        PERFORM tell_race(r.id, 31::smallint, '{organizers}',
          payment_facts(p) || jsonb_build_object('wish', 'refund', 'organizer', 'true'));
      END IF;
      RETURN true;
    END $$;

    CREATE FUNCTION settle_payment(
      settled uuid, known_as text, told smallint, amount bigint, money text, at timestamptz,
      rules place_rules
    ) RETURNS smallint LANGUAGE plpgsql AS $$
    DECLARE
      p race_payment;
      r race;
      e race_enrolment;
      is_its_place boolean;
      is_right boolean;
      -- By when the race is locked: the news may have waited for it, and the gun does not wait.
      moment timestamptz;
    BEGIN
      SELECT x.* INTO r FROM race_payment q JOIN race x ON x.id = q.race WHERE q.id = settled FOR NO KEY UPDATE OF x;
      IF NOT FOUND THEN RETURN 1; END IF;
      moment := at + (clock_timestamp() - statement_timestamp());
      SELECT * INTO p FROM race_payment WHERE id = settled FOR UPDATE;
      IF p.provider_payment <> known_as THEN RETURN 2; END IF;
      IF p.provider_payment IS NULL THEN
        UPDATE race_payment SET provider_payment = known_as WHERE id = settled;
      END IF;
      SELECT * INTO e FROM race_enrolment WHERE race = r.id AND person = p.person;
      is_its_place := coalesce(e.payment = settled, false);
      is_right := amount = p.minor_units AND money = p.currency AND p.given_up NOT IN (1, 2);

      IF told = 2 AND p.state IN (1, 6) THEN
        IF is_right AND is_its_place AND race_state(r, moment) = ANY (rules.certain) AND (e.state = 2 OR e.state = 5
          -- Too late, but nobody has taken the place, and the provider was not asked to cancel.
          AND r.taken_count < r.capacity AND r.waiting_count = 0 AND (p.wish <> 3 OR p.attempts = 0))
        THEN
          UPDATE race SET last_number = last_number + 1,
            -- After the deadline servers have read who runs.
            changed_in = CASE WHEN race_state(r, moment) = ANY (rules.enrolling) THEN changed_in
              ELSE pg_current_xact_id() END
          WHERE id = r.id RETURNING last_number INTO e.number;
          UPDATE race_enrolment SET state = 3, number = e.number, held_until = NULL, changed_at = at
          WHERE race = r.id AND person = p.person;
          PERFORM tell_runner(r, p.person, 18::smallint, jsonb_build_object('number', e.number::text));
          UPDATE race_payment SET state = 2, wish = 2, attempts = 0, next_attempt_at = now(), changed_at = at
          WHERE id = settled;
        ELSE
          UPDATE race_payment SET state = 2, wish = 3, attempts = 0, next_attempt_at = now(), changed_at = at
          WHERE id = settled;
          -- Of a cancelled race everybody is told, and the places end afterwards.
          IF is_its_place AND e.state = 2 AND r.cancelled_at IS NULL THEN
            PERFORM tell_runner(r, p.person, 20::smallint);
            PERFORM free_place(r, p.person, 5::smallint, at, rules);
          END IF;
        END IF;
      ELSIF told = 3 AND p.state NOT IN (3, 5) THEN
        IF p.state IN (1, 6) THEN
          -- The news that came before this one is on its way.
          PERFORM settle_payment(settled, known_as, 2::smallint, amount, money, at, rules);
          SELECT * INTO e FROM race_enrolment WHERE race = r.id AND person = p.person;
        END IF;
        IF is_its_place AND e.state = 3 AND r.cancelled_at IS NULL THEN
          UPDATE race_payment SET state = 3, wish = 0, changed_at = at WHERE id = settled;
          PERFORM tell_runner(r, p.person, 21::smallint,
            payment_facts(p) || jsonb_build_object('number', e.number::text));
        ELSE
          UPDATE race_payment SET state = 3, changed_at = at WHERE id = settled;
          PERFORM drop_payment(settled, at);
        END IF;
      ELSIF told = 5 AND p.state <> 5 THEN
        UPDATE race_payment SET state = 5, wish = 0, changed_at = at WHERE id = settled;
        PERFORM tell_runner(r, p.person, 22::smallint, payment_facts(p));
      ELSIF told IN (4, 6) AND (p.state = 1 OR p.state = 2 AND (told = 4 OR p.wish = 3)) THEN
        UPDATE race_payment SET state = told, wish = 0, changed_at = at WHERE id = settled;
        IF is_its_place AND e.state = 2 AND r.cancelled_at IS NULL THEN
          PERFORM tell_runner(r, p.person, 20::smallint);
          PERFORM free_place(r, p.person, 5::smallint, at, rules);
        ELSIF is_its_place AND e.state = 3 AND r.cancelled_at IS NULL AND p.wish <> 3 THEN
          PERFORM lose_fee(r, p, e.number, at, moment, rules);
        END IF;
      ELSIF told IN (4, 6) AND p.state = 6 AND p.wish = 3 THEN
        UPDATE race_payment SET wish = 0, changed_at = at WHERE id = settled;
      END IF;
      RETURN 0;
    END $$;
    """
}
