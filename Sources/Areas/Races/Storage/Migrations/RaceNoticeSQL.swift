/// What many people of a race are told is put down with the decision, in one row, and told to some hundreds of them at a
/// time afterwards, so that nobody else's commits wait for it.
enum RaceNoticeSQL {
  static let schema = notices + invitations + deciding + telling

  private static let notices = """
    CREATE TABLE race_notice (
      id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      race         bigint NOT NULL REFERENCES race (id) ON DELETE CASCADE,
      kind         smallint NOT NULL,
      audience     text[] NOT NULL,
      accounts     bigint[] NOT NULL DEFAULT '{}',
      facts        jsonb NOT NULL,
      author       bigint,
      asked_count  integer NOT NULL DEFAULT 0,
      decided_at   timestamptz NOT NULL,
      made_at      timestamptz NOT NULL DEFAULT now(),
      next_turn    timestamptz NOT NULL DEFAULT clock_timestamp(),
      last_account bigint NOT NULL DEFAULT 0,
      is_told      boolean NOT NULL DEFAULT false,
      done_at      timestamptz
    );
    CREATE INDEX race_notice_open ON race_notice (next_turn) WHERE done_at IS NULL;
    CREATE INDEX race_notice_race ON race_notice (race, id);
    CREATE INDEX race_notice_author ON race_notice (author, made_at) WHERE author IS NOT NULL;
    COMMENT ON TABLE race_notice IS 'What people of a race are still to be told; kept for a day after, because some are limited';
    COMMENT ON COLUMN race_notice.last_account IS 'Those with numbers up to this one have been told';
    COMMENT ON COLUMN race_notice.accounts IS 'Who is told beside the audience';
    COMMENT ON COLUMN race_notice.asked_count IS 'Of invitations: how many usernames were given, whether somebody has them or not';
    COMMENT ON COLUMN race_notice.is_told IS 'What is left are the payments of a cancelled race';

    -- Puts down what people of a race are to be told, of which the facts are the race's number and name, and what is given.
    CREATE FUNCTION announce_race(
      told_race bigint, told_kind smallint, told_audience text[], at timestamptz, more jsonb DEFAULT '{}'
    ) RETURNS void LANGUAGE sql AS $$
      INSERT INTO race_notice (race, kind, audience, facts, decided_at)
      SELECT r.id, told_kind, told_audience, jsonb_build_object('race', r.id::text, 'name', r.name) || more, at
      FROM race r WHERE r.id = told_race;
    $$;

    """

  private static let invitations = """
    CREATE TABLE race_invitation_told (
      race       bigint NOT NULL REFERENCES race (id) ON DELETE CASCADE,
      person     bigint NOT NULL REFERENCES account (id),
      invited_by bigint NOT NULL,
      told_at    timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (race, person)
    );
    CREATE INDEX race_invitation_told_person ON race_invitation_told (person, invited_by, told_at);
    COMMENT ON TABLE race_invitation_told IS 'Who was told of an invitation is not told of it again, whatever became of it';
    INSERT INTO race_invitation_told (race, person, invited_by, told_at)
    SELECT race, person, invited_by, invited_at FROM race_invitation;

    """

  private static let deciding = """
    -- As before; of a race that is cancelled people are told afterwards, and payments are given up after that.
    CREATE OR REPLACE FUNCTION change_race(
      commit_id bigint, entry_row integer, changed_race bigint, new_kind smallint, concerned bigint[],
      deciding bigint, finish bigint, why text, at timestamptz, states smallint[]
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
      found_count bigint;
    BEGIN
      PERFORM FROM race r WHERE r.id = changed_race AND race_state(r, at) = ANY (states) FOR UPDATE;
      IF NOT FOUND THEN RETURN NULL; END IF;
      IF new_kind < 10 THEN
        -- All of them or none.
        SELECT count(*) INTO found_count FROM race_enrolment e
        WHERE e.race = changed_race AND e.person = ANY (concerned) AND e.state = 3
          AND CASE new_kind
            WHEN 1 THEN NOT e.is_present WHEN 2 THEN e.is_present WHEN 3 THEN NOT e.is_disqualified
            WHEN 4 THEN e.is_disqualified WHEN 5 THEN NOT e.is_retired ELSE true END;
        IF found_count = 0 OR found_count <> cardinality(concerned) THEN RETURN NULL; END IF;
        UPDATE race_enrolment e SET changed_at = at,
          is_present = CASE new_kind WHEN 1 THEN true WHEN 2 THEN false ELSE e.is_present END,
          is_disqualified = CASE new_kind WHEN 3 THEN true WHEN 4 THEN false ELSE e.is_disqualified END,
          is_retired = e.is_retired OR new_kind = 5,
          state = CASE new_kind WHEN 9 THEN 4 ELSE e.state END,
          number = CASE new_kind WHEN 9 THEN NULL ELSE e.number END
        WHERE e.race = changed_race AND e.person = ANY (concerned);
        IF new_kind IN (3, 4) THEN
          PERFORM add_notification(c, CASE new_kind WHEN 3 THEN 23 ELSE 24 END::smallint,
            facts => jsonb_build_object('race', changed_race::text, 'name', (
              SELECT r.name FROM race r WHERE r.id = changed_race), 'reason', why))
          FROM unnest(concerned) AS c;
        END IF;
      END IF;
      IF new_kind = 11 THEN
        PERFORM announce_race(
          changed_race, 15::smallint, '{runners,observers,organizers}', at, jsonb_build_object('reason', why));
      END IF;
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO race_change (position, race, kind, persons, author, finish_us, reason, changed_at)
      VALUES (entry, changed_race, new_kind, concerned, deciding, finish, why, at);
      UPDATE race r SET changed_in = pg_current_xact_id(),
        finished_at = CASE new_kind WHEN 10 THEN at ELSE r.finished_at END,
        cancelled_at = CASE new_kind WHEN 11 THEN at ELSE r.cancelled_at END,
        version = CASE WHEN new_kind >= 10 THEN r.version + 1 ELSE r.version END
      WHERE r.id = changed_race;
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;

    -- As before; people are told afterwards, and dates and course change some times a day.
    CREATE OR REPLACE FUNCTION change_race_plan(
      commit_id bigint, entry_row integer, changed_race bigint, known_version bigint, deciding bigint, at timestamptz,
      new_name text, new_description text, new_place text, new_course uuid, new_start timestamptz,
      new_deadline timestamptz, new_limit bigint, new_capacity integer, told jsonb
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
    BEGIN
      -- Of this, an enrolment and the deadline one comes first.
      PERFORM FROM race r
      WHERE r.id = changed_race AND r.version = known_version AND race_state(r, at) = 2 AND new_deadline > at
        AND new_capacity >= r.capacity
      FOR UPDATE;
      IF NOT FOUND OR is_changed_often(changed_race) THEN RETURN NULL; END IF;
      UPDATE race SET name = new_name, description = new_description, place_name = new_place, course = new_course,
        starts_at = new_start, enrolment_ends_at = new_deadline, time_limit_us = new_limit, capacity = new_capacity,
        plan_changed_at = at, version = version + 1, changed_in = pg_current_xact_id()
      WHERE id = changed_race;
      -- No hold reaches into the race; those from the waiting list end with the deadline (see hold_end).
      UPDATE race_enrolment SET held_until = least(new_start, greatest(at + interval '15 minutes', new_deadline))
      WHERE race = changed_race AND state = 2
        AND held_until > least(new_start, greatest(at + interval '15 minutes', new_deadline));
      PERFORM announce_race(changed_race, 27::smallint, '{runners,observers,organizers,invited}', at, told);
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO race_change (position, race, kind, persons, author, finish_us, reason, changed_at, facts)
      VALUES (entry, changed_race, 12, '{}', deciding, 0, '', at, told);
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;

    -- Whether dates or course of a race have changed twenty times in a day, of which all its people were told.
    CREATE FUNCTION is_changed_often(changed_race bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT count(*) >= 20 FROM race_notice
      WHERE race = changed_race AND kind IN (14, 27) AND made_at > now() - interval '24 hours'
    $$;

    """

  private static let telling = """
    -- Of the next payments of a race that is cancelled: what was taken is paid back, and what was not taken never is.
    -- Returns how many there were.
    CREATE FUNCTION drop_payments(cancelled_race bigint, most integer) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      dropped integer;
    BEGIN
      UPDATE race_payment p SET wish = CASE p.state WHEN 3 THEN 4 ELSE 3 END, attempts = 0, next_attempt_at = now(),
        changed_at = now()
      WHERE p.id IN (
        SELECT o.id FROM race_payment o
        WHERE o.race = cancelled_race AND o.state IN (1, 2, 3) AND o.wish <> CASE o.state WHEN 3 THEN 4 ELSE 3 END
        LIMIT most);
      GET DIAGNOSTICS dropped = ROW_COUNT;
      RETURN dropped;
    END $$;

    -- Tells the next people of the notice whose turn it is: at most so many, of one race in the order of its notices, and
    -- races take turns. Each account is told once: those with smaller numbers have been. Then, of a cancelled race, gives
    -- up the next payments. Returns 0 if there is nothing to do.
    CREATE FUNCTION work_off_race_notice(most integer) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      n race_notice;
      next bigint[];
      given_up integer;
      ended integer;
    BEGIN
      SELECT * INTO n FROM race_notice o
      WHERE o.done_at IS NULL
        AND NOT EXISTS (SELECT FROM race_notice e WHERE e.race = o.race AND e.id < o.id AND e.done_at IS NULL)
      ORDER BY o.next_turn LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN 0; END IF;
      IF n.is_told THEN
        PERFORM FROM race WHERE id = n.race FOR NO KEY UPDATE;
        given_up := drop_payments(n.race, most);
        UPDATE race_enrolment e SET state = 5, held_until = NULL, changed_at = n.decided_at
        WHERE e.race = n.race AND e.person IN (
          SELECT o.person FROM race_enrolment o WHERE o.race = n.race AND o.state = 2 LIMIT most);
        GET DIAGNOSTICS ended = ROW_COUNT;
        UPDATE race_notice SET next_turn = clock_timestamp(), done_at = CASE given_up + ended WHEN 0 THEN now() END
        WHERE id = n.id;
        RETURN greatest(given_up + ended, 1);
      END IF;
      SELECT array_agg(c.account ORDER BY c.account) INTO next FROM (
        SELECT account FROM (
          (SELECT account FROM race_organizer
            WHERE race = n.race AND account > n.last_account AND 'organizers' = ANY (n.audience)
            ORDER BY account LIMIT most)
          UNION (SELECT account FROM race_observer
            WHERE race = n.race AND account > n.last_account AND 'observers' = ANY (n.audience)
            ORDER BY account LIMIT most)
          UNION (SELECT person FROM race_invitation
            WHERE race = n.race AND person > n.last_account AND 'invited' = ANY (n.audience)
            ORDER BY person LIMIT most)
          -- Whose place has ended since the decision had one when it was made.
          UNION (SELECT person FROM race_enrolment
            WHERE race = n.race AND person > n.last_account AND 'runners' = ANY (n.audience)
              AND (state IN (1, 2, 3) OR changed_at >= n.decided_at)
            ORDER BY person LIMIT most)
          UNION SELECT u FROM unnest(n.accounts) AS u WHERE u > n.last_account
        ) a ORDER BY account LIMIT most
      ) c;
      IF n.kind = 16 THEN PERFORM tell_invited(n, next); ELSE
        WITH told AS MATERIALIZED (
          -- Nothing is left for an account that is being erased.
          SELECT a.id, a.email FROM account a WHERE a.id = ANY (next) AND a.state = 'active' FOR KEY SHARE
        ), entries AS (
          INSERT INTO notification (account, kind, facts) SELECT t.id, n.kind, n.facts FROM told t
        )
        INSERT INTO email_queue (account, address, kind, facts)
        SELECT t.id, t.email, n.kind, n.facts FROM told t WHERE t.email <> '';
      END IF;
      IF coalesce(cardinality(next), 0) < most THEN
        UPDATE race_notice SET is_told = true, accounts = '{}', next_turn = clock_timestamp(),
          done_at = CASE WHEN n.kind <> 15 THEN now() END
        WHERE id = n.id;
      ELSE
        UPDATE race_notice SET last_account = next[most], next_turn = clock_timestamp() WHERE id = n.id;
      END IF;
      RETURN greatest(coalesce(cardinality(next), 0), 1);
    END $$;

    -- Tells persons that they are invited: whoever was told of this race before is not told again, nor who has three
    -- invitations of the same organiser in a day; and no mail goes where one was refused for good in the last week.
    CREATE FUNCTION tell_invited(n race_notice, next bigint[]) RETURNS void LANGUAGE sql AS $$
      WITH told AS MATERIALIZED (
        SELECT a.id, a.email FROM account a
        WHERE a.id = ANY (next) AND a.state = 'active'
          AND EXISTS (SELECT FROM race_invitation i WHERE i.race = n.race AND i.person = a.id)
          AND NOT EXISTS (SELECT FROM race_invitation_told t WHERE t.race = n.race AND t.person = a.id)
          AND (SELECT count(*) FROM race_invitation_told t
            WHERE t.person = a.id AND t.invited_by = n.author AND t.told_at > now() - interval '24 hours') < 3
        FOR KEY SHARE
      ), noted AS (
        INSERT INTO race_invitation_told (race, person, invited_by) SELECT n.race, t.id, n.author FROM told t
      ), entries AS (
        INSERT INTO notification (account, kind, facts) SELECT t.id, n.kind, n.facts FROM told t
      )
      INSERT INTO email_queue (account, address, kind, facts)
      SELECT t.id, t.email, n.kind, n.facts FROM told t
      WHERE t.email <> '' AND NOT EXISTS (
        SELECT FROM email_queue q WHERE q.account = t.id AND q.address = t.email AND q.state = 'failed'
          AND q.changed_at > now() - interval '7 days');
    $$;
    """
}
