/// Nonces of sign-ins, since they carry their own proof that a server has made them.
enum OpenIDNonceSQL {
  static let schema = """
    -- A nonce that waits is nowhere but with its client: only those that were used are kept, while their time lasts.
    DROP TABLE openid_nonce;
    CREATE TABLE openid_used_nonce (
      nonce_sha256 bytea PRIMARY KEY CHECK (octet_length(nonce_sha256) = 32),
      expires_at   timestamptz NOT NULL
    );
    CREATE INDEX openid_used_nonce_expires ON openid_used_nonce (expires_at);
    """
}
