/// Answers about groups, and what they have cost.
enum GroupAnswerSQL {
  static let schema = """
    CREATE TABLE group_answer (
      question_sha256 bytea NOT NULL CHECK (octet_length(question_sha256) = 32),
      epoch           bigint NOT NULL,
      answer          bytea NOT NULL,
      cost            bigint NOT NULL,
      gathered_at     timestamptz NOT NULL,
      PRIMARY KEY (question_sha256, epoch)
    );
    CREATE INDEX group_answer_epoch ON group_answer (epoch);
    COMMENT ON TABLE group_answer IS 'What has been answered in an epoch: the same question is answered the same';
    COMMENT ON COLUMN group_answer.answer IS 'A GroupAnswer: noise is in it already';
    COMMENT ON COLUMN group_answer.cost IS 'ρ in billionths';

    CREATE TABLE group_charge (
      third_party     bigint NOT NULL REFERENCES account (id),
      question_sha256 bytea NOT NULL,
      epoch           bigint NOT NULL,
      cost            bigint NOT NULL,
      charged_at      timestamptz NOT NULL,
      PRIMARY KEY (third_party, question_sha256, epoch)
    );
    CREATE INDEX group_charge_epoch ON group_charge (epoch);
    COMMENT ON TABLE group_charge IS 'Who has paid for an answer gets it again for nothing';

    CREATE TABLE group_budget (
      third_party bigint NOT NULL,
      year        smallint NOT NULL,
      spent       bigint NOT NULL CHECK (spent >= 0),
      PRIMARY KEY (third_party, year)
    );
    COMMENT ON TABLE group_budget IS 'ρ in billionths that answers have cost in a year (UTC), what is being answered included; third party 0 is all together';
    """
}
