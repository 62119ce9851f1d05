/// Sessions, devices, bridges, the tokens of all of them, and the counts of wrong passwords.
enum SessionSQL {
  static let tables = """
    -- A log-in. It ends by its row's going, and its tokens go with it.
    CREATE TABLE session (
      id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account    bigint NOT NULL REFERENCES account (id),
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX session_account ON session (account, id);
    CREATE INDEX session_expires ON session (expires_at);
    COMMENT ON COLUMN session.expires_at IS 'When its refresh token ends';

    CREATE TABLE device (
      id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      person     bigint NOT NULL REFERENCES account (id),
      name       text NOT NULL,
      request_id text,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz,
      revoked_at timestamptz,
      UNIQUE (person, request_id)
    );
    CREATE INDEX device_person ON device (person, id);

    -- Each change counts the bridge's account.version up: other servers see by it that there is something to read.
    CREATE TABLE bridge_permission (
      person     bigint NOT NULL REFERENCES account (id),
      bridge     bigint NOT NULL REFERENCES account (id),
      allowed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (person, bridge)
    );
    CREATE INDEX bridge_permission_bridge ON bridge_permission (bridge, person);
    COMMENT ON TABLE bridge_permission IS 'Persons who let a bridge push for them';

    ALTER TABLE access_token ALTER COLUMN person DROP NOT NULL;
    ALTER TABLE access_token
      ADD COLUMN kind text NOT NULL DEFAULT 'person'
        CHECK (kind IN ('person', 'session', 'refresh', 'device', 'bridge')),
      ADD COLUMN account bigint REFERENCES account (id),
      ADD COLUMN session bigint REFERENCES session (id) ON DELETE CASCADE,
      ADD COLUMN device bigint REFERENCES device (id) ON DELETE CASCADE,
      ADD COLUMN used_at timestamptz,
      ADD CHECK ((person IS NOT NULL) = (kind = 'person')),
      ADD CHECK ((account IS NOT NULL) = (kind <> 'person')),
      ADD CHECK ((session IS NOT NULL) = (kind IN ('session', 'refresh'))),
      ADD CHECK ((device IS NOT NULL) = (kind = 'device'));
    CREATE INDEX access_token_session ON access_token (session) WHERE session IS NOT NULL;
    CREATE INDEX access_token_device ON access_token (device) WHERE device IS NOT NULL;
    CREATE INDEX access_token_account ON access_token (account) WHERE account IS NOT NULL;
    COMMENT ON COLUMN access_token.person IS 'Of a token that an operator made for a person, with or without an account';
    COMMENT ON COLUMN access_token.used_at IS 'When a refresh token was exchanged: a second time ends its session';

    -- Wrong passwords in a row, of accounts and of names that no account has. Rows older than an hour go.
    CREATE TABLE log_in_attempt (
      key          bytea PRIMARY KEY CHECK (octet_length(key) = 32),
      failures     integer NOT NULL DEFAULT 0,
      locked_until timestamptz,
      attempted_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX log_in_attempt_attempted ON log_in_attempt (attempted_at);
    COMMENT ON COLUMN log_in_attempt.key IS 'SHA-256 of the account or of the unknown name';

    -- Counts a checked password, and returns for how many seconds more log-ins are locked: then it was not counted, and
    -- its check must not be told. Guesses made side by side wait for each other here, so that five of them are told.
    CREATE FUNCTION count_log_in(attempt_key bytea, is_right boolean) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      attempt log_in_attempt;
    BEGIN
      INSERT INTO log_in_attempt (key) VALUES (attempt_key)
      ON CONFLICT (key) DO UPDATE SET attempted_at = clock_timestamp() RETURNING * INTO attempt;
      IF attempt.locked_until > clock_timestamp() THEN
        RETURN greatest(1, ceil(extract(epoch FROM attempt.locked_until - clock_timestamp())));
      END IF;
      IF is_right THEN
        DELETE FROM log_in_attempt WHERE key = attempt_key;
      ELSIF attempt.failures >= 4 THEN
        UPDATE log_in_attempt SET failures = 0, locked_until = clock_timestamp() + interval '50 seconds'
        WHERE key = attempt_key;
      ELSE
        UPDATE log_in_attempt SET failures = attempt.failures + 1, locked_until = NULL WHERE key = attempt_key;
      END IF;
      RETURN 0;
    END
    $$;
    """
}
