/// What an import does in the database.
enum RoadImportSQL {
  /// The schema where osm2pgrouting puts its tables, and where the new ways wait for the swap.
  static let staging = "roads_staging"

  static let prepare = """
    CREATE EXTENSION IF NOT EXISTS pgrouting;
    DROP SCHEMA IF EXISTS \(staging) CASCADE;
    CREATE SCHEMA \(staging);
    -- For the tags; it goes with the schema unless it was there before.
    CREATE EXTENSION IF NOT EXISTS hstore SCHEMA \(staging);
    """

  static let tidy = "DROP SCHEMA IF EXISTS \(staging) CASCADE"

  /// Ways on which people may run, whichever direction cars take, with how much they like them.
  static let ways = """
    SET search_path = \(staging), public;
    CREATE TABLE way (LIKE roads.way INCLUDING ALL);
    CREATE TABLE passable AS
      SELECT w.gid AS id, w.osm_id % \(RoadFile.pieceStride) AS osm_id, w.source, w.target, o.tag_value AS kind, ST_Length(w.the_geom::geography) AS length_m,
        ST_Length(w.the_geom::geography) * k.weight AS cost, w.the_geom AS line
      FROM ways w JOIN osm_ways o USING (osm_id) JOIN (VALUES \(RoadKinds.rows)) AS k (kind, weight) ON k.kind = o.tag_value
      WHERE coalesce(o.tags -> 'foot', '') NOT IN ('no', 'private')
        AND (coalesce(o.tags -> 'access', '') NOT IN ('no', 'private')
          OR coalesce(o.tags -> 'foot', '') IN ('yes', 'designated', 'permissive', 'public', 'official'))
        AND coalesce(o.tags -> 'motorroad', '') <> 'yes' AND coalesce(o.tags -> 'indoor', 'no') = 'no'
        AND ST_Length(w.the_geom::geography) > 0.01;
    INSERT INTO way (id, osm_id, source, target, component, kind, length_m, cost, line)
      SELECT p.id, p.osm_id, p.source, p.target, c.component, p.kind, p.length_m, p.cost, p.line
      FROM passable p JOIN pgr_connectedComponents('SELECT id, source, target, cost FROM \(staging).passable') AS c
        ON c.node = p.source;
    ANALYZE way;
    RESET search_path;
    """

  /// Waits for plans that are being made on the old ways: seconds at most.
  static let swap = """
    DROP TABLE roads.way;
    ALTER TABLE \(staging).way SET SCHEMA roads;
    """

  static let record = """
    INSERT INTO roads.import (file_name, way_count, crossing_count, length_m, west, south, east, north, attribution)
    SELECT $1, count(*), (SELECT count(*) FROM (SELECT source FROM roads.way UNION SELECT target FROM roads.way) AS c),
      sum(length_m), ST_XMin(ST_Extent(line)), ST_YMin(ST_Extent(line)), ST_XMax(ST_Extent(line)),
      ST_YMax(ST_Extent(line)), $2
    FROM roads.way
    RETURNING way_count, crossing_count, length_m, west, south, east, north
    """
}
