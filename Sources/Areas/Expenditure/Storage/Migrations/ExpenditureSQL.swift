/// Figures of the health service's accounts: releases, the files they came from, and every amount with its row.
enum ExpenditureSQL {
  static let schema = releases + figures + texts

  private static let releases = """
    CREATE TABLE expenditure_release (
      number          integer PRIMARY KEY,
      created_at      timestamptz NOT NULL,
      published_at    timestamptz,
      note            text NOT NULL,
      override_reason text NOT NULL DEFAULT '',
      checked_at      timestamptz NOT NULL,
      checks          bytea NOT NULL
    );
    COMMENT ON TABLE expenditure_release IS 'Sets of figures; each overrides what earlier ones have of the same form and year';
    COMMENT ON COLUMN expenditure_release.checks IS 'An ImportFiguresResponse: what the checks found, as it was told';
    COMMENT ON COLUMN expenditure_release.checked_at IS 'Checks are made again if another release was published since';

    CREATE TABLE expenditure_file (
      id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      release    integer NOT NULL REFERENCES expenditure_release (number),
      name       text NOT NULL,
      sha256     bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
      form       integer NOT NULL,
      rows       bigint NOT NULL,
      first_year integer NOT NULL,
      last_year  integer NOT NULL,
      source     text NOT NULL,
      licence    text NOT NULL,
      uri        text NOT NULL
    );
    CREATE INDEX expenditure_file_release ON expenditure_file (release);
    COMMENT ON TABLE expenditure_file IS 'Files that figures came from';
    COMMENT ON COLUMN expenditure_file.form IS
      '1 national account, 2 regional accounts, 3 accounts of bodies, 4 residents, 5 prices, 6 mobility';

    CREATE TABLE expenditure_set (
      release integer NOT NULL REFERENCES expenditure_release (number),
      form    integer NOT NULL,
      year    integer NOT NULL,
      PRIMARY KEY (form, year, release)
    );
    COMMENT ON TABLE expenditure_set IS
      'What a release brings: of a form and year, the newest published release up to the one asked for counts, whole';

    """

  private static let figures = """
    CREATE TABLE expenditure_voice (
      id   integer PRIMARY KEY,
      code text NOT NULL UNIQUE
    );
    COMMENT ON TABLE expenditure_voice IS 'Codes of the official form';

    CREATE TABLE expenditure_description (
      release     integer NOT NULL,
      form        integer NOT NULL,
      year        integer NOT NULL,
      voice       integer NOT NULL REFERENCES expenditure_voice (id),
      description text NOT NULL,
      PRIMARY KEY (release, form, year, voice)
    );
    COMMENT ON TABLE expenditure_description IS 'What the form of a year calls a voice';

    CREATE TABLE expenditure_body (
      release integer NOT NULL,
      year    integer NOT NULL,
      account integer NOT NULL,
      body    integer NOT NULL,
      name    text NOT NULL,
      PRIMARY KEY (release, year, account, body)
    );
    COMMENT ON TABLE expenditure_body IS 'Bodies of the health service: 999 is the consolidation of an account, 0 the region itself';

    CREATE TABLE expenditure_figure (
      cents   bigint NOT NULL,
      release integer NOT NULL,
      voice   integer NOT NULL,
      file    integer NOT NULL,
      row     integer NOT NULL,
      form    smallint NOT NULL,
      year    smallint NOT NULL,
      account smallint NOT NULL,
      body    smallint NOT NULL
    );
    -- No two rows have the same key: an import looks, and names both. A unique index would only tell of one.
    CREATE INDEX expenditure_figure_key ON expenditure_figure (release, form, year, account, body, voice);
    COMMENT ON TABLE expenditure_figure IS 'Amounts of accounts';
    COMMENT ON COLUMN expenditure_figure.account IS '0 Italy, otherwise the three digits of the account';
    COMMENT ON COLUMN expenditure_figure.body IS '-1 the account as a whole; bodies are never added up to it';

    CREATE TABLE expenditure_residents (
      release   integer NOT NULL,
      year      integer NOT NULL,
      account   integer NOT NULL,
      counted   date NOT NULL,
      residents bigint NOT NULL CHECK (residents > 0),
      file      integer NOT NULL,
      row       integer NOT NULL,
      PRIMARY KEY (release, year, account)
    );
    COMMENT ON TABLE expenditure_residents IS 'Residents at the beginning of a year';

    CREATE TABLE expenditure_price (
      release integer NOT NULL,
      year    integer NOT NULL,
      percent text NOT NULL,
      file    integer NOT NULL,
      row     integer NOT NULL,
      PRIMARY KEY (release, year)
    );
    COMMENT ON COLUMN expenditure_price.percent IS 'How much more prices were than the year before, as it was written';

    CREATE TABLE expenditure_mobility (
      release       integer NOT NULL,
      year          integer NOT NULL,
      account       integer NOT NULL,
      public_cents  bigint NOT NULL,
      private_cents bigint NOT NULL,
      file          integer NOT NULL,
      row           integer NOT NULL,
      PRIMARY KEY (release, year, account)
    );
    COMMENT ON TABLE expenditure_mobility IS 'What accounts pay for residents who are treated elsewhere';

    """

  private static let texts = """
    CREATE TABLE expenditure_text (
      subject text PRIMARY KEY,
      italian text NOT NULL,
      english text NOT NULL,
      version bigint NOT NULL
    );
    COMMENT ON TABLE expenditure_text IS 'Definitions of voices by their code, and of steps of the tutorial as "step 1"';
    """
}
