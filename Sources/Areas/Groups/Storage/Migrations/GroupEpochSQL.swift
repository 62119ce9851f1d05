/// Epochs begin by the clock, and are named by when they do.
enum GroupEpochSQL {
  static let schema = """
    DELETE FROM group_answer;
    DELETE FROM group_charge;
    ALTER TABLE group_answer ALTER COLUMN snapshot SET NOT NULL;
    COMMENT ON COLUMN group_answer.epoch IS 'When it began: microseconds since 1970';
    ALTER TABLE group_state DROP COLUMN epoch;
    COMMENT ON TABLE group_state IS
      'One row: for when cells were made last, and up to which position of the log they hold everything';
    """
}
