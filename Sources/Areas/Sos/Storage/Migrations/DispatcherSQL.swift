internal import SosRules

/// Systems of emergency services, and whether calls to them are meant.
enum DispatcherSQL {
  static let schema = """
    ALTER TABLE account DROP CONSTRAINT account_kind_check, ADD CONSTRAINT account_kind_check
      CHECK (kind IN ('person', 'third_party', 'bridge', 'administrator', 'dispatcher'));
    ALTER TABLE access_token DROP CONSTRAINT access_token_kind_check, ADD CONSTRAINT access_token_kind_check
      CHECK (kind IN ('person', 'session', 'refresh', 'device', 'bridge', 'dispatcher'));

    CREATE TABLE dispatcher (
      account    bigint PRIMARY KEY REFERENCES account (id),
      created_by bigint NOT NULL REFERENCES account (id),
      request_id text,
      priority   integer NOT NULL CHECK (priority BETWEEN 0 AND 1000),
      UNIQUE (created_by, request_id)
    );
    COMMENT ON COLUMN dispatcher.priority IS 'Calls go to the connected dispatcher with the least number first';

    -- Every change is kept; the newest holds. No row: exercise.
    CREATE TABLE dispatch_status (
      id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      status     smallint NOT NULL CHECK (status IN (1, 2)),
      reason     text NOT NULL,
      changed_by bigint NOT NULL REFERENCES account (id),
      changed_at timestamptz NOT NULL DEFAULT now()
    );
    COMMENT ON COLUMN dispatch_status.status IS 'As trackme.sos.v1.DispatchStatus: 1 exercise, 2 actual';
    """
}
