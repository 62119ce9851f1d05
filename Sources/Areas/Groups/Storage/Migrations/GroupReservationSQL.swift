/// What is charged before anything is read.
enum GroupReservationSQL {
  static let schema = """
    CREATE TABLE group_reservation (
      third_party     bigint NOT NULL REFERENCES account (id),
      question_sha256 bytea NOT NULL CHECK (octet_length(question_sha256) = 32),
      year            smallint NOT NULL,
      cost            bigint NOT NULL,
      PRIMARY KEY (third_party, question_sha256)
    );
    COMMENT ON TABLE group_reservation IS
      'Questions that have been charged and not been answered yet: asked again, they are not charged again';
    COMMENT ON COLUMN group_reservation.year IS 'Out of which budget';
    COMMENT ON COLUMN group_reservation.cost IS 'ρ in billionths: the most that the answer can cost';
    """
}
