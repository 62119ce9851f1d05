/// What the payment provider tells, put down: as in `EnrolmentSQL`, by the time at which the race's turn comes.
enum SettlementSQL {
  static let functions = """
    -- Puts down what the provider has told of a payment, in an answer or by webhook: once, twice or in another order.
    -- Nobody is captured whose place was not certain before the gun.
    -- 0: done, or nothing new; 1: no such payment; 2: it contradicts what is known, and was not put down.
    CREATE OR REPLACE FUNCTION settle_payment(
      settled uuid, known_as text, told smallint, amount bigint, money text, at timestamptz
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
      is_right := amount = p.minor_units AND money = p.currency;

      IF told = 2 AND p.state IN (1, 6) THEN
        IF is_right AND is_its_place AND race_state(r, moment) IN (2, 3) AND (e.state = 2 OR e.state = 5
          -- Too late, but nobody has taken the place, and the provider was not asked to cancel.
          AND r.taken_count < r.capacity AND r.waiting_count = 0 AND (p.wish <> 3 OR p.attempts = 0))
        THEN
          UPDATE race SET last_number = last_number + 1,
            -- After the deadline servers have read who runs.
            changed_in = CASE race_state(r, moment) WHEN 2 THEN changed_in ELSE pg_current_xact_id() END
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
        IF is_its_place AND (e.state = 2 OR e.state = 3 AND race_state(r, moment) = 2) THEN
          PERFORM tell_runner(r, p.person, 20::smallint);
          PERFORM free_place(r, p.person, 5::smallint, at);
        END IF;
      END IF;
      RETURN 0;
    END $$;
    """
}
