/// News of sign-ins that are linked with accounts.
enum SignInSQL {
  static let schema = """
    -- As before, with changes of sign-ins among the kinds for mail.
    CREATE OR REPLACE FUNCTION add_notification(
      account bigint, kind smallint, access_request bigint DEFAULT NULL, device bigint DEFAULT NULL,
      facts jsonb DEFAULT '{}'
    ) RETURNS void LANGUAGE sql AS $$
      INSERT INTO notification (account, kind, access_request, device, facts)
      VALUES (add_notification.account, add_notification.kind, add_notification.access_request,
        add_notification.device, add_notification.facts);
      INSERT INTO email_queue (account, address, kind, access_request, device, facts)
      SELECT a.id, a.email, add_notification.kind, add_notification.access_request, add_notification.device,
        add_notification.facts
      FROM account a
      WHERE a.id = add_notification.account AND a.email <> '' AND a.state = 'active'
        AND (add_notification.kind IN (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 30)
          OR add_notification.kind BETWEEN 14 AND 26);
    $$;
    """
}
