/// Numbers of notifications, and how many an inbox holds by `NotificationStore.entriesMax`.
enum InboxLimitSQL {
  static let schema = """
    DROP FUNCTION number_notifications();

    -- As before; how many notifications an inbox holds is given.
    CREATE FUNCTION number_notifications(kept integer) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      head bigint;
      news bigint[];
      concerned bigint[];
    BEGIN
      IF NOT EXISTS (SELECT FROM notification WHERE number IS NULL) THEN
        SELECT last_number INTO head FROM notification_state;
        RETURN head;
      END IF;
      SELECT last_number INTO head FROM notification_state FOR UPDATE;
      SELECT array_agg(id ORDER BY id) INTO news
      FROM (SELECT id FROM notification WHERE number IS NULL ORDER BY id LIMIT 10000) n;
      IF news IS NULL THEN RETURN head; END IF;
      WITH numbered AS (
        UPDATE notification n SET number = head + place
        FROM unnest(news) WITH ORDINALITY AS u (id, place) WHERE n.id = u.id
        RETURNING n.account
      )
      SELECT array_agg(DISTINCT account) INTO concerned FROM numbered;
      head := head + cardinality(news);
      UPDATE notification_state SET last_number = head;
      -- An inbox holds the newest ones.
      DELETE FROM notification n USING unnest(concerned) AS c (account)
      WHERE n.account = c.account AND n.id <= (
        SELECT o.id FROM notification o WHERE o.account = c.account ORDER BY o.id DESC OFFSET kept LIMIT 1);
      RETURN head;
    END $$;
    """
}
