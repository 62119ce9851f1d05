/// Places in races: who gets one, who waits for one, who pays for one. Every function locks the race first, so that of two
/// that want the last place one comes first, and none of them waits for another one in a circle.
enum EnrolmentSQL {
  static let functions = places + enrolling + leaving + payments

  private static let places = """
    -- Whoever changes an enrolment, and however: the race's counts are right.
    CREATE FUNCTION count_enrolment() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      counted bigint := coalesce(NEW.race, OLD.race);
      taken integer := coalesce(NEW.state IN (2, 3), false)::integer - coalesce(OLD.state IN (2, 3), false)::integer;
      waiting integer := coalesce(NEW.state = 1, false)::integer - coalesce(OLD.state = 1, false)::integer;
    BEGIN
      IF taken <> 0 OR waiting <> 0 THEN
        UPDATE race SET taken_count = taken_count + taken, waiting_count = waiting_count + waiting WHERE id = counted;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER race_enrolment_counted AFTER INSERT OR DELETE OR UPDATE OF state ON race_enrolment
    FOR EACH ROW EXECUTE FUNCTION count_enrolment();

    -- How long a place is held for the fee: a quarter of an hour, from the waiting list a day or until the deadline, and
    -- never into the race.
    CREATE FUNCTION hold_end(r race, is_from_list boolean, at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT least(r.starts_at, greatest(at + interval '15 minutes',
        CASE WHEN is_from_list THEN least(at + interval '24 hours', r.enrolment_ends_at) END))
    $$;

    -- Tells a runner something about a race. The words are made of these facts.
    CREATE FUNCTION tell_runner(r race, runner bigint, news smallint, more jsonb DEFAULT '{}') RETURNS void
    LANGUAGE sql AS $$
      SELECT add_notification(runner, news, facts => jsonb_build_object('race', r.id::text, 'name', r.name) || more)
    $$;

    -- The facts of a payment: what was paid for and how much, nothing of how.
    CREATE FUNCTION payment_facts(p race_payment) RETURNS jsonb LANGUAGE sql STABLE AS $$
      SELECT jsonb_build_object('minor_units', p.minor_units::text, 'currency', p.currency, 'payment', p.id::text)
    $$;

    -- A payment for a place that is held from now on.
    CREATE FUNCTION open_payment(r race, runner bigint, at timestamptz) RETURNS uuid LANGUAGE sql AS $$
      INSERT INTO race_payment (race, person, minor_units, currency, created_at, changed_at)
      VALUES (r.id, runner, r.fee_minor_units, r.fee_currency, at, at) RETURNING id
    $$;

    -- Gives free places to those who wait, in their order, while enrolment is open; some hundreds at a time. The caller
    -- has locked the race. Returns how many it gave.
    CREATE FUNCTION fill_race(filled bigint, at timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      r race;
      next bigint;
      given integer := 0;
      bill uuid;
    BEGIN
      SELECT * INTO r FROM race WHERE id = filled;
      IF r.waiting_count = 0 OR r.taken_count >= r.capacity OR race_state(r, at) <> 2 THEN RETURN 0; END IF;
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
          UPDATE race_enrolment SET state = 2, payment = bill, held_until = hold_end(r, true, at), changed_at = at
          WHERE race = filled AND person = next;
          PERFORM tell_runner(r, next, 19::smallint, jsonb_build_object(
            'until', (extract(epoch FROM hold_end(r, true, at)) * 1000000)::bigint::text));
        END IF;
      END LOOP;
      UPDATE race SET last_number = r.last_number WHERE id = filled AND last_number <> r.last_number;
      RETURN given;
    END $$;

    -- Fills a race whose capacity has grown.
    CREATE FUNCTION fill_free_places(filled bigint, at timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM race WHERE id = filled FOR NO KEY UPDATE;
      RETURN fill_race(filled, at);
    END $$;

    """

  private static let enrolling = """
    -- Takes a place, or one on the waiting list. 0: done, or it was so before; 1: no race that the person may know of;
    -- 2: the race's state does not allow it; 3: not invited; 4: nobody to pay to; 5: the account has ended.
    CREATE FUNCTION enrol_runner(
      wanted bigint, runner bigint, shown_name text, link bytea, can_pay boolean, at timestamptz
    ) RETURNS smallint LANGUAGE plpgsql AS $$
    DECLARE
      r race;
      new_state smallint := 1;
      bill uuid;
      own_name text;
    BEGIN
      SELECT * INTO r FROM race WHERE id = wanted;
      IF NOT FOUND THEN RETURN 1; END IF;
      IF EXISTS (SELECT FROM race_enrolment WHERE race = wanted AND person = runner AND state <= 3) THEN RETURN 0; END IF;
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
      IF race_state(r, at) <> 2 THEN RETURN 2; END IF;
      IF r.fee_minor_units IS NOT NULL AND NOT can_pay THEN RETURN 4; END IF;
      -- The same person at the same moment: this look sees what the other call has done.
      IF EXISTS (SELECT FROM race_enrolment WHERE race = wanted AND person = runner AND state <= 3) THEN RETURN 0; END IF;
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
        CASE new_state WHEN 2 THEN hold_end(r, false, at) END, at)
      ON CONFLICT (race, person) DO UPDATE SET state = EXCLUDED.state, number = EXCLUDED.number,
        runner_name = EXCLUDED.runner_name, payment = EXCLUDED.payment, held_until = EXCLUDED.held_until,
        queue_place = DEFAULT, is_present = false, is_disqualified = false, is_retired = false, changed_at = at;
      IF new_state = 1 THEN PERFORM fill_race(wanted, at); END IF;
      IF new_state = 3 THEN UPDATE race SET last_number = last_number + 1 WHERE id = wanted; END IF;
      RETURN 0;
    END $$;

    """

  private static let leaving = """
    -- What is still to be asked of the provider so that a payment without a place takes nothing.
    CREATE FUNCTION drop_payment(dropped uuid, at timestamptz) RETURNS void LANGUAGE sql AS $$
      UPDATE race_payment SET wish = CASE state WHEN 3 THEN 4 ELSE 3 END, attempts = 0, next_attempt_at = now(),
        changed_at = at
      WHERE id = dropped AND state IN (1, 2, 3) AND wish <> CASE state WHEN 3 THEN 4 ELSE 3 END
    $$;

    -- Takes a held or given place away, and gives it to who waits. The caller has locked the race.
    CREATE FUNCTION free_place(r race, runner bigint, new_state smallint, at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE race_enrolment SET state = new_state, number = NULL, held_until = NULL, changed_at = at
      WHERE race = r.id AND person = runner;
      PERFORM fill_race(r.id, at);
    END $$;

    -- Gives a place back. 0: done, or it was so before; 1: no enrolment; 2: the race's state does not allow it;
    -- 6: it has to be an entry of the log, because the leaderboard depends on it.
    CREATE FUNCTION withdraw_runner(abandoned bigint, runner bigint, at timestamptz) RETURNS smallint
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
      IF phase NOT IN (2, 3, 4) THEN RETURN 2; END IF;
      IF e.state = 3 AND phase <> 2 THEN RETURN 6; END IF;
      PERFORM drop_payment(e.payment, at);
      IF e.state = 1 THEN
        UPDATE race_enrolment SET state = 4, changed_at = at WHERE race = abandoned AND person = runner;
      ELSE
        PERFORM free_place(r, runner, 4::smallint, at);
      END IF;
      RETURN 0;
    END $$;

    -- Ends a hold that was not paid for in time; false if it is none any more.
    CREATE FUNCTION expire_hold(abandoned bigint, runner bigint, at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
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
      PERFORM free_place(r, runner, 5::smallint, at);
      RETURN true;
    END $$;

    """

  private static let payments = """
    -- Puts down what the provider has told of a payment, in an answer or by webhook: once, twice or in another order.
    -- 0: done, or nothing new; 1: no such payment; 2: it contradicts what is known, and was not put down.
    CREATE FUNCTION settle_payment(
      settled uuid, known_as text, told smallint, amount bigint, money text, at timestamptz
    ) RETURNS smallint LANGUAGE plpgsql AS $$
    DECLARE
      p race_payment;
      r race;
      e race_enrolment;
      is_its_place boolean;
      is_right boolean;
    BEGIN
      SELECT x.* INTO r FROM race_payment q JOIN race x ON x.id = q.race WHERE q.id = settled FOR NO KEY UPDATE OF x;
      IF NOT FOUND THEN RETURN 1; END IF;
      SELECT * INTO p FROM race_payment WHERE id = settled FOR UPDATE;
      IF p.provider_payment <> known_as THEN RETURN 2; END IF;
      IF p.provider_payment IS NULL THEN
        UPDATE race_payment SET provider_payment = known_as WHERE id = settled;
      END IF;
      SELECT * INTO e FROM race_enrolment WHERE race = r.id AND person = p.person;
      is_its_place := coalesce(e.payment = settled, false);
      is_right := amount = p.minor_units AND money = p.currency;

      IF told = 2 AND p.state IN (1, 6) THEN
        IF is_right AND is_its_place AND race_state(r, at) IN (2, 3) AND (e.state = 2 OR e.state = 5
          -- Too late, but nobody has taken the place, and the provider was not asked to cancel.
          AND r.taken_count < r.capacity AND r.waiting_count = 0 AND (p.wish <> 3 OR p.attempts = 0))
        THEN
          UPDATE race SET last_number = last_number + 1,
            -- After the deadline servers have read who runs.
            changed_in = CASE race_state(r, at) WHEN 2 THEN changed_in ELSE pg_current_xact_id() END
          WHERE id = r.id RETURNING last_number INTO e.number;
          UPDATE race_enrolment SET state = 3, number = e.number, held_until = NULL, changed_at = at
          WHERE race = r.id AND person = p.person;
          PERFORM tell_runner(r, p.person, 18::smallint, jsonb_build_object('number', e.number::text));
          UPDATE race_payment SET state = 2, wish = 2, attempts = 0, next_attempt_at = now(), changed_at = at
          WHERE id = settled;
        ELSE
          UPDATE race_payment SET state = 2, wish = 3, attempts = 0, next_attempt_at = now(), changed_at = at
          WHERE id = settled;
          IF is_its_place AND e.state = 2 THEN
            PERFORM tell_runner(r, p.person, 20::smallint);
            PERFORM free_place(r, p.person, 5::smallint, at);
          END IF;
        END IF;
      ELSIF told = 3 AND p.state NOT IN (3, 5) THEN
        IF p.state IN (1, 6) THEN
          -- The news that came before this one is on its way.
          PERFORM settle_payment(settled, known_as, 2::smallint, amount, money, at);
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
        -- An authorization that has lapsed takes its place with it as long as others can enrol.
        IF is_its_place AND (e.state = 2 OR e.state = 3 AND race_state(r, at) = 2) THEN
          PERFORM tell_runner(r, p.person, 20::smallint);
          PERFORM free_place(r, p.person, 5::smallint, at);
        END IF;
      END IF;
      RETURN 0;
    END $$;
    """
}
