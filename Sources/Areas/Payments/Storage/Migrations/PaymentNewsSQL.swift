/// News of the provider are compared with the payment before any of it is put down.
enum PaymentNewsSQL {
  static let schema = capture + news

  private static let capture = """
    ALTER TABLE payment ADD COLUMN is_capture_asked boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN payment.is_capture_asked IS 'Whether the provider was ever to take the amount';
    -- Of those from before it is not known whether they were: they are taken for it where that can be.
    UPDATE payment SET is_capture_asked = true WHERE state IN (2, 3, 5) OR given_up = 2;

    -- What was authorized is to be taken.
    CREATE OR REPLACE FUNCTION capture_payment(captured uuid, at timestamptz) RETURNS void LANGUAGE sql AS $$
      UPDATE payment SET wish = 2, attempts = 0, next_attempt_at = now(), changed_at = at, is_capture_asked = true
      WHERE id = captured
    $$;

    """

  private static let news = """
    -- Whether the provider's news can be true of a payment as it is known: 0 they can, and may be older than what is known;
    -- 2 it is another payment of the provider, or another of ours is known there by this name; 3 another amount;
    -- 4 another currency; 5 a state that can't follow the one that is known: something was taken that nobody asked for, or
    -- after it was told that nothing would be; paid back without having been taken; or not taken after it was.
    CREATE FUNCTION disagreement_of_news(p payment, known_as text, told smallint, amount bigint, money text)
    RETURNS smallint LANGUAGE sql STABLE AS $$
      SELECT CASE
        WHEN p.provider_payment <> known_as
          OR EXISTS (SELECT FROM payment o WHERE o.provider_payment = known_as AND o.id <> p.id) THEN 2
        WHEN amount <> p.minor_units THEN 3
        WHEN money <> p.currency THEN 4
        WHEN told = 3 AND NOT (p.state IN (3, 5) OR p.state IN (2, 6) AND p.is_capture_asked) THEN 5
        WHEN told = 4 AND p.state IN (3, 5) THEN 5
        WHEN told = 5 AND p.state NOT IN (3, 5) THEN 5
        ELSE 0 END::smallint
    $$;

    -- Puts down what the provider has told, in an answer or by webhook: once, twice or in another order. The payment is
    -- as it was before. Nothing is put down of news that disagree with it: the outcome is that of disagreement_of_news.
    CREATE OR REPLACE FUNCTION take_payment_news(
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
      news.outcome := disagreement_of_news(p, known_as, told, amount, money);
      IF news.outcome <> 0 THEN RETURN news; END IF;
      IF p.provider_payment IS NULL THEN
        UPDATE payment SET provider_payment = known_as WHERE id = told_of;
      END IF;
      news.payment := p;
      news.is_right := p.given_up NOT IN (1, 2);

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
