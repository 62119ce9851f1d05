/// What the payment provider refuses for good, or does not do for a week, comes to an end, and those concerned are told.
enum GivenUpPaymentSQL {
  static let schema = columns + news + ending + settling

  private static let columns = """
    ALTER TABLE race_payment ADD COLUMN wished_at timestamptz NOT NULL DEFAULT now(),
      ADD COLUMN given_up smallint NOT NULL DEFAULT 0 CHECK (given_up BETWEEN 0 AND 4);
    COMMENT ON COLUMN race_payment.wished_at IS 'Since when the provider is asked for what is wished now';
    COMMENT ON COLUMN race_payment.given_up IS 'The wish that the provider refused for good, as in wish; 0: none';

    -- Whoever wishes something, and however.
    CREATE FUNCTION note_wish() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.wished_at := now();
      RETURN NEW;
    END $$;
    CREATE TRIGGER race_payment_wished BEFORE UPDATE OF wish ON race_payment FOR EACH ROW
    WHEN (NEW.wish <> OLD.wish) EXECUTE FUNCTION note_wish();

    """

  private static let news = """
    -- As before, with fees that could not be taken or paid back among the kinds for mail.
    CREATE OR REPLACE FUNCTION add_notification(
      account bigint, kind smallint, access_request bigint DEFAULT NULL, device bigint DEFAULT NULL,
      facts jsonb DEFAULT '{}'
    ) RETURNS void LANGUAGE sql AS $$
      INSERT INTO notification (account, kind, access_request, device, facts)
      VALUES (add_notification.account, add_notification.kind, add_notification.access_request,
        add_notification.device, add_notification.facts);
      INSERT INTO email_queue (account, address, kind, access_request, device, facts)
      SELECT a.id, a.email, add_notification.kind, add_notification.access_request, add_notification.device,
        add_notification.facts
      FROM account a
      WHERE a.id = add_notification.account AND a.email <> '' AND a.state = 'active'
        AND (add_notification.kind IN (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 30, 31)
          OR add_notification.kind BETWEEN 14 AND 26);
    $$;

    """

  private static let ending = """
    -- As before; what was given up is not wished again.
    CREATE OR REPLACE FUNCTION drop_payment(dropped uuid, at timestamptz) RETURNS void LANGUAGE sql AS $$
      UPDATE race_payment SET wish = CASE state WHEN 3 THEN 4 ELSE 3 END, attempts = 0, next_attempt_at = now(),
        changed_at = at
      WHERE id = dropped AND state IN (1, 2, 3) AND CASE state WHEN 3 THEN 4 ELSE 3 END NOT IN (wish, given_up)
    $$;

    CREATE OR REPLACE FUNCTION drop_payments(cancelled_race bigint, most integer) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      dropped integer;
    BEGIN
      UPDATE race_payment p SET wish = CASE p.state WHEN 3 THEN 4 ELSE 3 END, attempts = 0, next_attempt_at = now(),
        changed_at = now()
      WHERE p.id IN (
        SELECT o.id FROM race_payment o
        WHERE o.race = cancelled_race AND o.state IN (1, 2, 3)
          AND CASE o.state WHEN 3 THEN 4 ELSE 3 END NOT IN (o.wish, o.given_up)
        LIMIT most);
      GET DIAGNOSTICS dropped = ROW_COUNT;
      RETURN dropped;
    END $$;

    -- The fee of an enrolled runner can't be taken: before the start the place goes with it, and whoever waits gets it while
    -- enrolment is open. From the start on the runner keeps it, and the organisers are told. The caller has locked the race.
    CREATE FUNCTION lose_fee(r race, p race_payment, bib integer, at timestamptz, moment timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
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
      PERFORM free_place(r, p.person, 5::smallint, at);
      -- After the deadline servers have read who runs.
      UPDATE race SET changed_in = pg_current_xact_id() WHERE id = r.id AND race_state(r, moment) <> 2;
    END $$;

    -- Ends a wish that the provider refuses for good; false if it is wished no more. What could not be captured is given up
    -- there, so that it is never taken; what could not be paid back is told to the runner and the organisers.
    CREATE FUNCTION give_up_payment(abandoned uuid, refused smallint, at timestamptz) RETURNS boolean
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
        PERFORM free_place(r, p.person, 5::smallint, at);
      ELSIF refused = 2 AND is_its_place AND e.state = 3 THEN
        PERFORM lose_fee(r, p, e.number, at, moment);
      ELSIF refused = 4 THEN
        PERFORM tell_runner(r, p.person, 31::smallint, payment_facts(p) || jsonb_build_object('wish', 'refund'));
        PERFORM tell_race(r.id, 31::smallint, '{organizers}',
          payment_facts(p) || jsonb_build_object('wish', 'refund', 'organizer', 'true'));
      END IF;
      RETURN true;
    END $$;

    """

  private static let settling = """
    -- As before. What was given up gets no place any more; and a fee that can't be taken from somebody who is enrolled ends
    -- as one that was refused for good.
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
      is_right := amount = p.minor_units AND money = p.currency AND p.given_up NOT IN (1, 2);

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
          -- Of a cancelled race everybody is told, and the places end afterwards.
          IF is_its_place AND e.state = 2 AND r.cancelled_at IS NULL THEN
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
        IF is_its_place AND e.state = 2 AND r.cancelled_at IS NULL THEN
          PERFORM tell_runner(r, p.person, 20::smallint);
          PERFORM free_place(r, p.person, 5::smallint, at);
        ELSIF is_its_place AND e.state = 3 AND r.cancelled_at IS NULL AND p.wish <> 3 THEN
          PERFORM lose_fee(r, p, e.number, at, moment);
        END IF;
      ELSIF told IN (4, 6) AND p.state = 6 AND p.wish = 3 THEN
        UPDATE race_payment SET wish = 0, changed_at = at WHERE id = settled;
      END IF;
      RETURN 0;
    END $$;
    """
}
