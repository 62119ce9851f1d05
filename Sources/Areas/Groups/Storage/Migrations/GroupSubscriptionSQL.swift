internal import Domain

/// Questions about groups that are asked of each period, and their answers.
enum GroupSubscriptionSQL {
  static let schema = """
    CREATE TABLE group_subscription (
      id               bigint PRIMARY KEY,
      third_party      bigint NOT NULL REFERENCES account (id),
      request_id       text,
      question         bytea NOT NULL,
      cadence          smallint NOT NULL CHECK (cadence BETWEEN 2 AND 5),
      time_zone        text NOT NULL,
      version          bigint NOT NULL DEFAULT 1,
      created_at       timestamptz NOT NULL,
      created_position bigint NOT NULL,
      ended_at         timestamptz,
      period_start     timestamptz NOT NULL,
      period_end       timestamptz NOT NULL CHECK (period_end > period_start),
      pause            smallint NOT NULL DEFAULT 0,
      UNIQUE (third_party, request_id)
    );
    CREATE INDEX group_subscription_third_party ON group_subscription (third_party, id);
    CREATE INDEX group_subscription_period_end ON group_subscription (period_end) WHERE ended_at IS NULL;
    COMMENT ON COLUMN group_subscription.id IS 'Of the sequence of subscription';
    COMMENT ON COLUMN group_subscription.question IS 'A GroupQuestion without dates';
    COMMENT ON COLUMN group_subscription.cadence IS '2 hourly, 3 daily, 4 weekly, 5 monthly';
    COMMENT ON COLUMN group_subscription.version IS 'Counts changes by the third party: the etag';
    COMMENT ON COLUMN group_subscription.period_start IS 'Start of the first period without a release';
    COMMENT ON COLUMN group_subscription.pause IS 'Why nothing was told of the last period: a GroupPause';

    -- A period that is over: an entry of the log.
    CREATE TABLE group_release (
      position     bigint PRIMARY KEY,
      subscription bigint NOT NULL REFERENCES group_subscription (id),
      period_start timestamptz NOT NULL,
      release      bytea NOT NULL,
      UNIQUE (subscription, period_start)
    );
    CREATE INDEX group_release_subscription ON group_release (subscription, position);
    COMMENT ON COLUMN group_release.release IS 'A GroupRelease without its number: noise is in it already';

    -- The start of the period that a moment lies in. Hours are those of UTC.
    CREATE FUNCTION group_period_start(at timestamptz, cadence smallint, zone text)
    RETURNS timestamptz LANGUAGE sql STABLE STRICT AS $$
      SELECT CASE cadence
        WHEN 2 THEN date_trunc('hour', at, 'UTC')
        WHEN 3 THEN date_trunc('day', at AT TIME ZONE zone) AT TIME ZONE zone
        WHEN 4 THEN date_trunc('week', at AT TIME ZONE zone) AT TIME ZONE zone
        ELSE date_trunc('month', at AT TIME ZONE zone) AT TIME ZONE zone
      END
    $$;

    -- Puts the release of a subscription's next period into the log, in the writer's transaction. NULL, and nothing
    -- changed, where that period is not the next one any more, or the subscription has changed or ended. It waits for no
    -- row.
    CREATE FUNCTION add_group_release(
      commit_id bigint, entry_row integer, of_subscription bigint, expected_version bigint, expected_end timestamptz,
      told bytea, why smallint
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      running group_subscription;
      entry bigint;
    BEGIN
      SELECT s.* INTO running FROM group_subscription s
      WHERE s.id = of_subscription AND s.version = expected_version AND s.period_end = expected_end AND s.ended_at IS NULL
      FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN NULL; END IF;
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO group_release (position, subscription, period_start, release)
      VALUES (entry, of_subscription, running.period_start, told);
      UPDATE group_subscription SET period_start = period_end, pause = why,
        period_end = subscription_period_end(period_end, cadence, \(Granularity.hour.rawValue)::smallint, time_zone)
      WHERE id = of_subscription;
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;
    """
}
