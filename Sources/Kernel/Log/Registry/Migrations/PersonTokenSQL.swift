/// Tokens that an operator makes for persons: each has a number by which it can be ended, and an end.
enum PersonTokenSQL {
  static let schema = """
    ALTER TABLE access_token
      ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY,
      ADD COLUMN label text NOT NULL DEFAULT '';
    CREATE UNIQUE INDEX access_token_id ON access_token (id);
    COMMENT ON COLUMN access_token.id IS 'By which an operator names a token: nothing of the token itself';
    COMMENT ON COLUMN access_token.label IS 'What an operator made it for';
    -- Those made until now were without end.
    UPDATE access_token SET expires_at = now() + interval '90 days' WHERE kind = 'person' AND expires_at IS NULL;
    ALTER TABLE access_token ADD CHECK (kind <> 'person' OR expires_at IS NOT NULL);
    """
}
