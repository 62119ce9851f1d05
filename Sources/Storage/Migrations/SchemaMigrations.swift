internal import Postgres

/// The numbered changes of the schema, oldest first. A released one is never edited: a change is a new number.
enum SchemaMigrations {
  static let all: [Migration] = [
    Migration(number: 1, name: "log", sql: log),
    Migration(number: 2, name: "reading_block", sql: ReadingBlockSQL.functions),
    Migration(number: 3, name: "reading_view", sql: ReadingViewSQL.view),
    Migration(number: 4, name: "access_token", sql: accessToken),
    Migration(number: 5, name: "account", sql: AccountSQL.schema),
    Migration(number: 6, name: "access", sql: AccessSQL.schema),
    Migration(number: 7, name: "notification", sql: NotificationSQL.schema),
    Migration(number: 8, name: "subscription", sql: SubscriptionSQL.schema),
    Migration(number: 9, name: "erasure", sql: ErasureSQL.schema),
    Migration(number: 10, name: "registration", sql: RegistrationSQL.schema),
    Migration(number: 11, name: "openid", sql: OpenIDSQL.schema),
    Migration(number: 12, name: "disclosure", sql: DisclosureSQL.schema),
    Migration(number: 13, name: "dispatcher", sql: DispatcherSQL.schema),
    Migration(number: 14, name: "sos", sql: SosSQL.schema),
    Migration(number: 15, name: "race", sql: RaceSQL.schema),
    Migration(number: 16, name: "roads", sql: RoadSQL.schema),
    Migration(number: 17, name: "live_race", sql: LiveRaceSQL.schema),
    Migration(number: 18, name: "watermark", sql: WatermarkSQL.schema),
    Migration(number: 19, name: "access_limit", sql: AccessLimitSQL.schema),
    Migration(number: 20, name: "gun", sql: SettlementSQL.functions),
    Migration(number: 21, name: "race_plan", sql: RacePlanSQL.schema),
    Migration(number: 22, name: "cursor_key", sql: CursorKeySQL.schema),
    Migration(number: 23, name: "token_change", sql: TokenChangeSQL.schema),
    Migration(number: 25, name: "disabled_race", sql: DisabledRaceSQL.schema),
    Migration(number: 26, name: "source_use", sql: SourceUseSQL.schema),
    Migration(number: 27, name: "sign_in", sql: SignInSQL.schema),
    Migration(number: 28, name: "claim", sql: ClaimSQL.schema),
    Migration(number: 30, name: "contact", sql: ContactSQL.schema),
    Migration(number: 32, name: "race_notice", sql: RaceNoticeSQL.schema),
    Migration(number: 33, name: "given_up_payment", sql: GivenUpPaymentSQL.schema),
    Migration(number: 34, name: "person_token", sql: PersonTokenSQL.schema),
    Migration(number: 35, name: "openid_nonce", sql: OpenIDNonceSQL.schema),
    Migration(number: 36, name: "log_in_lock", sql: LogInLockSQL.schema),
    Migration(number: 37, name: "access_end", sql: AccessEndSQL.schema),
    Migration(number: 38, name: "contact_limit", sql: ContactLimitSQL.schema),
    Migration(number: 39, name: "race_plan_limit", sql: RacePlanLimitSQL.schema),
    Migration(number: 40, name: "invitation_limit", sql: InvitationLimitSQL.schema),
    Migration(number: 41, name: "place_rules", sql: PlaceRulesSQL.schema),
    Migration(number: 42, name: "inbox_limit", sql: InboxLimitSQL.schema),
    Migration(number: 43, name: "sos_choice", sql: SosChoiceSQL.schema),
    Migration(number: 44, name: "common_source", sql: SourceUseSQL.common),
  ]

  private static let log = """
    -- The metric registry. A new row is taken up by running servers within two seconds.
    CREATE TABLE metric (
      id           integer PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
      name         text NOT NULL UNIQUE CHECK (name ~ '^[a-z][a-z0-9_]{0,62}$'),
      display_name text NOT NULL,
      kind         text NOT NULL CHECK (kind IN ('scalar', 'position', 'waveform')),
      unit         text NOT NULL,
      loinc_code   text NOT NULL DEFAULT '',
      minimum      double precision NOT NULL,
      maximum      double precision NOT NULL CHECK (maximum >= minimum)
    );
    COMMENT ON TABLE metric IS 'Every kind of reading: UCUM unit, LOINC code, range outside which a value is physically impossible';

    -- The ranges are of what is physically possible and can be measured, not of what is healthy: readings outside
    -- are faults of a device. Codes: loinc.org; units: ucum.org.
    INSERT INTO metric (id, name, display_name, kind, unit, loinc_code, minimum, maximum) VALUES
      (1,  'heart_rate',               'Heart rate',               'scalar',   '/min',    '8867-4',  0,    400),
      (2,  'systolic_blood_pressure',  'Systolic blood pressure',  'scalar',   'mm[Hg]',  '8480-6',  0,    400),
      (3,  'diastolic_blood_pressure', 'Diastolic blood pressure', 'scalar',   'mm[Hg]',  '8462-4',  0,    350),
      (4,  'blood_glucose',            'Blood glucose',            'scalar',   'mg/dL',   '2339-0',  0,    3000),
      (5,  'body_temperature',         'Body temperature',         'scalar',   'Cel',     '8310-5',  10,   50),
      (6,  'blood_oxygen',             'Blood oxygen saturation',  'scalar',   '%',       '59408-5', 0,    100),
      (7,  'respiratory_rate',         'Respiratory rate',         'scalar',   '/min',    '9279-1',  0,    200),
      (8,  'ecg',                      'Electrocardiogram',        'waveform', 'mV',      '11524-6', -100, 100),
      (9,  'steps',                    'Steps in the interval',    'scalar',   '{steps}', '55423-8', 0,    1000000),
      (10, 'weight',                   'Body weight',              'scalar',   'kg',      '29463-7', 0,    700),
      (11, 'position',                 'Position',                 'position', 'deg',     '',        -180, 180);

    CREATE TABLE reading_source (
      id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 64),
      registered_by bigint
    );
    CREATE INDEX reading_source_registered_by ON reading_source (registered_by) WHERE registered_by IS NOT NULL;
    COMMENT ON COLUMN reading_source.registered_by IS 'The person whose token brought the name; NULL: an operator''s';
    COMMENT ON TABLE reading_source IS 'Names of where readings come from; 0 in a reading means no name';

    -- One row a commit group: the tail that is not in chunks yet.
    CREATE TABLE reading_log (
      position      bigint PRIMARY KEY,
      commit_id     bigint NOT NULL,
      committed_at  timestamptz NOT NULL DEFAULT now(),
      reading_count integer NOT NULL,
      payload       bytea COMPRESSION lz4 NOT NULL
    );
    COMMENT ON COLUMN reading_log.position IS 'Order of visibility: 1, 2, 3 …; the cursor of every subscription';
    COMMENT ON COLUMN reading_log.commit_id IS 'Random number of the commit group, by which its writer finds it again after a lost connection';
    -- Payloads are compact already and short-lived: they are kept as they are, out of line where they are large.
    ALTER TABLE reading_log ALTER COLUMN payload SET STORAGE EXTERNAL;
    ALTER TABLE reading_log SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

    CREATE TABLE log_state (
      singleton          boolean PRIMARY KEY DEFAULT true CHECK (singleton),
      compacted_position bigint NOT NULL DEFAULT 0
    );
    COMMENT ON COLUMN log_state.compacted_position IS 'Readings up to this position are in reading_chunk, later ones in reading_log';
    INSERT INTO log_state DEFAULT VALUES;

    -- A client's last committed batch, written in the transaction that commits the batch.
    CREATE TABLE ingest_client (
      name          text PRIMARY KEY,
      last_sequence bigint NOT NULL,
      last_position bigint NOT NULL,
      updated_at    timestamptz NOT NULL DEFAULT now()
    );
    ALTER TABLE ingest_client SET (fillfactor = 50);

    CREATE TABLE reading_chunk (
      person         bigint NOT NULL,
      hour           integer NOT NULL,
      metric         integer NOT NULL,
      first_position bigint NOT NULL,
      last_position  bigint NOT NULL,
      reading_count  integer NOT NULL,
      payload        bytea COMPRESSION lz4 NOT NULL
    );
    COMMENT ON TABLE reading_chunk IS 'Readings of one person, metric and hour (hours since the Unix epoch), sorted by time, with the position of each';
    CREATE INDEX reading_chunk_person_metric_hour ON reading_chunk (person, metric, hour);
    CREATE INDEX reading_chunk_hour ON reading_chunk USING brin (hour, first_position, last_position)
      WITH (pages_per_range = 16);

    -- Hours in which several chunks of one person and metric may stand, to be merged when the hour is over and quiet.
    CREATE TABLE merge_queue (
      hour       integer PRIMARY KEY,
      touched_at timestamptz NOT NULL DEFAULT now()
    );
    """

  private static let accessToken = """
    -- Tokens of persons; only a hash is kept.
    CREATE TABLE access_token (
      token_sha256 bytea PRIMARY KEY CHECK (octet_length(token_sha256) = 32),
      person       bigint NOT NULL CHECK (person > 0),
      created_at   timestamptz NOT NULL DEFAULT now(),
      expires_at   timestamptz
    );
    """
}
