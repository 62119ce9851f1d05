/// Answers about groups that are paid for: the price is reserved before a question is answered, and taken with the answer.
enum AnswerPurchaseSQL {
  static let schema = table + answering + settling

  private static let table = """
    CREATE TABLE group_purchase (
      id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      third_party     bigint NOT NULL REFERENCES account (id),
      question_sha256 bytea NOT NULL CHECK (octet_length(question_sha256) = 32),
      payment         uuid NOT NULL UNIQUE REFERENCES payment (id),
      state           smallint NOT NULL DEFAULT 1 CHECK (state BETWEEN 1 AND 3),
      lapses_at       timestamptz,
      answer          bytea,
      cost            bigint,
      gathered_at     timestamptz,
      CHECK (answer IS NULL OR state = 2 AND cost IS NOT NULL AND gathered_at IS NOT NULL)
    );
    CREATE UNIQUE INDEX group_purchase_open ON group_purchase (third_party, question_sha256) WHERE state = 1;
    CREATE INDEX group_purchase_lapses ON group_purchase (lapses_at) WHERE lapses_at IS NOT NULL;
    COMMENT ON TABLE group_purchase IS 'Answers about groups that third parties pay for';
    COMMENT ON COLUMN group_purchase.state IS '1 open, 2 answered, 3 ended without an answer';
    COMMENT ON COLUMN group_purchase.lapses_at IS
      'When it ends if it is open, and until when its answer is given again if it is answered';
    COMMENT ON COLUMN group_purchase.answer IS
      'A GroupAnswer: a response that was lost can be had again, also when the data has been renewed';
    COMMENT ON COLUMN payment.subject_kind IS
      'What is paid for: 1 a place in a race, 2 a request for access, 3 an answer about a group';

    """

  private static let answering = """
    -- Uses a purchase up, in the transaction of its answer: the price is taken, and given back for a refusal, of which the
    -- answer is NULL. False if it is not the third party's open purchase of an answer to this question, or nothing is
    -- reserved for it.
    CREATE FUNCTION use_group_purchase(
      used uuid, by bigint, question bytea, told bytea, told_cost bigint, told_of timestamptz, at timestamptz,
      until timestamptz
    ) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM group_purchase
      WHERE payment = used AND third_party = by AND question_sha256 = question AND state = 1 FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      PERFORM FROM payment p WHERE p.id = used AND p.state = 2 AND p.wish = 0 FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      IF told IS NULL THEN
        UPDATE group_purchase SET state = 3, lapses_at = NULL WHERE payment = used;
        PERFORM drop_payment(used, at);
      ELSE
        UPDATE group_purchase SET state = 2, lapses_at = until, answer = told, cost = told_cost, gathered_at = told_of
        WHERE payment = used;
        PERFORM capture_payment(used, at);
      END IF;
      RETURN true;
    END $$;

    -- Ends purchases that are open, and gives back what is reserved for them.
    CREATE FUNCTION end_group_purchases(ended bigint[], at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      o group_purchase;
    BEGIN
      FOR o IN SELECT * FROM group_purchase WHERE id = ANY (ended) AND state = 1 ORDER BY id FOR UPDATE LOOP
        UPDATE group_purchase SET state = 3, lapses_at = NULL WHERE id = o.id;
        PERFORM drop_payment(o.payment, at);
      END LOOP;
    END $$;

    """

  private static let settling = """
    -- Puts down what the provider has told of a purchase's payment: once, twice or in another order.
    CREATE FUNCTION settle_group_purchase(
      settled uuid, known_as text, told smallint, amount bigint, money text, at timestamptz
    ) RETURNS smallint LANGUAGE plpgsql AS $$
    DECLARE
      o group_purchase;
      news payment_news;
    BEGIN
      SELECT * INTO o FROM group_purchase WHERE payment = settled FOR UPDATE;
      IF NOT FOUND THEN RETURN 1; END IF;
      news := take_payment_news(settled, known_as, told, amount, money, at);
      IF news.outcome <> 0 THEN RETURN news.outcome; END IF;
      IF news.is_captured THEN
        IF o.state = 2 THEN
          PERFORM keep_payment(settled, at);
        ELSE
          PERFORM drop_payment(settled, at);
        END IF;
      ELSIF news.is_authorized AND news.is_right AND o.state = 1 THEN
        -- It stays reserved until the question is asked again.
        PERFORM keep_payment(settled, at);
      END IF;
      IF news.is_captured OR news.is_lost THEN
        UPDATE group_purchase SET state = 3, lapses_at = NULL WHERE id = o.id AND state = 1;
      END IF;
      RETURN 0;
    END $$;

    -- Ends a wish that the provider refuses for good; false if it is wished no more. An answer that was given stays given.
    CREATE FUNCTION give_up_group_purchase(abandoned uuid, refused smallint, at timestamptz) RETURNS boolean
    LANGUAGE plpgsql AS $$
    DECLARE
      o group_purchase;
      p payment;
    BEGIN
      SELECT * INTO o FROM group_purchase WHERE payment = abandoned FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      p := end_payment_wish(abandoned, refused, at);
      IF p.id IS NULL THEN RETURN false; END IF;
      UPDATE group_purchase SET state = 3, lapses_at = NULL WHERE id = o.id AND state = 1;
      RETURN true;
    END $$;
    """
}
