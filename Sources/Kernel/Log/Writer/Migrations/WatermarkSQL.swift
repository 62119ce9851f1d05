/// What third parties may have been shown of minutes and hours, and the readings that count in those and nowhere else.
enum WatermarkSQL {
  static let schema = """
    CREATE TABLE watermark (
      "time"   timestamptz NOT NULL,
      position bigint NOT NULL,
      PRIMARY KEY ("time", position)
    );
    CREATE INDEX watermark_position ON watermark (position);
    COMMENT ON TABLE watermark IS 'Minutes and hours that ended by a time are shown out of what was committed by a position; never changed, for what was shown is shown the same way for ever';

    -- What was shown before there were watermarks: of all subscriptions together, so that times rise with positions.
    INSERT INTO watermark ("time", position)
    SELECT max("time"), position FROM (
      SELECT max("time") OVER (ORDER BY position, "time") AS "time", position FROM (
        SELECT period_end AS "time", through_position AS position FROM digest
        UNION
        SELECT period_start, after_position FROM subscription WHERE period_start IS NOT NULL
      ) shown
    ) rising GROUP BY position;

    -- The watermark of a time, which covers a position; nothing happens if there is one. Positions become visible in
    -- order: everything up to the log's head is committed. The lock is also taken by whoever removes readings that
    -- were replaced: no watermark is on its way then that could still show one of them.
    CREATE FUNCTION advance_watermark(at timestamptz, covering bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM watermark w WHERE w."time" >= at AND w.position >= covering LIMIT 1;
      IF FOUND THEN RETURN; END IF;
      PERFORM pg_advisory_xact_lock(8390876135376643331);
      INSERT INTO watermark ("time", position)
      SELECT greatest(at, (SELECT max(w."time") FROM watermark w)), log.head
      FROM (
        SELECT greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state)) AS head
      ) log
      WHERE NOT EXISTS (SELECT FROM watermark w WHERE w."time" >= at AND w.position >= covering)
      ON CONFLICT DO NOTHING;
    END $$;

    -- As reading_chunk, of readings that others have replaced after they were shown in a minute or an hour.
    CREATE TABLE replaced_reading (
      person         bigint NOT NULL,
      hour           integer NOT NULL,
      metric         integer NOT NULL,
      first_position bigint NOT NULL,
      last_position  bigint NOT NULL,
      reading_count  integer NOT NULL,
      payload        bytea COMPRESSION lz4 NOT NULL
    );
    CREATE INDEX replaced_reading_person_metric_hour ON replaced_reading (person, metric, hour);
    COMMENT ON TABLE replaced_reading IS 'Readings that others replaced after they were shown as part of a minute or an hour: no answer but those minutes and hours holds them';
    """
}
