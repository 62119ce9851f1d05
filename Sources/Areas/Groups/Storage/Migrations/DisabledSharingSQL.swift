/// What persons share whose accounts are disabled: they are in no answer, and may withdraw for good.
enum DisabledSharingSQL {
  static let schema = """
    -- As before, also for persons whose accounts are disabled.
    CREATE OR REPLACE FUNCTION change_anonymous_sharing(
      commit_id bigint, entry_row integer, who bigint, known_version bigint, wanted integer[], counts_from bigint,
      at timestamptz, changes_since timestamptz, changes_max integer
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
    BEGIN
      PERFORM FROM account a WHERE a.id = who AND a.kind = 'person' AND a.state IN ('active', 'disabled');
      IF NOT FOUND THEN RETURN NULL; END IF;
      IF known_version <> coalesce((SELECT version FROM anonymous_sharing WHERE person = who), 0) THEN RETURN NULL; END IF;
      IF (SELECT count(*) FROM anonymous_sharing_change WHERE person = who AND changed_at > changes_since) >= changes_max
        AND EXISTS (
          SELECT unnest(wanted) EXCEPT SELECT metric FROM anonymous_metric WHERE person = who)
      THEN RETURN NULL; END IF;
      entry := append_log_entry(commit_id, entry_row);
      INSERT INTO anonymous_sharing (person, version) VALUES (who, 1)
      ON CONFLICT (person) DO UPDATE SET version = anonymous_sharing.version + 1;
      DELETE FROM anonymous_metric WHERE person = who AND metric <> ALL (wanted);
      IF FOUND THEN INSERT INTO group_stale (person) VALUES (who); END IF;
      INSERT INTO anonymous_metric (person, metric, counts_from_us)
      SELECT who, metric, counts_from FROM unnest(wanted) AS metric ON CONFLICT (person, metric) DO NOTHING;
      INSERT INTO anonymous_sharing_change (position, person, metrics, changed_at) VALUES (entry, who, wanted, at);
      RETURN entry;
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      RETURN NULL;
    END $$;
    """
}
