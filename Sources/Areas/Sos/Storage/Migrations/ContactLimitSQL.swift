/// Questions to contacts, by the numbers of `ContactRules`.
enum ContactLimitSQL {
  static let schema = """
    DROP FUNCTION name_contacts(bigint), ask_next_contact(bytea);

    -- As before; after how long who has not answered is asked again, and how often in all, is given.
    CREATE FUNCTION name_contacts(named_by bigint, questions_max integer, pause interval) RETURNS void
    LANGUAGE plpgsql AS $$
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
        WHERE a.state = 2 AND a.ask_at IS NULL AND a.questions < questions_max
          AND coalesce(a.asked_at, '-infinity') <= now() - pause;
    END $$;

    -- As before; after how long somebody is asked again, and how many contacts of a person meanwhile, is given.
    CREATE FUNCTION ask_next_contact(
      new_code_sha256 bytea, questions_of_person_max integer, pause interval, OUT has_turn boolean, OUT sms_to text,
      OUT of_person bigint, OUT of_name text, OUT number integer
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
      SELECT asked_at + pause INTO later FROM contact_question
      WHERE person = wanted.person AND asked_at > now() - pause
      ORDER BY asked_at DESC OFFSET questions_of_person_max - 1 LIMIT 1;
      IF NOT FOUND THEN
        INSERT INTO contact_question AS q (address_sha256, person)
        VALUES (sha256(convert_to(wanted.address, 'UTF8')), wanted.person)
        ON CONFLICT (address_sha256) DO UPDATE SET person = excluded.person, asked_at = now()
          WHERE q.asked_at <= now() - pause;
        IF NOT FOUND THEN
          SELECT asked_at + pause INTO later FROM contact_question
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
}
