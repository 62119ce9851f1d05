/// Accounts that ended at their owner's word, and how far the erasure of each is.
enum ErasureSQL {
  static let schema = """
    CREATE TABLE erasure (
      account         bigint PRIMARY KEY REFERENCES account (id),
      receipt_sha256  bytea NOT NULL UNIQUE CHECK (octet_length(receipt_sha256) = 32),
      requested_at    timestamptz NOT NULL,
      due_at          timestamptz NOT NULL,
      erased_at       timestamptz,
      erased_readings bigint NOT NULL DEFAULT 0,
      recipients      text[] NOT NULL DEFAULT '{}'
    );
    CREATE INDEX erasure_pending ON erasure (requested_at) WHERE erased_at IS NULL;
    COMMENT ON COLUMN erasure.receipt_sha256 IS 'Of the receipt''s id, which only the owner has';
    COMMENT ON COLUMN erasure.recipients IS 'Names of the third parties that readings had been delivered to';
    """
}
