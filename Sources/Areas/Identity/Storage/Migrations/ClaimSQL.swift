/// Several accounts that name one e-mail address or one fiscal code: whoever registers is not told what others have.
enum ClaimSQL {
  static let schema = """
    ALTER TABLE account ADD COLUMN claimed_email text;
    COMMENT ON COLUMN account.claimed_email IS 'The address that it named while another account had it; email is NULL then. No mail goes there, and nobody logs in with it';

    ALTER TABLE person ADD COLUMN holds_fiscal_code boolean NOT NULL DEFAULT true;
    COMMENT ON COLUMN person.holds_fiscal_code IS 'False if another person had registered with it: then nobody is found by it here';
    ALTER TABLE person DROP CONSTRAINT person_fiscal_code_key;
    CREATE UNIQUE INDEX person_fiscal_code_key ON person (fiscal_code) WHERE holds_fiscal_code;
    """
}
