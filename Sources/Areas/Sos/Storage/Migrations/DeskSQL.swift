/// People at the desks of dispatchers, and what they have answered.
enum DeskSQL {
  static let schema = """
    ALTER TABLE account DROP CONSTRAINT account_kind_check, ADD CONSTRAINT account_kind_check
      CHECK (kind IN ('person', 'third_party', 'bridge', 'administrator', 'dispatcher', 'desk_operator'));
    ALTER TABLE account ADD COLUMN password_is_initial boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN account.password_is_initial IS 'Somebody else has chosen the password: it is to be changed';

    CREATE TABLE desk_operator (
      account    bigint PRIMARY KEY REFERENCES account (id),
      dispatcher bigint NOT NULL REFERENCES dispatcher (account),
      created_by bigint NOT NULL REFERENCES account (id),
      request_id text,
      UNIQUE (created_by, request_id)
    );
    CREATE INDEX desk_operator_dispatcher ON desk_operator (dispatcher);
    COMMENT ON COLUMN desk_operator.dispatcher IS 'Whose calls are answered; never changes';

    -- What is said of it is in emergency.facts alone.
    CREATE TABLE desk_answer (
      at         bigint NOT NULL,
      emergency  uuid NOT NULL REFERENCES emergency (id) ON DELETE CASCADE,
      dispatcher bigint NOT NULL REFERENCES dispatcher (account),
      account    bigint NOT NULL REFERENCES desk_operator (account),
      kind       smallint NOT NULL CHECK (kind BETWEEN 1 AND 5),
      PRIMARY KEY (at, emergency)
    );
    CREATE INDEX desk_answer_account ON desk_answer (account, at);
    CREATE INDEX desk_answer_emergency ON desk_answer (emergency);
    COMMENT ON COLUMN desk_answer.at IS 'Of the transition, in microseconds since the Unix epoch';
    COMMENT ON COLUMN desk_answer.kind IS 'As trackme.sos.v1.AnswerKind';
    """
}
