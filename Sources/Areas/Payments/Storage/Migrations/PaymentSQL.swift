/// Payments for whatever is paid for. The area of a subject decides, in a transaction in which it has locked the subject:
///
/// 1. `open_payment` when somebody is to pay.
/// 2. `take_payment_news` when the provider has told something: it puts that down once, and says what the subject has to
///    decide. Who is to be taken from is answered by `capture_payment`, what was taken rightly by `keep_payment`, and what
///    was not by `drop_payment`.
/// 3. `drop_payment` when a payment has nothing to be paid for any more.
/// 4. `end_payment_wish` when the provider refuses for good.
enum PaymentSQL {
  static let schema = table + wishes + news

  /// What was paid for races stays, under its ids: the provider knows them.
  private static let table = """
    ALTER TABLE race_payment RENAME TO payment;
    ALTER TABLE payment RENAME COLUMN race TO subject;
    ALTER TABLE payment RENAME COLUMN person TO payer;
    ALTER TABLE payment ADD COLUMN subject_kind smallint NOT NULL DEFAULT 1,
      ADD COLUMN description text NOT NULL DEFAULT '',
      DROP CONSTRAINT race_payment_race_fkey;
    UPDATE payment p SET description = r.name FROM race r WHERE r.id = p.subject;
    ALTER TABLE payment ALTER COLUMN subject_kind DROP DEFAULT, ALTER COLUMN description DROP DEFAULT;
    ALTER TABLE payment RENAME CONSTRAINT race_payment_person_fkey TO payment_payer_fkey;
    ALTER TABLE payment RENAME CONSTRAINT race_payment_state_check TO payment_state_check;
    ALTER TABLE payment RENAME CONSTRAINT race_payment_wish_check TO payment_wish_check;
    ALTER TABLE payment RENAME CONSTRAINT race_payment_given_up_check TO payment_given_up_check;
    ALTER INDEX race_payment_pkey RENAME TO payment_pkey;
    ALTER INDEX race_payment_provider_payment_key RENAME TO payment_provider_payment_key;
    ALTER INDEX race_payment_wish RENAME TO payment_wish;
    ALTER INDEX race_payment_person RENAME TO payment_payer;
    DROP INDEX race_payment_race;
    CREATE INDEX payment_subject ON payment (subject_kind, subject, payer);
    ALTER TRIGGER race_payment_wished ON payment RENAME TO payment_wished;
    COMMENT ON TABLE payment IS
      'What people pay: numbers and states, never a card or an account; the id is the idempotency key';
    COMMENT ON COLUMN payment.subject_kind IS 'What is paid for: 1 a place in a race';
    COMMENT ON COLUMN payment.subject IS 'Its number';
    COMMENT ON COLUMN payment.description IS 'What the payer reads where they pay';

    """

  private static let wishes = """
    -- A payment that the provider is asked for from now on.
    CREATE FUNCTION open_payment(
      kind smallint, subject bigint, payer bigint, description text, minor_units bigint, currency text, at timestamptz
    ) RETURNS uuid LANGUAGE sql AS $$
      INSERT INTO payment (subject_kind, subject, payer, description, minor_units, currency, created_at, changed_at)
      VALUES (open_payment.kind, open_payment.subject, open_payment.payer, open_payment.description,
        open_payment.minor_units, open_payment.currency, at, at) RETURNING id
    $$;

    -- What is still to be asked of the provider so that a payment for nothing takes nothing. What was given up is not
    -- wished again.
    CREATE OR REPLACE FUNCTION drop_payment(dropped uuid, at timestamptz) RETURNS void LANGUAGE sql AS $$
      UPDATE payment SET wish = CASE state WHEN 3 THEN 4 ELSE 3 END, attempts = 0, next_attempt_at = now(),
        changed_at = at
      WHERE id = dropped AND state IN (1, 2, 3) AND CASE state WHEN 3 THEN 4 ELSE 3 END NOT IN (wish, given_up)
    $$;

    -- The same of the next payments for a subject. Returns how many there were.
    CREATE FUNCTION drop_payments(kind smallint, dropped bigint, most integer) RETURNS integer
    LANGUAGE plpgsql AS $$
    DECLARE
      count integer;
    BEGIN
      PERFORM drop_payment(p.id, now()) FROM (
        SELECT id FROM payment
        WHERE subject_kind = kind AND subject = dropped AND state IN (1, 2, 3)
          AND CASE state WHEN 3 THEN 4 ELSE 3 END NOT IN (wish, given_up)
        LIMIT most) p;
      GET DIAGNOSTICS count = ROW_COUNT;
      RETURN count;
    END $$;

    -- What was authorized is to be taken.
    CREATE FUNCTION capture_payment(captured uuid, at timestamptz) RETURNS void LANGUAGE sql AS $$
      UPDATE payment SET wish = 2, attempts = 0, next_attempt_at = now(), changed_at = at WHERE id = captured
    $$;

    -- What was taken was taken rightly.
    CREATE FUNCTION keep_payment(kept uuid, at timestamptz) RETURNS void LANGUAGE sql AS $$
      UPDATE payment SET wish = 0, changed_at = at WHERE id = kept
    $$;

    -- Ends a wish that the provider refuses for good. What could not be captured is given up there, so that it is never
    -- taken. Returns the payment as it was, or NULL if that is wished no more.
    CREATE FUNCTION end_payment_wish(ended uuid, refused smallint, at timestamptz) RETURNS payment
    LANGUAGE plpgsql AS $$
    DECLARE
      p payment;
    BEGIN
      SELECT * INTO p FROM payment WHERE id = ended FOR UPDATE;
      IF NOT FOUND OR p.wish <> refused THEN RETURN NULL; END IF;
      UPDATE payment SET changed_at = at, attempts = 0, next_attempt_at = now(),
        state = CASE WHEN refused IN (1, 2) THEN 6 ELSE state END, wish = CASE refused WHEN 2 THEN 3 ELSE 0 END,
        given_up = CASE WHEN refused = 3 AND given_up <> 0 THEN given_up ELSE refused END
      WHERE id = ended;
      RETURN p;
    END $$;

    """

  private static let news = """
    -- What the provider's news mean. outcome: 0 they are put down, or are not new; 1 there is no such payment; 2 they
    -- contradict what is known. The amount is_authorized now, and is not taken unless the subject has it captured;
    -- it is_captured, and the subject keeps or drops it; it is_refunded; it is_lost: nothing was taken, nor will be.
    -- News that came before these may still be on their way: who is told of a capture may hear of the authorization too.
    -- is_right: the amount is the one that was asked for, and nobody has given the payment up.
    CREATE TYPE payment_news AS (
      outcome smallint, is_authorized boolean, is_captured boolean, is_refunded boolean, is_lost boolean,
      is_right boolean, payment payment
    );

    -- Puts down what the provider has told, in an answer or by webhook: once, twice or in another order. The payment is
    -- as it was before.
    CREATE FUNCTION take_payment_news(
      told_of uuid, known_as text, told smallint, amount bigint, money text, at timestamptz
    ) RETURNS payment_news LANGUAGE plpgsql AS $$
    DECLARE
      p payment;
      news payment_news := ROW(0, false, false, false, false, false, NULL);
    BEGIN
      SELECT * INTO p FROM payment WHERE id = told_of FOR UPDATE;
      IF NOT FOUND THEN
        news.outcome := 1;
        RETURN news;
      END IF;
      IF p.provider_payment <> known_as THEN
        news.outcome := 2;
        RETURN news;
      END IF;
      IF p.provider_payment IS NULL THEN
        UPDATE payment SET provider_payment = known_as WHERE id = told_of;
      END IF;
      news.payment := p;
      news.is_right := amount = p.minor_units AND money = p.currency AND p.given_up NOT IN (1, 2);

      IF told IN (2, 3) AND p.state IN (1, 6) THEN
        news.is_authorized := true;
        UPDATE payment SET state = 2, wish = 3, attempts = 0, next_attempt_at = now(), changed_at = at
        WHERE id = told_of;
      END IF;
      IF told = 3 AND p.state NOT IN (3, 5) THEN
        news.is_captured := true;
        UPDATE payment SET state = 3, changed_at = at WHERE id = told_of;
      ELSIF told = 5 AND p.state <> 5 THEN
        news.is_refunded := true;
        UPDATE payment SET state = 5, wish = 0, changed_at = at WHERE id = told_of;
      ELSIF told IN (4, 6) AND (p.state = 1 OR p.state = 2 AND (told = 4 OR p.wish = 3)) THEN
        news.is_lost := true;
        UPDATE payment SET state = told, wish = 0, changed_at = at WHERE id = told_of;
      ELSIF told IN (4, 6) AND p.state = 6 AND p.wish = 3 THEN
        UPDATE payment SET wish = 0, changed_at = at WHERE id = told_of;
      END IF;
      RETURN news;
    END $$;
    """
}
