/// Where persons were is a column of its own: most questions do not ask.
enum GroupPlaceSQL {
  static let schema = """
    ALTER TABLE group_cell DROP CONSTRAINT group_cell_hour_check;
    ALTER TABLE group_cell ADD CHECK (hour BETWEEN 0 AND 25);
    COMMENT ON COLUMN group_cell.hour IS '0: who; 1 to 24: what there is until the end of that hour; 25: where';
    INSERT INTO group_cell (metric, day, part, hour, payload)
    SELECT metric, day, part, 25, substring(payload FROM octet_length(payload) / 3 + 1) FROM group_cell WHERE hour = 0;
    UPDATE group_cell SET payload = substring(payload FOR octet_length(payload) / 3) WHERE hour = 0;
    """
}
