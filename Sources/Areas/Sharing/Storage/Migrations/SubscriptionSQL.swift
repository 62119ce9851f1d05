internal import Domain

/// Standing orders on grants, and the periods of them that are over.
enum SubscriptionSQL {
  static let schema = """
    CREATE TABLE subscription (
      id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      third_party      bigint NOT NULL REFERENCES account (id),
      access_request   bigint NOT NULL REFERENCES access_request (id),
      request_id       text,
      metrics          integer[] NOT NULL CHECK (cardinality(metrics) BETWEEN 1 AND 100),
      cadence          smallint NOT NULL CHECK (cadence BETWEEN 1 AND 5),
      time_zone        text NOT NULL,
      version          bigint NOT NULL DEFAULT 1,
      created_at       timestamptz NOT NULL,
      created_position bigint NOT NULL,
      ended_at         timestamptz,
      period_start     timestamptz,
      period_end       timestamptz CHECK (period_end > period_start),
      after_position   bigint NOT NULL,
      UNIQUE (third_party, request_id)
    );
    CREATE INDEX subscription_third_party ON subscription (third_party, id);
    CREATE INDEX subscription_access_request ON subscription (access_request) WHERE ended_at IS NULL;
    CREATE INDEX subscription_period_end ON subscription (period_end) WHERE ended_at IS NULL;
    COMMENT ON COLUMN subscription.cadence IS '1 as produced, 2 hourly, 3 daily, 4 weekly, 5 monthly';
    COMMENT ON COLUMN subscription.version IS 'Counts changes by the third party: the etag';
    COMMENT ON COLUMN subscription.created_position IS 'Where the log stood when it was made';
    COMMENT ON COLUMN subscription.ended_at IS 'When it was cancelled; it has also ended when its grant has';
    COMMENT ON COLUMN subscription.period_start IS 'Start of the first period without a digest; NULL where there are no periods';
    COMMENT ON COLUMN subscription.after_position IS 'Readings up to this place of the log were there for earlier periods';

    -- A period that is over: an entry of the log. It says which readings belong to it and holds none, so that readings
    -- that are erased are erased from digests too.
    CREATE TABLE digest (
      position         bigint PRIMARY KEY,
      subscription     bigint NOT NULL REFERENCES subscription (id),
      period_start     timestamptz NOT NULL,
      period_end       timestamptz NOT NULL,
      after_position   bigint NOT NULL,
      through_position bigint NOT NULL CHECK (through_position >= after_position),
      metrics          integer[] NOT NULL,
      UNIQUE (subscription, period_start)
    );
    CREATE INDEX digest_subscription ON digest (subscription, position);
    COMMENT ON COLUMN digest.after_position IS 'Readings up to here were there for the digest before';
    COMMENT ON COLUMN digest.through_position IS 'Readings up to here are there for this digest';

    -- The end of the period that a moment lies in: after the moment, never at it. Granularity counts only for what is
    -- delivered as produced: minutes or hours. Days, weeks and months are those of the zone, whatever its clocks do.
    CREATE FUNCTION subscription_period_end(at timestamptz, cadence smallint, granularity smallint, zone text)
    RETURNS timestamptz LANGUAGE sql STABLE STRICT AS $$
      SELECT CASE
        WHEN cadence = 1 AND granularity = 1 THEN NULL
        WHEN cadence = 1 AND granularity = 2 THEN date_trunc('minute', at, 'UTC') + interval '1 minute'
        WHEN cadence = 1 THEN date_trunc('hour', at, 'UTC') + interval '1 hour'
        WHEN cadence = 2 THEN date_trunc('hour', at, zone) + interval '1 hour'
        WHEN cadence = 3 THEN (date_trunc('day', at AT TIME ZONE zone) + interval '1 day') AT TIME ZONE zone
        WHEN cadence = 4 THEN (date_trunc('week', at AT TIME ZONE zone) + interval '7 days') AT TIME ZONE zone
        ELSE (date_trunc('month', at AT TIME ZONE zone) + interval '1 month') AT TIME ZONE zone
      END
    $$;

    -- Puts the digest of a subscription's next period into the log, in the writer's transaction. NULL, and nothing
    -- changed, where that period is not the next one any more, or the subscription or its grant has ended. It waits for
    -- no row: a subscription that is being changed gets its digest at the next try.
    CREATE FUNCTION add_digest(
      commit_id bigint, entry_row integer, of_subscription bigint, expected_version bigint,
      expected_end timestamptz, through bigint, next_end timestamptz
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      running subscription;
      entry bigint;
    BEGIN
      SELECT s.* INTO running FROM subscription s JOIN access_request r ON r.id = s.access_request
      WHERE s.id = of_subscription AND s.version = expected_version AND s.period_end = expected_end
        AND s.ended_at IS NULL AND r.state = 2 AND s.after_position <= through
      FOR UPDATE OF s SKIP LOCKED;
      IF NOT FOUND THEN RETURN NULL; END IF;
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO digest (position, subscription, period_start, period_end, after_position, through_position, metrics)
      VALUES (entry, of_subscription, running.period_start, running.period_end, running.after_position, through,
        running.metrics);
      UPDATE subscription s SET period_start = running.period_end, period_end = next_end, after_position = through
      WHERE s.id = of_subscription;
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;
    """
}
