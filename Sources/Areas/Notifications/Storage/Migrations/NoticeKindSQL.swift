/// Whether a notice goes by mail stands with the notice: `Notice.isMailed`. A server writes it down when it starts.
enum NoticeKindSQL {
  static let schema = """
    CREATE TABLE notice_kind (
      kind      smallint PRIMARY KEY,
      is_mailed boolean NOT NULL
    );
    COMMENT ON TABLE notice_kind IS 'Kinds of notices, as the areas of the server that started last have them';
    INSERT INTO notice_kind
    SELECT kind, true FROM unnest('{1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
      26, 30, 31}'::smallint[]) AS kind;

    -- Puts an entry into an inbox, and a mail into the queue if the account has an address and the kind is one for mail,
    -- in the transaction of what it tells.
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
      FROM account a JOIN notice_kind k ON k.kind = add_notification.kind AND k.is_mailed
      WHERE a.id = add_notification.account AND a.email <> '' AND a.state = 'active';
    $$;
    """
}
