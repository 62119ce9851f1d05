/// Who a code is for, what administrators decide about codes and accounts, and accounts that are disabled.
enum CodeHolderSQL {
  static let schema = """
    -- Codes that were issued before name their holders too; what these are and what was checked, nobody has said. Third
    -- parties that have registered keep the names that they wrote.
    ALTER TABLE third_party_code
      ADD COLUMN kind smallint NOT NULL DEFAULT 0 CHECK (kind BETWEEN 0 AND 5),
      ADD COLUMN checked text NOT NULL DEFAULT '',
      ADD COLUMN version bigint NOT NULL DEFAULT 1,
      ADD COLUMN withdrawn_at timestamptz;
    CREATE UNIQUE INDEX third_party_code_used_by ON third_party_code (used_by);
    COMMENT ON COLUMN third_party_code.company IS 'The name of the holder, which the third party is given that registers with the code';
    COMMENT ON COLUMN third_party_code.kind IS
      '0 nobody has said, 1 company, 2 health care, 3 research institute, 4 public authority, 5 association';
    COMMENT ON COLUMN third_party_code.checked IS 'What was checked of the holder, and how; empty: nothing';
    COMMENT ON COLUMN third_party_code.version IS 'Counts changes: the etag';

    ALTER TABLE account DROP CONSTRAINT account_state_check,
      ADD CONSTRAINT account_state_check CHECK (state IN ('active', 'disabled', 'deactivated', 'erased')),
      ADD COLUMN disabled_at timestamptz,
      ADD COLUMN is_suspending boolean NOT NULL DEFAULT false;
    CREATE INDEX account_suspending ON account (id) WHERE is_suspending;
    COMMENT ON COLUMN account.state IS
      'Disabled by an administrator: nothing is done for it, and a person can log in to leave; deactivated by its owner';
    COMMENT ON COLUMN account.is_suspending IS 'It was disabled a moment ago: what ends with that is looked for';

    CREATE TABLE account_decision (
      id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind           smallint NOT NULL CHECK (kind BETWEEN 1 AND 4),
      decided_by     bigint NOT NULL REFERENCES account (id),
      decided_at     timestamptz NOT NULL,
      code           bigint REFERENCES third_party_code (id),
      account        bigint REFERENCES account (id),
      reason         text NOT NULL,
      name_before    text,
      kind_before    smallint,
      checked_before text,
      name_after     text,
      kind_after     smallint,
      checked_after  text
    );
    CREATE INDEX account_decision_account ON account_decision (account, id) WHERE account IS NOT NULL;
    COMMENT ON TABLE account_decision IS 'What administrators have decided about codes and accounts: rows are added, never changed';
    COMMENT ON COLUMN account_decision.kind IS '1 code changed, 2 code withdrawn, 3 account disabled, 4 account enabled';
    """
}
