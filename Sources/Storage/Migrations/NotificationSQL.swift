/// The inbox of each account, and the queue of e-mails.
enum NotificationSQL {
  static let schema = """
    CREATE TABLE notification (
      id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account        bigint NOT NULL REFERENCES account (id),
      kind           smallint NOT NULL,
      access_request bigint,
      device         bigint,
      facts          jsonb NOT NULL DEFAULT '{}',
      created_at     timestamptz NOT NULL DEFAULT now(),
      read_at        timestamptz
    );
    CREATE INDEX notification_account ON notification (account, id);
    COMMENT ON COLUMN notification.kind IS 'As trackme.notifications.v1.NotificationKind';
    COMMENT ON COLUMN notification.facts IS 'What the template needs beside the numbers: never a reading or an identity';

    -- Puts an entry into an inbox, in the transaction of what it tells.
    CREATE FUNCTION add_notification(
      account bigint, kind smallint, access_request bigint DEFAULT NULL, device bigint DEFAULT NULL,
      facts jsonb DEFAULT '{}'
    ) RETURNS void LANGUAGE sql AS $$
      INSERT INTO notification (account, kind, access_request, device, facts)
      VALUES (add_notification.account, add_notification.kind, add_notification.access_request,
        add_notification.device, add_notification.facts)
    $$;
    """
}
