/// Which answers may have been made of whose readings.
enum GroupDisclosureSQL {
  static let schema = """
    CREATE TABLE anonymous_period (
      id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      person         bigint NOT NULL REFERENCES account (id),
      metric         integer NOT NULL REFERENCES metric (id),
      counts_from_us bigint NOT NULL,
      ended_at       timestamptz
    );
    CREATE INDEX anonymous_period_person ON anonymous_period (person, metric);
    COMMENT ON TABLE anonymous_period IS 'When a person shared a kind anonymously: what is shared still has no end';
    INSERT INTO anonymous_period (person, metric, counts_from_us)
    SELECT person, metric, counts_from_us FROM anonymous_metric;

    -- However a choice changes, its periods follow.
    CREATE FUNCTION begin_anonymous_periods() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO anonymous_period (person, metric, counts_from_us) SELECT person, metric, counts_from_us FROM added;
      RETURN NULL;
    END $$;
    CREATE TRIGGER begin_anonymous_periods AFTER INSERT ON anonymous_metric
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION begin_anonymous_periods();

    CREATE FUNCTION end_anonymous_periods() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE anonymous_period p SET ended_at = now() FROM removed r
      WHERE p.person = r.person AND p.metric = r.metric AND p.ended_at IS NULL;
      RETURN NULL;
    END $$;
    CREATE TRIGGER end_anonymous_periods AFTER DELETE ON anonymous_metric
      REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION end_anonymous_periods();

    ALTER TABLE group_answer
      ADD COLUMN is_refused boolean NOT NULL DEFAULT false,
      ADD COLUMN drawn_at timestamptz NOT NULL DEFAULT now();
    COMMENT ON COLUMN group_answer.is_refused IS 'Everything is withheld';

    CREATE TABLE group_disclosure (
      id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      third_party bigint NOT NULL REFERENCES account (id),
      question    bytea NOT NULL,
      metrics     integer[] NOT NULL,
      first_day   date NOT NULL,
      to_us       bigint NOT NULL,
      from_age    integer NOT NULL,
      to_age      integer NOT NULL,
      sex         text,
      drawn_at    timestamptz NOT NULL,
      answered_at timestamptz NOT NULL
    );
    COMMENT ON TABLE group_disclosure IS 'Answers about groups that third parties were given';
    COMMENT ON COLUMN group_disclosure.question IS 'A GroupQuestion, on the grid';
    COMMENT ON COLUMN group_disclosure.to_us IS 'No reading taken from here on is in it';
    """
}
