/// Fees of races are payments like others: what becomes of a place when the provider tells something, or refuses.
enum FeeSQL {
  static let schema = payments + ending + settling

  private static let payments = """
    DROP FUNCTION settle_payment(uuid, text, smallint, bigint, text, timestamptz, place_rules),
      give_up_payment(uuid, smallint, timestamptz, place_rules),
      lose_fee(race, payment, integer, timestamptz, timestamptz, place_rules);

    -- A payment for a place that is held from now on.
    CREATE OR REPLACE FUNCTION open_payment(r race, runner bigint, at timestamptz) RETURNS uuid LANGUAGE sql AS $$
      SELECT open_payment(1::smallint, r.id, runner, r.name, r.fee_minor_units, r.fee_currency, at)
    $$;

    -- Of the next payments of a race that is cancelled: what was taken is paid back, and what was not taken never is.
    -- Returns how many there were.
    CREATE OR REPLACE FUNCTION drop_payments(cancelled_race bigint, most integer) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      RETURN drop_payments(1::smallint, cancelled_race, most);
    END $$;

    -- As before.
    CREATE OR REPLACE FUNCTION refund_after_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM drop_payment(p.id, NEW.changed_at) FROM payment p JOIN race r ON r.id = NEW.race
      WHERE p.id = NEW.payment AND p.created_at <= r.plan_changed_at;
      RETURN NULL;
    END $$;

    """

  private static let ending = """
    -- The fee of an enrolled runner can't be taken: before the start the place goes with it, and whoever waits gets it while
    -- enrolment is open. From the start on the runner keeps it, and the organisers are told. The caller has locked the race.
    CREATE FUNCTION lose_fee(
      r race, p payment, bib integer, at timestamptz, moment timestamptz, rules place_rules
    ) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF moment >= r.starts_at THEN
        PERFORM tell_runner(r, p.payer, 31::smallint,
          payment_facts(p) || jsonb_build_object('wish', 'capture', 'place', 'kept'));
        PERFORM tell_race(r.id, 31::smallint, '{organizers}',
          payment_facts(p) || jsonb_build_object('wish', 'capture', 'organizer', 'true', 'number', bib::text));
        RETURN;
      END IF;
      PERFORM tell_runner(r, p.payer, 31::smallint,
        payment_facts(p) || jsonb_build_object('wish', 'capture', 'place', 'lost'));
      PERFORM free_place(r, p.payer, 5::smallint, at, rules);
      -- After the deadline servers have read who runs.
      UPDATE race SET changed_in = pg_current_xact_id()
      WHERE id = r.id AND race_state(r, moment) <> ALL (rules.enrolling);
    END $$;

    -- Ends a wish that the provider refuses for good; false if it is wished no more. What could not be paid back is told to
    -- the runner and the organisers.
    CREATE FUNCTION give_up_fee(abandoned uuid, refused smallint, at timestamptz, rules place_rules) RETURNS boolean
    LANGUAGE plpgsql AS $$
    DECLARE
      p payment;
      r race;
      e race_enrolment;
      is_its_place boolean;
      -- By when the race is locked: the news may have waited for it, and the gun does not wait.
      moment timestamptz;
    BEGIN
      SELECT x.* INTO r FROM payment q JOIN race x ON x.id = q.subject WHERE q.id = abandoned FOR NO KEY UPDATE OF x;
      IF NOT FOUND THEN RETURN false; END IF;
      moment := at + (clock_timestamp() - statement_timestamp());
      p := end_payment_wish(abandoned, refused, at);
      IF p.id IS NULL THEN RETURN false; END IF;
      SELECT * INTO e FROM race_enrolment WHERE race = r.id AND person = p.payer;
      is_its_place := coalesce(e.payment = abandoned AND r.cancelled_at IS NULL, false);
      IF refused = 1 AND is_its_place AND e.state = 2 THEN
        PERFORM tell_runner(r, p.payer, 31::smallint,
          payment_facts(p) || jsonb_build_object('wish', 'create', 'place', 'lost'));
        PERFORM free_place(r, p.payer, 5::smallint, at, rules);
      ELSIF refused = 2 AND is_its_place AND e.state = 3 THEN
        PERFORM lose_fee(r, p, e.number, at, moment, rules);
      ELSIF refused = 4 THEN
        PERFORM tell_runner(r, p.payer, 31::smallint, payment_facts(p) || jsonb_build_object('wish', 'refund'));
        PERFORM tell_race(r.id, 31::smallint, '{organizers}',
          payment_facts(p) || jsonb_build_object('wish', 'refund', 'organizer', 'true'));
      END IF;
      RETURN true;
    END $$;

    """

  private static let settling = """
    -- Puts down what the provider has told of a fee: once, twice or in another order. Nobody is captured whose place was
    -- not certain before the gun.
    CREATE FUNCTION settle_fee(
      settled uuid, known_as text, told smallint, amount bigint, money text, at timestamptz, rules place_rules
    ) RETURNS smallint LANGUAGE plpgsql AS $$
    DECLARE
      news payment_news;
      p payment;
      r race;
      e race_enrolment;
      is_its_place boolean;
      -- By when the race is locked: the news may have waited for it, and the gun does not wait.
      moment timestamptz;
    BEGIN
      SELECT x.* INTO r FROM payment q JOIN race x ON x.id = q.subject WHERE q.id = settled FOR NO KEY UPDATE OF x;
      IF NOT FOUND THEN RETURN 1; END IF;
      moment := at + (clock_timestamp() - statement_timestamp());
      news := take_payment_news(settled, known_as, told, amount, money, at);
      IF news.outcome <> 0 THEN RETURN news.outcome; END IF;
      p := news.payment;
      SELECT * INTO e FROM race_enrolment WHERE race = r.id AND person = p.payer;
      is_its_place := coalesce(e.payment = settled, false);

      IF news.is_authorized THEN
        IF news.is_right AND is_its_place AND race_state(r, moment) = ANY (rules.certain) AND (e.state = 2 OR e.state = 5
          -- Too late, but nobody has taken the place, and the provider was not asked to cancel.
          AND r.taken_count < r.capacity AND r.waiting_count = 0 AND (p.wish <> 3 OR p.attempts = 0))
        THEN
          UPDATE race SET last_number = last_number + 1,
            -- After the deadline servers have read who runs.
            changed_in = CASE WHEN race_state(r, moment) = ANY (rules.enrolling) THEN changed_in
              ELSE pg_current_xact_id() END
          WHERE id = r.id RETURNING last_number INTO e.number;
          e.state := 3;
          UPDATE race_enrolment SET state = 3, number = e.number, held_until = NULL, changed_at = at
          WHERE race = r.id AND person = p.payer;
          PERFORM tell_runner(r, p.payer, 18::smallint, jsonb_build_object('number', e.number::text));
          PERFORM capture_payment(settled, at);
        -- Of a cancelled race everybody is told, and the places end afterwards.
        ELSIF is_its_place AND e.state = 2 AND r.cancelled_at IS NULL THEN
          e.state := 5;
          PERFORM tell_runner(r, p.payer, 20::smallint);
          PERFORM free_place(r, p.payer, 5::smallint, at, rules);
        END IF;
      END IF;
      IF news.is_captured THEN
        IF is_its_place AND e.state = 3 AND r.cancelled_at IS NULL THEN
          PERFORM keep_payment(settled, at);
          PERFORM tell_runner(r, p.payer, 21::smallint,
            payment_facts(p) || jsonb_build_object('number', e.number::text));
        ELSE
          PERFORM drop_payment(settled, at);
        END IF;
      ELSIF news.is_refunded THEN
        PERFORM tell_runner(r, p.payer, 22::smallint, payment_facts(p));
      ELSIF news.is_lost AND is_its_place AND r.cancelled_at IS NULL THEN
        IF e.state = 2 THEN
          PERFORM tell_runner(r, p.payer, 20::smallint);
          PERFORM free_place(r, p.payer, 5::smallint, at, rules);
        ELSIF e.state = 3 AND p.wish <> 3 THEN
          PERFORM lose_fee(r, p, e.number, at, moment, rules);
        END IF;
      END IF;
      RETURN 0;
    END $$;
    """
}
