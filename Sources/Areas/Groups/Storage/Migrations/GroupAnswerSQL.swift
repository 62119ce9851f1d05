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

    -- Takes a cost out of the budgets of a third party and of all together, or of neither.
    CREATE FUNCTION reserve_group_budget(who bigint, of_year smallint, cost bigint, most bigint, most_of_all bigint)
    RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO group_budget (third_party, year, spent) VALUES (0, of_year, 0), (who, of_year, 0) ON CONFLICT DO NOTHING;
      -- In one order, so that two never wait for each other.
      PERFORM FROM group_budget b WHERE b.third_party IN (0, who) AND b.year = of_year ORDER BY b.third_party FOR UPDATE;
      IF EXISTS (
        SELECT FROM group_budget b WHERE b.third_party IN (0, who) AND b.year = of_year
          AND b.spent + cost > CASE b.third_party WHEN 0 THEN most_of_all ELSE most END)
      THEN RETURN false; END IF;
      UPDATE group_budget b SET spent = b.spent + cost WHERE b.third_party IN (0, who) AND b.year = of_year;
      RETURN true;
    END $$;
    """
}
