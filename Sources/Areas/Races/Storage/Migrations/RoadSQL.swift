/// Streets and paths on which routes are planned: what the last import of a map left.
enum RoadSQL {
  static let schema = """
    CREATE SCHEMA roads;

    -- A piece of a street or path between two crossings. An import makes a table like this one and puts it in its place.
    CREATE TABLE roads.way (
      id        bigint PRIMARY KEY,
      osm_id    bigint NOT NULL,
      source    bigint NOT NULL,
      target    bigint NOT NULL,
      component bigint NOT NULL,
      kind      text NOT NULL,
      length_m  double precision NOT NULL CHECK (length_m > 0),
      cost      double precision NOT NULL CHECK (cost > 0),
      line      geometry(LineString, 4326) NOT NULL
    );
    CREATE INDEX way_line ON roads.way USING gist (line);
    COMMENT ON COLUMN roads.way.source IS 'The crossing where the line begins; target is the one where it ends';
    COMMENT ON COLUMN roads.way.component IS 'Ways of one number are connected with each other, and with no others';
    COMMENT ON COLUMN roads.way.kind IS 'The value of OpenStreetMap''s tag highway';
    COMMENT ON COLUMN roads.way.cost IS 'Its length in metres, multiplied by how little runners like it';

    CREATE TABLE roads.import (
      id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      imported_at    timestamptz NOT NULL DEFAULT now(),
      file_name      text NOT NULL,
      way_count      bigint NOT NULL,
      crossing_count bigint NOT NULL,
      length_m       double precision NOT NULL,
      west           double precision NOT NULL,
      south          double precision NOT NULL,
      east           double precision NOT NULL,
      north          double precision NOT NULL,
      attribution    text NOT NULL
    );
    COMMENT ON TABLE roads.import IS 'Every import; the ways are those of the last one';
    COMMENT ON COLUMN roads.import.west IS 'With south, east and north: the box around all ways, in degrees';
    COMMENT ON COLUMN roads.import.attribution IS 'What must be shown with routes';
    """
}
