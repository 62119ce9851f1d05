internal import SosRules

/// Who has agreed to be told of a person's emergencies.
enum ContactSQL {
  static let schema = tables + questions + takeOver

  private static let tables = """
    CREATE TABLE sos_contact_address (
      person      bigint NOT NULL REFERENCES sos_settings (person),
      address     text NOT NULL,
      state       smallint NOT NULL DEFAULT 2 CHECK (state IN (2, 3, 4)),
      ask_at      timestamptz DEFAULT now(),
      asked_at    timestamptz,
      questions   integer NOT NULL DEFAULT 0,
      failures    integer NOT NULL DEFAULT 0,
      code_sha256 bytea UNIQUE CHECK (octet_length(code_sha256) = 32),
      told_until  timestamptz,
      PRIMARY KEY (person, address)
    );
    CREATE INDEX sos_contact_address_ask_at ON sos_contact_address (ask_at) WHERE ask_at IS NOT NULL;
    CREATE INDEX sos_contact_address_told_until ON sos_contact_address (told_until) WHERE told_until IS NOT NULL;
    COMMENT ON TABLE sos_contact_address IS 'Numbers and addresses of contacts, and what they have answered; a refusal stays when the contact is named no more';
    COMMENT ON COLUMN sos_contact_address.address IS 'A phone number in E.164 form, or an e-mail address in lower case';
    COMMENT ON COLUMN sos_contact_address.state IS 'As trackme.sos.v1.ContactState: 2 there is no answer, 3 confirmed, 4 refused';
    COMMENT ON COLUMN sos_contact_address.ask_at IS 'When it is to be asked; NULL: it is not';
    COMMENT ON COLUMN sos_contact_address.code_sha256 IS 'Of the code in the newest question, which nobody else has';
    COMMENT ON COLUMN sos_contact_address.told_until IS 'Named before contacts were asked: until then it is told without an answer';

    CREATE TABLE contact_question (
      address_sha256 bytea PRIMARY KEY CHECK (octet_length(address_sha256) = 32),
      person         bigint NOT NULL,
      asked_at       timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX contact_question_person ON contact_question (person, asked_at);
    CREATE INDEX contact_question_asked_at ON contact_question (asked_at);
    COMMENT ON TABLE contact_question IS 'Who was asked within a day, and for whom: nobody is asked more often, whoever leaves and comes back';

    """

  private static let questions = """
    -- Brings the addresses in step with the contacts of a person, in the transaction that changes these. Who is named for
    -- the first time is to be asked; who has not answered for a day is asked again, three times in all.
    CREATE FUNCTION name_contacts(named_by bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      named text[] := ARRAY(SELECT DISTINCT v.address
        FROM sos_contact c CROSS JOIN LATERAL (VALUES (c.phone_number), (nullif(lower(c.email), ''))) AS v (address)
        WHERE c.person = named_by AND v.address IS NOT NULL);
    BEGIN
      DELETE FROM sos_contact_address a
      WHERE a.person = named_by AND a.address <> ALL (named) AND (a.state = 3 OR a.state = 2 AND a.asked_at IS NULL);
      UPDATE sos_contact_address a SET ask_at = NULL
      WHERE a.person = named_by AND a.address <> ALL (named) AND a.ask_at IS NOT NULL;
      INSERT INTO sos_contact_address AS a (person, address) SELECT named_by, u FROM unnest(named) AS u
      ON CONFLICT (person, address) DO UPDATE SET ask_at = now(), failures = 0
        WHERE a.state = 2 AND a.ask_at IS NULL AND a.questions < 3
          AND coalesce(a.asked_at, '-infinity') <= now() - interval '1 day';
    END $$;

    -- Takes the next question whose turn it is: an e-mail into the queue, an SMS to whoever calls this. Whom a limit keeps
    -- from being asked now has a later turn.
    CREATE FUNCTION ask_next_contact(
      new_code_sha256 bytea, OUT has_turn boolean, OUT sms_to text, OUT of_person bigint, OUT of_name text,
      OUT number integer
    ) LANGUAGE plpgsql AS $$
    DECLARE
      wanted record;
      later timestamptz;
    BEGIN
      has_turn := false;
      SELECT person, address INTO wanted FROM sos_contact_address WHERE ask_at <= now() ORDER BY ask_at LIMIT 1;
      IF NOT FOUND THEN RETURN; END IF;
      has_turn := true;
      -- The account before its rows, as an erasure does.
      SELECT display_name INTO of_name FROM account WHERE id = wanted.person AND state = 'active' FOR SHARE;
      IF NOT FOUND THEN
        UPDATE sos_contact_address SET ask_at = NULL WHERE person = wanted.person AND address = wanted.address;
        RETURN;
      END IF;
      PERFORM FROM sos_contact_address
      WHERE person = wanted.person AND address = wanted.address AND ask_at <= now() FOR UPDATE;
      IF NOT FOUND THEN RETURN; END IF;
      SELECT asked_at + interval '1 day' INTO later FROM contact_question
      WHERE person = wanted.person AND asked_at > now() - interval '1 day' ORDER BY asked_at DESC OFFSET 9 LIMIT 1;
      IF NOT FOUND THEN
        INSERT INTO contact_question AS q (address_sha256, person)
        VALUES (sha256(convert_to(wanted.address, 'UTF8')), wanted.person)
        ON CONFLICT (address_sha256) DO UPDATE SET person = excluded.person, asked_at = now()
          WHERE q.asked_at <= now() - interval '1 day';
        IF NOT FOUND THEN
          SELECT asked_at + interval '1 day' INTO later FROM contact_question
          WHERE address_sha256 = sha256(convert_to(wanted.address, 'UTF8'));
        END IF;
      END IF;
      IF later IS NOT NULL THEN
        UPDATE sos_contact_address SET ask_at = later WHERE person = wanted.person AND address = wanted.address;
        RETURN;
      END IF;
      UPDATE sos_contact_address SET ask_at = NULL, asked_at = now(), questions = questions + 1,
        code_sha256 = CASE WHEN address NOT LIKE '%@%' THEN new_code_sha256 END
      WHERE person = wanted.person AND address = wanted.address RETURNING questions INTO number;
      IF wanted.address NOT LIKE '%@%' THEN
        sms_to := wanted.address;
        of_person := wanted.person;
      ELSE
        -- The code is made when the mail is sent, so that nothing here holds it.
        INSERT INTO email_queue (account, address, kind, facts)
        VALUES (wanted.person, wanted.address, 100, '{"contact": true}');
      END IF;
    END $$;

    """

  /// Those who are contacts already were never asked. Persons rely on them, and somebody who is not told of an emergency is
  /// worse than an SMS that nobody has agreed to: so they are asked now, and told for thirty days without an answer. Who
  /// refuses is told nothing from then on, and after the thirty days only who has confirmed.
  private static let takeOver = """
    INSERT INTO sos_contact_address (person, address, told_until)
    SELECT DISTINCT c.person, v.address, now() + interval '30 days'
    FROM sos_contact c CROSS JOIN LATERAL (VALUES (c.phone_number), (nullif(lower(c.email), ''))) AS v (address)
    WHERE v.address IS NOT NULL;
    """
}
