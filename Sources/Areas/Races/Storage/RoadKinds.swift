/// The streets and paths on which people run, by OpenStreetMap's tag `highway`, and how much they like each: a metre of it
/// counts like so many metres of a path. What is not here, motorways and trunk roads first, is on no route.
enum RoadKinds {
  static let weights: [(kind: String, weight: Double)] = [
    ("path", 1.0), ("footway", 1.0), ("pedestrian", 1.0), ("track", 1.0), ("bridleway", 1.1), ("cycleway", 1.1),
    ("living_street", 1.1), ("residential", 1.2), ("service", 1.3), ("unclassified", 1.3), ("road", 1.4),
    ("tertiary", 1.5), ("tertiary_link", 1.5), ("secondary", 1.9), ("secondary_link", 1.9), ("primary", 2.4),
    ("primary_link", 2.4), ("steps", 3.0),
  ]

  /// The expression by which osmium finds them.
  static var filter: String { "w/highway=" + weights.map(\.kind).joined(separator: ",") }

  /// What osm2pgrouting reads to know them.
  static var configuration: String {
    let values = weights.enumerated().map { "    <tag_value name=\"\($1.kind)\" id=\"\(101 + $0)\"/>\n" }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration>
        <tag_name name="highway" id="1">
      \(values)  </tag_name>
      </configuration>

      """
  }

  /// Rows for SQL: kind and weight.
  static var rows: String { weights.map { "('\($0.kind)', \($0.weight))" }.joined(separator: ", ") }

  /// How maps show them: the layer, from what is drawn below to what is drawn above, and from which zoom on.
  private static func drawing(_ kind: String) -> (layer: Int, zoom: Int) {
    switch kind {
    case "primary", "secondary": (3, 9)
    case "primary_link", "secondary_link": (3, 12)
    case "tertiary": (2, 11)
    case "path", "footway", "track", "bridleway", "cycleway", "steps": (1, 14)
    default: (2, 13)
    }
  }

  /// From this zoom on maps show streets.
  static let leastZoom = 9

  /// Rows for SQL: kind, layer and zoom.
  static var drawnRows: String {
    weights.map { "('\($0.kind)', \(drawing($0.kind).layer), \(drawing($0.kind).zoom))" }.joined(separator: ", ")
  }
}
