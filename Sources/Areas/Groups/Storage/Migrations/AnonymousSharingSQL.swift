/// What persons share anonymously.
enum AnonymousSharingSQL {
  static let schema = """
    CREATE TABLE anonymous_sharing (
      person  bigint PRIMARY KEY REFERENCES account (id),
      version bigint NOT NULL
    );
    COMMENT ON TABLE anonymous_sharing IS 'Persons who have ever chosen';
    COMMENT ON COLUMN anonymous_sharing.version IS 'Counts changes: the etag';

    CREATE TABLE anonymous_metric (
      person         bigint NOT NULL REFERENCES anonymous_sharing (person),
      metric         integer NOT NULL REFERENCES metric (id),
      counts_from_us bigint NOT NULL,
      PRIMARY KEY (person, metric)
    );
    COMMENT ON TABLE anonymous_metric IS 'The kinds of readings that may enter anonymous answers';
    COMMENT ON COLUMN anonymous_metric.counts_from_us IS 'Readings taken before it are in no answer';

    CREATE TABLE anonymous_sharing_change (
      position   bigint PRIMARY KEY,
      person     bigint NOT NULL REFERENCES anonymous_sharing (person),
      metrics    integer[] NOT NULL,
      changed_at timestamptz NOT NULL
    );
    CREATE INDEX anonymous_sharing_change_person ON anonymous_sharing_change (person, changed_at);
    COMMENT ON TABLE anonymous_sharing_change IS 'Entries of the log: what a person shares from there on';

    CREATE TABLE group_stale (
      id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      person bigint NOT NULL
    );
    COMMENT ON TABLE group_stale IS 'Persons who have withdrawn something: they are in no answer until their cells are made anew';

    -- Replaces what a person shares, if that has the version; kinds that are shared already stay as they are. Whoever has
    -- made so many changes since a time may withdraw, and nothing else.
    CREATE FUNCTION change_anonymous_sharing(
      commit_id bigint, entry_row integer, who bigint, known_version bigint, wanted integer[], counts_from bigint,
      at timestamptz, changes_since timestamptz, changes_max integer
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      entry bigint;
    BEGIN
      PERFORM FROM account a WHERE a.id = who AND a.kind = 'person' AND a.state = 'active';
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
