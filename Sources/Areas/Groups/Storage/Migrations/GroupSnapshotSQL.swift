/// When the data of an answer was read, so that whoever withdraws while it is made is told of it.
enum GroupSnapshotSQL {
  static let schema = """
    ALTER TABLE group_answer RENAME COLUMN drawn_at TO read_at;
    ALTER TABLE group_answer ALTER COLUMN read_at DROP DEFAULT, ADD COLUMN snapshot pg_snapshot;
    COMMENT ON COLUMN group_answer.read_at IS 'When its data was read';
    COMMENT ON COLUMN group_answer.snapshot IS 'Which transactions are in it';

    ALTER TABLE group_disclosure RENAME COLUMN drawn_at TO read_at;
    ALTER TABLE group_disclosure ADD COLUMN snapshot pg_snapshot;
    COMMENT ON COLUMN group_disclosure.read_at IS 'When the data of the answer was read';
    COMMENT ON COLUMN group_disclosure.snapshot IS 'Which transactions are in it; NULL of old answers';

    ALTER TABLE anonymous_period ADD COLUMN ended_by xid8;
    COMMENT ON COLUMN anonymous_period.ended_by IS
      'The transaction that ended it: it may have begun before an answer was read and have been committed after it';

    CREATE OR REPLACE FUNCTION end_anonymous_periods() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE anonymous_period p SET ended_at = now(), ended_by = pg_current_xact_id() FROM removed r
      WHERE p.person = r.person AND p.metric = r.metric AND p.ended_at IS NULL;
      RETURN NULL;
    END $$;
    """
}
