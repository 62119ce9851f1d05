/// What running races note: the exertion of their runners, and which emergencies organisers were told of.
enum LiveRaceSQL {
  static let schema = """
    ALTER TABLE sos_exertion ADD COLUMN race bigint REFERENCES race (id);
    CREATE UNIQUE INDEX sos_exertion_race ON sos_exertion (race, person) WHERE race IS NOT NULL AND ended_at IS NULL;
    COMMENT ON COLUMN sos_exertion.race IS 'The race that declared it; NULL: the person did';

    CREATE TABLE race_emergency (
      race      bigint NOT NULL REFERENCES race (id),
      person    bigint NOT NULL,
      emergency uuid NOT NULL,
      is_over   boolean NOT NULL,
      told_at   timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (race, emergency, is_over)
    );
    CREATE INDEX race_emergency_person ON race_emergency (person);
    COMMENT ON TABLE race_emergency IS 'Organisers are told once that a runner needs help, and once that it is over';
    """
}
