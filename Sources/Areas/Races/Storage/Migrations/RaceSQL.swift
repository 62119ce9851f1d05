internal import RacesRules

/// Races: courses, who organises, runs and observes them, payments of fees, and what organisers decide, which are entries
/// of the log. PostGIS finds them by distance, trigrams by name.
enum RaceSQL {
  static let schema = extensions + races + people + payments + news + changes + EnrolmentSQL.functions

  private static let extensions = """
    CREATE EXTENSION IF NOT EXISTS postgis;
    CREATE EXTENSION IF NOT EXISTS pg_trgm;

    """

  private static let races = """
    -- A way from start to arrival: a route that was planned, and the course of each race that took it.
    CREATE TABLE course (
      id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      planned_by        bigint NOT NULL REFERENCES account (id),
      planned_at        timestamptz NOT NULL DEFAULT now(),
      source            smallint NOT NULL CHECK (source BETWEEN 1 AND 3),
      latitudes         double precision[] NOT NULL,
      longitudes        double precision[] NOT NULL,
      altitudes         double precision[] NOT NULL,
      start_name        text NOT NULL,
      start_at          geography(Point, 4326) NOT NULL,
      arrival_name      text NOT NULL,
      arrival_at        geography(Point, 4326) NOT NULL,
      stage_names       text[] NOT NULL,
      stage_latitudes   double precision[] NOT NULL,
      stage_longitudes  double precision[] NOT NULL,
      stage_distances   double precision[] NOT NULL,
      length_m          double precision NOT NULL,
      attribution       text NOT NULL
    );
    CREATE INDEX course_planned_at ON course (planned_at);
    CREATE INDEX course_start_at ON course USING gist (start_at);
    COMMENT ON COLUMN course.source IS '1 roads, 2 GPX, 3 straight';
    COMMENT ON COLUMN course.id IS 'The route_id that CreateRace takes; routes that no race took are removed after a day';

    CREATE TABLE race (
      id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      created_by        bigint NOT NULL REFERENCES account (id),
      request_id        text,
      name              text NOT NULL,
      description       text NOT NULL,
      place_name        text NOT NULL,
      course            uuid NOT NULL REFERENCES course (id),
      starts_at         timestamptz NOT NULL,
      enrolment_ends_at timestamptz NOT NULL CHECK (enrolment_ends_at < starts_at),
      time_limit_us     bigint NOT NULL CHECK (time_limit_us BETWEEN 60000000 AND 172800000000),
      is_opened         boolean NOT NULL DEFAULT false,
      finished_at       timestamptz,
      cancelled_at      timestamptz,
      by_invitation     boolean NOT NULL,
      invitation_sha256 bytea CHECK (octet_length(invitation_sha256) = 32),
      capacity          integer NOT NULL CHECK (capacity BETWEEN 1 AND 20000),
      fee_minor_units   bigint CHECK (fee_minor_units BETWEEN 1 AND 100000000),
      fee_currency      text CHECK (fee_currency ~ '^[A-Z]{3}$'),
      last_number       integer NOT NULL DEFAULT 0,
      taken_count       integer NOT NULL DEFAULT 0,
      waiting_count     integer NOT NULL DEFAULT 0,
      version           bigint NOT NULL DEFAULT 1,
      changed_in        xid8 NOT NULL DEFAULT pg_current_xact_id(),
      created_at        timestamptz NOT NULL DEFAULT now(),
      UNIQUE (created_by, request_id),
      CHECK ((fee_minor_units IS NULL) = (fee_currency IS NULL))
    );
    CREATE INDEX race_starts_at ON race (starts_at);
    CREATE INDEX race_course ON race (course);
    CREATE INDEX race_text ON race USING gin ((name || ' ' || place_name) gin_trgm_ops);
    CREATE INDEX race_waiting ON race (id) WHERE waiting_count > 0;
    COMMENT ON COLUMN race.version IS 'The etag';
    COMMENT ON COLUMN race.changed_in IS 'By which servers find what has changed';
    COMMENT ON COLUMN race.last_number IS 'The last bib number given; none is given twice';
    COMMENT ON COLUMN race.taken_count IS 'Enrolments in states 2 and 3; a trigger keeps it';
    COMMENT ON COLUMN race.waiting_count IS 'Enrolments in state 1, likewise';

    -- The state at a time, as RaceSchedule has it: 1 draft, 2 enrolment open, 3 enrolment closed, 4 running, 5 finished,
    -- 6 cancelled.
    CREATE FUNCTION race_state(r race, at timestamptz) RETURNS smallint LANGUAGE sql STABLE AS $$
      SELECT CASE
        WHEN r.cancelled_at IS NOT NULL AND at >= r.cancelled_at THEN 6
        WHEN NOT r.is_opened THEN 1
        WHEN at < r.enrolment_ends_at THEN 2
        WHEN at < r.starts_at THEN 3
        WHEN at < least(r.finished_at, r.starts_at + r.time_limit_us * interval '1 microsecond') THEN 4
        ELSE 5
      END::smallint
    $$;

    """

  private static let people = """
    CREATE TABLE race_organizer (
      race     bigint NOT NULL REFERENCES race (id),
      account  bigint NOT NULL REFERENCES account (id),
      added_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (race, account)
    );
    CREATE INDEX race_organizer_account ON race_organizer (account, race);

    CREATE TABLE race_observer (
      race    bigint NOT NULL REFERENCES race (id),
      account bigint NOT NULL REFERENCES account (id),
      since   timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (race, account)
    );
    CREATE INDEX race_observer_account ON race_observer (account, race);

    CREATE TABLE race_invitation (
      race       bigint NOT NULL REFERENCES race (id),
      person     bigint NOT NULL REFERENCES account (id),
      invited_by bigint NOT NULL,
      invited_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (race, person)
    );
    CREATE INDEX race_invitation_person ON race_invitation (person);

    CREATE TABLE race_enrolment (
      race            bigint NOT NULL REFERENCES race (id),
      person          bigint NOT NULL REFERENCES account (id),
      state           smallint NOT NULL CHECK (state BETWEEN 1 AND 5),
      number          integer,
      runner_name     text NOT NULL,
      queue_place     bigint GENERATED ALWAYS AS IDENTITY,
      payment         uuid,
      held_until      timestamptz,
      is_present      boolean NOT NULL DEFAULT false,
      is_disqualified boolean NOT NULL DEFAULT false,
      is_retired      boolean NOT NULL DEFAULT false,
      changed_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (race, person),
      UNIQUE (race, number)
    );
    CREATE INDEX race_enrolment_person ON race_enrolment (person, race);
    CREATE INDEX race_enrolment_enrolled ON race_enrolment (race) WHERE state = 3;
    CREATE INDEX race_enrolment_waiting ON race_enrolment (race, queue_place) WHERE state = 1;
    CREATE INDEX race_enrolment_held ON race_enrolment (held_until) WHERE state = 2;
    COMMENT ON COLUMN race_enrolment.state IS
      '1 waiting, 2 awaiting payment, 3 enrolled, 4 withdrawn, 5 expired; a place is taken in 2 and 3';
    COMMENT ON COLUMN race_enrolment.queue_place IS 'Order of the waiting list';

    """

  private static let payments = """
    -- Fees. The provider is asked with the id as idempotency key, again and again until it has answered; what is kept are
    -- numbers and states, never a card or an account.
    CREATE TABLE race_payment (
      id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      race             bigint NOT NULL REFERENCES race (id),
      person           bigint NOT NULL REFERENCES account (id),
      minor_units      bigint NOT NULL,
      currency         text NOT NULL,
      state            smallint NOT NULL DEFAULT 1 CHECK (state BETWEEN 1 AND 6),
      wish             smallint NOT NULL DEFAULT 1 CHECK (wish BETWEEN 0 AND 4),
      provider_payment text UNIQUE,
      payment_url      text,
      attempts         integer NOT NULL DEFAULT 0,
      next_attempt_at  timestamptz NOT NULL DEFAULT now(),
      created_at       timestamptz NOT NULL DEFAULT now(),
      changed_at       timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX race_payment_wish ON race_payment (next_attempt_at) WHERE wish <> 0;
    CREATE INDEX race_payment_race ON race_payment (race, person);
    CREATE INDEX race_payment_person ON race_payment (person);
    COMMENT ON COLUMN race_payment.state IS
      '1 pending, 2 authorized, 3 captured, 4 cancelled, 5 refunded, 6 failed, as trackme.races.v1.PaymentState';
    COMMENT ON COLUMN race_payment.wish IS
      'What the provider is still to be asked for: 0 nothing, 1 create, 2 capture, 3 cancel, 4 refund';

    """

  private static let news = """
    -- As before; news of races are mailed too.
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
        AND (add_notification.kind IN (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13) OR add_notification.kind BETWEEN 14 AND 26);
    $$;

    -- Puts the same entry into the inboxes of a race's people, and the mails into the queue: each account once. The facts
    -- are the race's number and name, and what is given.
    CREATE FUNCTION tell_race(told_race bigint, told_kind smallint, audience text[], more jsonb DEFAULT '{}')
    RETURNS void LANGUAGE sql AS $$
      WITH concerned AS MATERIALIZED (
        SELECT account FROM race_organizer WHERE race = told_race AND 'organizers' = ANY (audience)
        UNION SELECT account FROM race_observer WHERE race = told_race AND 'observers' = ANY (audience)
        UNION SELECT person FROM race_enrolment
          WHERE race = told_race AND state IN (1, 2, 3) AND 'runners' = ANY (audience)
      ), told AS MATERIALIZED (
        -- Nothing is left for an account that is being erased.
        SELECT a.id, a.email FROM account a WHERE a.id IN (SELECT account FROM concerned) AND a.state = 'active'
        FOR KEY SHARE
      ), facts AS (
        SELECT jsonb_build_object('race', r.id::text, 'name', r.name) || more AS facts FROM race r WHERE r.id = told_race
      ), entries AS (
        INSERT INTO notification (account, kind, facts) SELECT t.id, told_kind, f.facts FROM told t, facts f
      )
      INSERT INTO email_queue (account, address, kind, facts)
      SELECT t.id, t.email, told_kind, f.facts FROM told t, facts f WHERE t.email <> '';
    $$;

    """

  private static let changes = """
    CREATE TABLE race_change (
      position   bigint PRIMARY KEY,
      race       bigint NOT NULL REFERENCES race (id),
      kind       smallint NOT NULL CHECK (kind BETWEEN 1 AND 11),
      persons    bigint[] NOT NULL,
      author     bigint NOT NULL,
      finish_us  bigint NOT NULL,
      reason     text NOT NULL,
      changed_at timestamptz NOT NULL
    );
    CREATE INDEX race_change_race ON race_change (race, position);
    CREATE INDEX race_change_author ON race_change (author);
    COMMENT ON COLUMN race_change.kind IS 'As RaceChange.Kind: 1 present, 2 absent, 3 disqualified, 4 reinstated, '
      '5 retired, 6 finish time, 7 did not finish, 8 as measured, 9 withdrawn, 10 race finished, 11 race cancelled';

    -- A decision, in the writer's transaction: the entry's position, or NULL where nothing was changed. Raises nothing.
    CREATE FUNCTION change_race(
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
        PERFORM tell_race(changed_race, 15::smallint, '{runners,observers,organizers}', jsonb_build_object('reason', why));
        -- What was taken is paid back, and what was not taken never is.
        UPDATE race_payment p SET wish = CASE p.state WHEN 3 THEN 4 ELSE 3 END, attempts = 0, next_attempt_at = now(),
          changed_at = now()
        WHERE p.race = changed_race AND p.state IN (1, 2, 3);
        UPDATE race_enrolment e SET state = 5, held_until = NULL, changed_at = at
        WHERE e.race = changed_race AND e.state = 2;
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
    """
}
