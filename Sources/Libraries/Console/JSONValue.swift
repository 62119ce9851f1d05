/// JSON that is printed. Members stay in the order in which they are given; numbers are rounded, so that a report holds
/// no digits that mean nothing.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(KeyValuePairs<String, JSONValue>)

  /// A number with four significant digits, or whole where it is 1,000 or more.
  public static func measured(_ value: Double) -> JSONValue {
    guard value.isFinite else { return .null }
    var scale = 1.0
    while abs(value) * scale < 1_000, scale < 1e6 { scale *= 10 }
    return .number((value * scale).rounded() / scale)
  }

  public static func count(_ value: Int) -> JSONValue { .number(Double(value)) }

  /// On one line.
  public var text: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let value):
      return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    case .string(let value): return Self.quoted(value)
    case .array(let values): return "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      return "{" + members.map { Self.quoted($0.key) + ": " + $0.value.text }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
