/// The log, chunks, metrics and sources of readings.
enum LogSQL {
  static let schema = """
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
}
