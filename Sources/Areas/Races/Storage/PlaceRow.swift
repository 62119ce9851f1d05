internal import Postgres
internal import RacesRules

/// `PlaceRules` as the functions in `PlaceRulesSQL` take them.
enum PlaceRow {
  /// The row, of parameters from a number on.
  static func sql(from first: Int) -> String {
    """
    ROW($\(first) * interval '1 microsecond', $\(first + 1) * interval '1 microsecond', $\(first + 2), $\(first + 3), \
    $\(first + 4))::place_rules
    """
  }

  static var parameters: [Parameter] {
    [.int8(PlaceRules.hold), .int8(PlaceRules.listHold)]
      + [PlaceRules.enrolling, PlaceRules.leaving, PlaceRules.certain].map { .int2Array($0.map(\.rawValue)) }
  }
}
