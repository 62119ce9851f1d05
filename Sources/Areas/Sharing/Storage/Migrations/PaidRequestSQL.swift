/// Requests for access that are paid for: the price is reserved before the person is asked, and taken when the person accepts.
enum PaidRequestSQL {
  static let schema = columns + requests + settling

  private static let columns = """
    ALTER TABLE access_request DROP CONSTRAINT access_request_state_check,
      ADD CONSTRAINT access_request_state_check CHECK (state BETWEEN 1 AND 7),
      ADD COLUMN is_asked boolean NOT NULL DEFAULT true,
      ADD COLUMN payment uuid UNIQUE REFERENCES payment (id),
      ADD COLUMN next_state smallint CHECK (next_state IN (1, 6)),
      ADD COLUMN lapses_at timestamptz;
    DROP INDEX access_request_pending;
    CREATE INDEX access_request_waiting ON access_request (third_party, person) WHERE state IN (1, 7);
    CREATE INDEX access_request_next_state ON access_request (id) WHERE next_state IS NOT NULL;
    CREATE INDEX access_request_lapses ON access_request (lapses_at) WHERE lapses_at IS NOT NULL;
    COMMENT ON COLUMN access_request.state IS
      '1 pending, 2 accepted, 3 refused, 4 withdrawn, 5 revoked, 6 expired, 7 awaiting payment';
    COMMENT ON COLUMN access_request.is_asked IS 'Whether the person has ever known of it';
    COMMENT ON COLUMN access_request.payment IS 'Of its price; without one there is none';
    COMMENT ON COLUMN access_request.next_state IS
      'What follows from the payment: in a moment it is an entry of the log, and the state';
    COMMENT ON COLUMN access_request.lapses_at IS 'When it ends if it is neither paid nor answered';
    COMMENT ON COLUMN payment.subject_kind IS 'What is paid for: 1 a place in a race, 2 a request for access';
    COMMENT ON COLUMN payment.state IS
      '1 pending, 2 authorized, 3 captured, 4 cancelled, 5 refunded, 6 failed, as trackme.payments.v1.PaymentState';

    """

  private static let requests = """
    -- As before. With a price the request waits for its payment until a time, and the person is told nothing.
    DROP FUNCTION add_access_request(
      bigint, integer, bigint, bigint, bigint, text, integer[], bigint, bigint, smallint, text, timestamptz, integer,
      integer);
    CREATE FUNCTION add_access_request(
      commit_id bigint, entry_row integer, new_id bigint, third_party bigint, person bigint, request_id text,
      metrics integer[], from_us bigint, to_us bigint, granularity smallint, purpose text, at timestamptz,
      max_of_person integer, max_of_all integer, minor_units bigint, currency text, pay_until timestamptz
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      first_state smallint := CASE WHEN minor_units IS NULL THEN 1 ELSE 7 END;
      entry bigint;
      opened uuid;
    BEGIN
      PERFORM FROM account a WHERE a.id IN (add_access_request.third_party, add_access_request.person)
        AND a.state = 'active' HAVING count(*) = 2;
      IF NOT FOUND THEN RETURN NULL; END IF;
      PERFORM FROM access_request r WHERE r.third_party = add_access_request.third_party AND r.state IN (1, 7)
        HAVING count(*) < max_of_all
          AND count(*) FILTER (WHERE r.person = add_access_request.person) < max_of_person;
      IF NOT FOUND THEN RETURN NULL; END IF;
      entry := append_log_entry(commit_id, entry_row);
      IF first_state = 7 THEN
        opened := open_payment(2::smallint, new_id, third_party, 'Request ' || new_id || ' for access to readings',
          minor_units, currency, at);
      END IF;
      INSERT INTO access_request (id, third_party, person, request_id, metrics, from_us, to_us, granularity, purpose,
        state, position, requested_at, changed_at, is_asked, payment, lapses_at)
      OVERRIDING SYSTEM VALUE VALUES (new_id, third_party, person, request_id, metrics, from_us, to_us, granularity,
        purpose, first_state, entry, at, at, first_state = 1, opened, CASE first_state WHEN 7 THEN pay_until END);
      INSERT INTO access_change (position, access_request, state, changed_at) VALUES (entry, new_id, first_state, at);
      IF first_state = 1 THEN PERFORM add_notification(person, 3::smallint, new_id); END IF;
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;

    -- As before. What has a price is asked and granted only while that is reserved; it is taken with the grant, and given
    -- back where there is none. How long the person may take to answer is given.
    DROP FUNCTION change_access(bigint, integer, bigint, smallint, smallint[], timestamptz, interval);
    CREATE FUNCTION change_access(
      commit_id bigint, entry_row integer, request bigint, new_state smallint, predecessors smallint[], at timestamptz,
      after_end interval, answer_time interval
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      changed access_request;
      entry bigint;
    BEGIN
      SELECT * INTO changed FROM access_request r WHERE r.id = request AND r.state = ANY (predecessors) FOR UPDATE;
      IF NOT FOUND THEN RETURN NULL; END IF;
      -- Nothing is granted to an account that has ended, nor by one, and nobody is asked.
      IF new_state IN (1, 2) THEN
        PERFORM FROM account a WHERE a.id IN (changed.third_party, changed.person)
          AND a.state = 'active' HAVING count(*) = 2;
        IF NOT FOUND THEN RETURN NULL; END IF;
        IF changed.payment IS NOT NULL THEN
          PERFORM FROM payment p WHERE p.id = changed.payment AND p.state = 2 AND p.wish = 0 FOR UPDATE;
          IF NOT FOUND THEN RETURN NULL; END IF;
        END IF;
      END IF;
      entry := append_log_entry(commit_id, entry_row);
      UPDATE access_request r SET state = new_state, position = entry, changed_at = at, next_state = NULL,
        is_asked = r.is_asked OR new_state = 1, lapses_at = CASE new_state WHEN 1 THEN at + answer_time END,
        expires_at = CASE WHEN new_state = 2 AND r.to_us < 9223372036854775807
          THEN greatest(at, to_timestamp(r.to_us / 1e6)) + after_end END
      WHERE r.id = request;
      INSERT INTO access_change (position, access_request, state, changed_at) VALUES (entry, request, new_state, at);
      IF changed.payment IS NOT NULL THEN
        IF new_state = 2 THEN
          PERFORM capture_payment(changed.payment, at);
        ELSIF new_state <> 1 AND changed.state <> 2 THEN
          PERFORM drop_payment(changed.payment, at);
        END IF;
      END IF;
      -- Told is who did not do it; of the end by time, both. Who was never asked is told nothing.
      IF new_state = 1 THEN
        PERFORM add_notification(changed.person, 3::smallint, request);
      ELSIF new_state IN (2, 3, 5) THEN
        PERFORM add_notification(changed.third_party,
          CASE new_state WHEN 2 THEN 4 WHEN 3 THEN 5 ELSE 7 END::smallint, request);
      ELSIF new_state = 4 AND changed.is_asked THEN
        PERFORM add_notification(changed.person, 6::smallint, request);
      ELSIF new_state = 6 THEN
        IF changed.is_asked THEN PERFORM add_notification(changed.person, 8::smallint, request); END IF;
        PERFORM add_notification(changed.third_party, 8::smallint, request);
      END IF;
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;

    """

  private static let settling = """
    -- Puts down what the provider has told of a request's payment: once, twice or in another order. What follows for the
    -- request is an entry of the log, which only the writer of the log makes.
    CREATE FUNCTION settle_request(
      settled uuid, known_as text, told smallint, amount bigint, money text, at timestamptz
    ) RETURNS smallint LANGUAGE plpgsql AS $$
    DECLARE
      r access_request;
      news payment_news;
    BEGIN
      SELECT * INTO r FROM access_request WHERE payment = settled FOR UPDATE;
      IF NOT FOUND THEN RETURN 1; END IF;
      news := take_payment_news(settled, known_as, told, amount, money, at);
      IF news.outcome <> 0 THEN RETURN news.outcome; END IF;
      -- It stays reserved until the person has answered.
      IF news.is_authorized AND news.is_right AND r.state = 7 THEN
        PERFORM keep_payment(settled, at);
        UPDATE access_request SET next_state = 1 WHERE id = r.id;
      END IF;
      IF news.is_captured THEN
        IF EXISTS (SELECT FROM access_change c WHERE c.access_request = r.id AND c.state = 2) THEN
          PERFORM keep_payment(settled, at);
        ELSE
          PERFORM drop_payment(settled, at);
        END IF;
      ELSIF news.is_lost AND r.state IN (1, 2, 7) THEN
        UPDATE access_request SET next_state = 6 WHERE id = r.id;
      END IF;
      RETURN 0;
    END $$;

    -- Ends a wish that the provider refuses for good; false if it is wished no more. What can't be paid ends the request, or
    -- the grant.
    CREATE FUNCTION give_up_request(abandoned uuid, refused smallint, at timestamptz) RETURNS boolean
    LANGUAGE plpgsql AS $$
    DECLARE
      r access_request;
      p payment;
    BEGIN
      SELECT * INTO r FROM access_request WHERE payment = abandoned FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      p := end_payment_wish(abandoned, refused, at);
      IF p.id IS NULL THEN RETURN false; END IF;
      IF refused IN (1, 2) AND r.state IN (1, 2, 7) THEN
        UPDATE access_request SET next_state = 6 WHERE id = r.id;
      END IF;
      RETURN true;
    END $$;
    """
}
