/// What answers about groups are made of.
enum GroupCellSQL {
  static let schema = """
    CREATE TABLE group_cell (
      metric  integer NOT NULL,
      day     integer NOT NULL,
      part    integer NOT NULL,
      hour    smallint NOT NULL CHECK (hour BETWEEN 0 AND 24),
      payload bytea COMPRESSION lz4 NOT NULL,
      PRIMARY KEY (metric, part, day, hour)
    );
    COMMENT ON TABLE group_cell IS 'What 4,096 persons have of a kind on a day (UTC, since 1970), in columns: see DayCells';
    COMMENT ON COLUMN group_cell.hour IS '0: who and where; 1 to 24: what there is until the end of that hour';

    CREATE TABLE group_state (
      epoch    bigint NOT NULL,
      position bigint NOT NULL,
      made_at  timestamptz NOT NULL
    );
    COMMENT ON TABLE group_state IS 'One row: how often cells have been made, and up to which position of the log they hold everything';
    INSERT INTO group_state VALUES (1, 0, now());
    """
}
