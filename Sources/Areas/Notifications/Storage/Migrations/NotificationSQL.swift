/// The inbox of each account, and the queue of e-mails.
enum NotificationSQL {
  static let schema = inbox + mail

  private static let inbox = """
    CREATE TABLE notification (
      id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      number         bigint,
      account        bigint NOT NULL REFERENCES account (id),
      kind           smallint NOT NULL,
      access_request bigint,
      device         bigint,
      facts          jsonb NOT NULL DEFAULT '{}',
      created_at     timestamptz NOT NULL DEFAULT now(),
      read_at        timestamptz
    );
    CREATE INDEX notification_account ON notification (account, id);
    CREATE INDEX notification_account_number ON notification (account, number);
    CREATE INDEX notification_number ON notification (number);
    CREATE INDEX notification_new ON notification (id) WHERE number IS NULL;
    COMMENT ON COLUMN notification.kind IS 'As trackme.notifications.v1.NotificationKind';
    COMMENT ON COLUMN notification.facts IS 'What the template needs beside the numbers: never a reading or an identity';
    COMMENT ON COLUMN notification.number IS 'Order of visibility, the cursor of streams: given after the commit, one giver at a time';

    CREATE TABLE notification_state (
      singleton   boolean PRIMARY KEY DEFAULT true CHECK (singleton),
      last_number bigint NOT NULL DEFAULT 0
    );
    INSERT INTO notification_state DEFAULT VALUES;

    -- Gives numbers to the notifications that have been committed since the last time. Ids are given before the commit,
    -- so they become visible in any order; numbers are given under a lock that is held until they are visible. No cause
    -- waits for it: a lock an account in the causes' transactions would let two of them wait for each other.
    CREATE FUNCTION number_notifications() RETURNS bigint LANGUAGE plpgsql AS $$
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
      -- An inbox holds the newest thousand.
      DELETE FROM notification n USING unnest(concerned) AS c (account)
      WHERE n.account = c.account AND n.id <= (
        SELECT o.id FROM notification o WHERE o.account = c.account ORDER BY o.id DESC OFFSET 1000 LIMIT 1);
      RETURN head;
    END $$;
    """

  private static let mail = """
    CREATE TABLE email_queue (
      id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      message_id      uuid NOT NULL DEFAULT gen_random_uuid(),
      account         bigint NOT NULL REFERENCES account (id),
      address         text,
      kind            smallint NOT NULL,
      access_request  bigint,
      device          bigint,
      facts           jsonb NOT NULL,
      state           text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'sending', 'sent', 'uncertain', 'failed')),
      attempts        integer NOT NULL DEFAULT 0,
      created_at      timestamptz NOT NULL DEFAULT now(),
      changed_at      timestamptz NOT NULL DEFAULT now(),
      next_attempt_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX email_queue_due ON email_queue (next_attempt_at, id) WHERE state = 'queued';
    CREATE INDEX email_queue_sending ON email_queue (changed_at) WHERE state = 'sending';
    CREATE INDEX email_queue_ended ON email_queue (changed_at) WHERE state IN ('sent', 'uncertain', 'failed');
    CREATE INDEX email_queue_account ON email_queue (account);
    COMMENT ON COLUMN email_queue.state IS 'sending: an attempt may be under way; uncertain: one began and its outcome is not known, so there is no other';
    COMMENT ON COLUMN email_queue.address IS 'As it was when the cause happened; forgotten a week after the end';

    -- Puts an entry into an inbox, and a mail into the queue if the account has an address and the kind is one for mail,
    -- in the transaction of what it tells.
    CREATE FUNCTION add_notification(
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
        AND add_notification.kind IN (1, 2, 3, 4, 5, 6, 7, 9, 10);
    $$;

    -- Forgets everything that was told to an account, and what would still be.
    CREATE FUNCTION forget_notifications(account bigint) RETURNS void LANGUAGE sql AS $$
      DELETE FROM email_queue e WHERE e.account = forget_notifications.account;
      DELETE FROM notification n WHERE n.account = forget_notifications.account;
    $$;
    """
}
