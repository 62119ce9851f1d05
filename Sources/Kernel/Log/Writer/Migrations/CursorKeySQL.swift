/// What cursors and page tokens are signed with.
enum CursorKeySQL {
  static let schema = """
    CREATE TABLE cursor_key (
      singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
      key       bytea NOT NULL CHECK (octet_length(key) = 32)
    );
    COMMENT ON TABLE cursor_key IS 'Signs cursors and page tokens, so that servers of this database read only what one of them has made; never changed, for clients keep cursors';
    -- A random UUID has 122 bits of the system's generator: three are more than the 256 of a key.
    INSERT INTO cursor_key (key) VALUES (
      sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
    """
}
