internal import SosRules

/// AutomatedSOS: what persons have chosen, and their emergencies.
enum SosSQL {
  static let schema = settings + emergencies + notifications

  private static let settings = """
    CREATE TABLE sos_settings (
      person                   bigint PRIMARY KEY REFERENCES account (id),
      enabled                  boolean NOT NULL,
      callback_number          text,
      silence_notify_minutes   integer CHECK (silence_notify_minutes BETWEEN 1 AND 1440),
      silence_call_minutes     integer NOT NULL DEFAULT 0 CHECK (silence_call_minutes BETWEEN 0 AND 1440),
      uses_oxygen_scale_2      boolean NOT NULL DEFAULT false,
      uses_supplemental_oxygen boolean NOT NULL DEFAULT false,
      version                  bigint NOT NULL DEFAULT 1,
      thresholds_version       bigint NOT NULL DEFAULT 0,
      changed_in               xid8 NOT NULL DEFAULT pg_current_xact_id()
    );
    CREATE INDEX sos_settings_changed_in ON sos_settings (changed_in);
    COMMENT ON COLUMN sos_settings.silence_notify_minutes IS 'NULL: silence is no alarm';
    COMMENT ON COLUMN sos_settings.version IS 'Counts changes of settings and contacts: the etag';
    COMMENT ON COLUMN sos_settings.thresholds_version IS 'Counts changes of sos_threshold';
    COMMENT ON COLUMN sos_settings.changed_in IS 'The last transaction that changed anything that is checked for the person: what is at or above the xmin of a snapshot may have been committed after it';

    CREATE TABLE sos_contact (
      person       bigint NOT NULL REFERENCES sos_settings (person),
      place        integer NOT NULL,
      name         text NOT NULL,
      phone_number text,
      email        text NOT NULL DEFAULT '',
      PRIMARY KEY (person, place)
    );

    CREATE TABLE sos_threshold (
      person              bigint NOT NULL REFERENCES sos_settings (person),
      metric              integer NOT NULL REFERENCES metric (id),
      rest_low            double precision,
      rest_high           double precision,
      rest_hold_us        bigint,
      rest_hysteresis     double precision,
      exertion_low        double precision,
      exertion_high       double precision,
      exertion_hold_us    bigint,
      exertion_hysteresis double precision,
      PRIMARY KEY (person, metric)
    );
    COMMENT ON TABLE sos_threshold IS 'Persons'' own limits; metrics without a row have the defaults';
    COMMENT ON COLUMN sos_threshold.rest_hold_us IS 'NULL: there are no limits at rest';
    COMMENT ON COLUMN sos_threshold.exertion_hold_us IS 'NULL: there are no limits during exertion';

    CREATE TABLE sos_exertion (
      id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      person     bigint NOT NULL REFERENCES sos_settings (person),
      request_id text,
      begins_at  timestamptz NOT NULL,
      ends_at    timestamptz NOT NULL CHECK (ends_at > begins_at),
      ended_at   timestamptz,
      UNIQUE (person, request_id)
    );
    CREATE INDEX sos_exertion_person ON sos_exertion (person, ends_at);
    COMMENT ON COLUMN sos_exertion.ends_at IS 'As declared';
    COMMENT ON COLUMN sos_exertion.ended_at IS 'When the person ended it before that; before begins_at: it was withdrawn';

    -- Persons of 60 and over have it on from registration. Whoever was born on 29 February is a year older on 1 March
    -- of a year without that day.
    CREATE FUNCTION sos_is_on_from_registration(born date, day date) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT extract(year FROM day) - extract(year FROM born)
        - ((extract(month FROM day), extract(day FROM day)) < (extract(month FROM born), extract(day FROM born)))::int
        >= 60
    $$;

    CREATE FUNCTION make_sos_settings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO sos_settings (person, enabled)
      VALUES (NEW.account, sos_is_on_from_registration(NEW.date_of_birth, (now() AT TIME ZONE 'UTC')::date));
      RETURN NULL;
    END $$;
    CREATE TRIGGER person_sos_settings AFTER INSERT ON person FOR EACH ROW EXECUTE FUNCTION make_sos_settings();

    INSERT INTO sos_settings (person, enabled)
    SELECT account, sos_is_on_from_registration(date_of_birth, (now() AT TIME ZONE 'UTC')::date) FROM person;

    """

  private static let emergencies = """
    CREATE TABLE emergency (
      id          uuid PRIMARY KEY,
      person      bigint NOT NULL REFERENCES account (id),
      state       smallint NOT NULL CHECK (state BETWEEN 1 AND 6),
      detected_at timestamptz NOT NULL,
      changed     bigint NOT NULL,
      facts       jsonb NOT NULL,
      told        smallint NOT NULL DEFAULT 0
    );
    CREATE INDEX emergency_person_detected ON emergency (person, detected_at, id);
    CREATE INDEX emergency_person_changed ON emergency (person, changed);
    CREATE INDEX emergency_changed ON emergency (changed);
    CREATE INDEX emergency_unfinished ON emergency (changed) WHERE state < 5;
    COMMENT ON COLUMN emergency.state IS 'As trackme.sos.v1.EmergencyState: 5 resolved and 6 cancelled are final';
    COMMENT ON COLUMN emergency.changed IS 'Of the newest transition, in microseconds since the Unix epoch: the newest wins';
    COMMENT ON COLUMN emergency.facts IS 'All of it, as Domain.Emergency';
    COMMENT ON COLUMN emergency.told IS '1: the person was told of it; 2: also that it is over';

    -- Writes an emergency as it stands and tells the person, and the contacts by mail, each once. Writing it again, or
    -- an older one after a newer one, changes nothing. An account that was erased, or never was, has no emergencies.
    CREATE FUNCTION record_emergency(
      new_id uuid, new_person bigint, new_state smallint, new_detected timestamptz, new_changed bigint,
      is_exercise boolean, new_facts jsonb, contacts text[]
    ) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      kept emergency;
      about jsonb := jsonb_build_object('emergency', new_id, 'exercise', is_exercise,
        'detected', to_char(new_detected AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'));
    BEGIN
      -- An erasure that has begun waits for this, or this for it.
      PERFORM FROM account WHERE id = new_person AND state <> 'erased' FOR SHARE;
      IF NOT FOUND THEN RETURN; END IF;
      INSERT INTO emergency AS e (id, person, state, detected_at, changed, facts)
      VALUES (new_id, new_person, new_state, new_detected, new_changed, new_facts)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed = excluded.changed, facts = excluded.facts
        WHERE e.changed < excluded.changed;
      SELECT * INTO STRICT kept FROM emergency WHERE id = new_id FOR UPDATE;
      IF kept.told < 1 THEN
        PERFORM add_notification(new_person, 11::smallint, facts => about);
        -- Nobody else is told of what was a false alarm already.
        IF kept.state <> 6 THEN
          INSERT INTO email_queue (account, address, kind, facts)
          SELECT new_person, address, 11, about || '{"contact": true}' FROM unnest(contacts) AS c (address);
        END IF;
      END IF;
      IF kept.told < 2 AND kept.state >= 5 THEN
        PERFORM add_notification(new_person, 12::smallint,
          facts => about || jsonb_build_object('cancelled', kept.state = 6));
      END IF;
      UPDATE emergency SET told = CASE WHEN kept.state >= 5 THEN 2 ELSE 1 END
      WHERE id = new_id AND told < CASE WHEN kept.state >= 5 THEN 2 ELSE 1 END;
    END $$;

    -- Tells a person, and the contacts by mail, that no heart rate has come since a moment, once.
    CREATE FUNCTION record_silence(
      silent_person bigint, since timestamptz, is_exercise boolean, contacts text[]
    ) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      about jsonb := jsonb_build_object('exercise', is_exercise, 'key', extract(epoch FROM since)::text,
        'since', to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'));
    BEGIN
      -- One at a time: so a repeat finds the first.
      PERFORM FROM account WHERE id = silent_person AND state = 'active' FOR UPDATE;
      IF NOT FOUND OR EXISTS (SELECT FROM notification n
        WHERE n.account = silent_person AND n.kind = 13 AND n.facts ->> 'key' = about ->> 'key')
      THEN RETURN; END IF;
      PERFORM add_notification(silent_person, 13::smallint, facts => about);
      INSERT INTO email_queue (account, address, kind, facts)
      SELECT silent_person, address, 13, about || '{"contact": true}' FROM unnest(contacts) AS c (address);
    END $$;

    """

  private static let notifications = """
    -- As before, with the kinds of AutomatedSOS among those for mail.
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
        AND add_notification.kind IN (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13);
    $$;
    """
}
