/// Accounts, sessions, devices, forms and codes.
enum AccountSQL {
  static let schema = """
    CREATE TABLE account (
      -- Numbers of readings that operators gave to persons without accounts are smaller.
      id            bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000000001) PRIMARY KEY,
      kind          text NOT NULL CHECK (kind IN ('person', 'third_party', 'bridge', 'administrator')),
      state         text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'deactivated', 'erased')),
      username      text,
      email         text,
      password_hash text,
      display_name  text NOT NULL DEFAULT '',
      description   text NOT NULL DEFAULT '',
      form_values   jsonb NOT NULL DEFAULT '{}',
      request_id    text,
      version       bigint NOT NULL DEFAULT 1,
      created_at    timestamptz NOT NULL DEFAULT now(),
      ended_at      timestamptz
    );
    CREATE UNIQUE INDEX account_username ON account (lower(username));
    CREATE UNIQUE INDEX account_email ON account (lower(email));
    COMMENT ON COLUMN account.display_name IS 'What others see: a person''s full name, a third party''s or bridge''s name';
    COMMENT ON COLUMN account.form_values IS 'Fields of the registration form, by name';
    COMMENT ON COLUMN account.version IS 'Counts changes: the etag';

    CREATE TABLE person (
      account       bigint PRIMARY KEY REFERENCES account (id),
      given_names   text NOT NULL,
      family_name   text NOT NULL,
      fiscal_code   text NOT NULL UNIQUE CHECK (fiscal_code ~ '^[A-Z0-9]{16}$'),
      date_of_birth date NOT NULL,
      sex           text NOT NULL CHECK (sex IN ('female', 'male')),
      weight_kg     double precision NOT NULL CHECK (weight_kg BETWEEN 1 AND 700),
      height_cm     double precision NOT NULL CHECK (height_cm BETWEEN 30 AND 280)
    );

    \(SessionSQL.tables)
    """
}
