/// Sign-ins at an OpenID Connect issuer.
enum OpenIDSQL {
  static let schema = """
    CREATE TABLE openid_link (
      issuer    text NOT NULL,
      subject   text NOT NULL CHECK (octet_length(subject) BETWEEN 1 AND 255),
      account   bigint NOT NULL REFERENCES account (id),
      linked_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (issuer, subject),
      UNIQUE (account, issuer)
    );
    COMMENT ON TABLE openid_link IS 'Who an account is at an issuer: whoever signs in there as the subject is the account here';

    -- Random texts that tokens must carry; each is taken out when it is used.
    CREATE TABLE openid_nonce (
      id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      nonce_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(nonce_sha256) = 32),
      expires_at   timestamptz NOT NULL
    );
    CREATE INDEX openid_nonce_expires ON openid_nonce (expires_at);
    """
}
