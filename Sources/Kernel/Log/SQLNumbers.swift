extension RawRepresentable where RawValue: FixedWidthInteger {
  /// The number, to stand in a statement: a state has its number in its enum alone.
  package var sql: String { "\(rawValue)" }
}
