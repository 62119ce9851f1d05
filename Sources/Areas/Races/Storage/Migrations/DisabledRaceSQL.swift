/// An administrator takes a race out of use, and back: it has a state of its own meanwhile, which allows nothing.
enum DisabledRaceSQL {
  static let schema = """
    ALTER TABLE race ADD COLUMN is_disabled boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN race.is_disabled IS 'By an administrator: nobody but its organisers sees it, and nothing follows it';

    -- The record: who disabled or enabled what, and why.
    CREATE TABLE race_disabling (
      id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      race        bigint NOT NULL REFERENCES race (id),
      is_disabled boolean NOT NULL,
      reason      text NOT NULL,
      decided_by  bigint NOT NULL REFERENCES account (id),
      decided_at  timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX race_disabling_race ON race_disabling (race, id);

    -- As before; 7: disabled.
    CREATE OR REPLACE FUNCTION race_state(r race, at timestamptz) RETURNS smallint LANGUAGE sql STABLE AS $$
      SELECT CASE
        WHEN r.is_disabled THEN 7
        WHEN r.cancelled_at IS NOT NULL AND at >= r.cancelled_at THEN 6
        WHEN NOT r.is_opened THEN 1
        WHEN at < r.enrolment_ends_at THEN 2
        WHEN at < r.starts_at THEN 3
        WHEN at < least(r.finished_at, r.starts_at + r.time_limit_us * interval '1 microsecond') THEN 4
        ELSE 5
      END::smallint
    $$;
    """
}
