/// Who registers a person decides whether AutomatedSOS is on, by `SosSettings.isOnFromRegistration`.
enum SosChoiceSQL {
  static let schema = """
    -- As before; it is off until then.
    CREATE OR REPLACE FUNCTION make_sos_settings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO sos_settings (person, enabled) VALUES (NEW.account, false);
      RETURN NULL;
    END $$;

    DROP FUNCTION sos_is_on_from_registration(date, date);
    """
}
