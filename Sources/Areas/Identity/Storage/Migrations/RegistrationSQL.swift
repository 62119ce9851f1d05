/// What registration needs beside accounts: forms, codes of third parties, and what administrators have done.
enum RegistrationSQL {
  static let schema = """
    CREATE TABLE registration_form (
      kind       text PRIMARY KEY CHECK (kind IN ('person', 'third_party')),
      version    bigint NOT NULL DEFAULT 1,
      updated_at timestamptz NOT NULL DEFAULT now(),
      updated_by bigint REFERENCES account (id)
    );
    COMMENT ON COLUMN registration_form.version IS 'Counts changes: the etag';

    CREATE TABLE registration_form_field (
      kind     text NOT NULL REFERENCES registration_form (kind),
      place    integer NOT NULL,
      name     text NOT NULL,
      label    text NOT NULL,
      type     text NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'date', 'choice')),
      required boolean NOT NULL DEFAULT false,
      choices  text[] NOT NULL DEFAULT '{}',
      minimum  double precision NOT NULL DEFAULT 0,
      maximum  double precision NOT NULL DEFAULT 0,
      PRIMARY KEY (kind, place),
      UNIQUE (kind, name)
    );
    COMMENT ON TABLE registration_form_field IS 'The fields of a form beside the fixed ones, in the order of place';

    INSERT INTO registration_form (kind) VALUES ('person'), ('third_party');
    INSERT INTO registration_form_field (kind, place, name, label, type, maximum) VALUES
      ('person',      1, 'social_status',         'Social status',         'text',   100),
      ('person',      2, 'address',               'Address',               'text',   300),
      ('person',      3, 'working_hours_per_day', 'Working hours per day', 'number', 24),
      ('person',      4, 'sport_hours_per_week',  'Sport hours per week',  'number', 168),
      ('third_party', 1, 'website',               'Website',               'text',   300),
      ('third_party', 2, 'research_interests',    'Research interests',    'text',   2000);

    CREATE TABLE third_party_code (
      id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      code_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(code_sha256) = 32),
      company     text NOT NULL,
      issued_by   bigint NOT NULL REFERENCES account (id),
      request_id  text,
      issued_at   timestamptz NOT NULL DEFAULT now(),
      expires_at  timestamptz NOT NULL,
      used_at     timestamptz,
      used_by     bigint REFERENCES account (id),
      UNIQUE (issued_by, request_id)
    );
    COMMENT ON TABLE third_party_code IS 'Codes with which third parties register, once each; only hashes are kept';

    CREATE TABLE bridge (
      account    bigint PRIMARY KEY REFERENCES account (id),
      created_by bigint NOT NULL REFERENCES account (id),
      request_id text,
      UNIQUE (created_by, request_id)
    );

    CREATE TABLE maintenance (
      id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      announced_by      bigint NOT NULL REFERENCES account (id),
      request_id        text,
      begins_at         timestamptz NOT NULL,
      ends_at           timestamptz NOT NULL CHECK (ends_at > begins_at),
      message           text NOT NULL,
      notified_accounts bigint NOT NULL DEFAULT 0,
      announced_at      timestamptz NOT NULL DEFAULT now(),
      UNIQUE (announced_by, request_id)
    );
    """
}
