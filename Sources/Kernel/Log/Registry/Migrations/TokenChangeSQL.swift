/// Tells servers, which keep every token in memory, whose tokens have changed.
enum TokenChangeSQL {
  static let schema = """
    -- Accounts whose tokens may have changed, each with the transaction that changed them: a server reads what it did not
    -- see at its last look, and then the tokens of these accounts. Rows older than an hour go.
    CREATE TABLE token_change (
      account    bigint NOT NULL,
      changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
      changed_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX token_change_changed_in ON token_change (changed_in);
    CREATE INDEX token_change_changed_at ON token_change (changed_at);
    CREATE INDEX access_token_person ON access_token (person) WHERE person IS NOT NULL;
    CREATE INDEX account_bridge ON account (id) WHERE kind = 'bridge';

    CREATE FUNCTION note_token_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO token_change (account)
      SELECT DISTINCT coalesce(account, person) FROM changed WHERE kind <> 'refresh';
      RETURN NULL;
    END $$;
    CREATE TRIGGER access_token_added AFTER INSERT ON access_token
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_token_change();
    CREATE TRIGGER access_token_changed AFTER UPDATE ON access_token
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_token_change();
    CREATE TRIGGER access_token_ended AFTER DELETE ON access_token
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_token_change();

    -- Whether a token is valid depends on the account's state as well.
    CREATE FUNCTION note_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO token_change (account) SELECT NEW.id
      WHERE EXISTS (SELECT FROM access_token t WHERE t.account = NEW.id)
        OR EXISTS (SELECT FROM access_token t WHERE t.person = NEW.id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER account_added AFTER INSERT ON account FOR EACH ROW EXECUTE FUNCTION note_account_change();
    CREATE TRIGGER account_changed AFTER UPDATE OF state ON account FOR EACH ROW
      WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_account_change();
    """
}
