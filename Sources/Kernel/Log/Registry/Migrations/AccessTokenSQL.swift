enum AccessTokenSQL {
  static let schema = """
    -- Tokens of persons; only a hash is kept.
    CREATE TABLE access_token (
      token_sha256 bytea PRIMARY KEY CHECK (octet_length(token_sha256) = 32),
      person       bigint NOT NULL CHECK (person > 0),
      created_at   timestamptz NOT NULL DEFAULT now(),
      expires_at   timestamptz
    );
    """
}
