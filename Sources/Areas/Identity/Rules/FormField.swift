internal import Domain

/// The type of a form field's value; every value is written as text.
public enum FieldType: String, Sendable, CaseIterable {
  /// Any text without control characters other than line ends and tabs.
  case text
  /// A decimal number: "-12.5".
  case number
  /// "true" or "false".
  case boolean
  /// "2026-11-21".
  case date
  /// One of the field's choices.
  case choice
}

/// A field of a registration form that administrators decide on.
public struct FormField: Sendable, Equatable {
  /// A lower-case letter, then letters, digits and underscores; at most 63.
  public var name: String
  /// What people read: 1 to 200 characters.
  public var label: String
  public var type: FieldType
  /// Whether a registration without it is refused.
  public var isRequired: Bool
  /// Of a `choice`: 1 to 100 different ones of 1 to 100 characters.
  public var choices: [String]
  /// The least value of a `number`; there are no bounds where `minimum` and `maximum` are 0.
  public var minimum: Double
  /// The greatest value of a `number`, or the most characters of a `text`, 1,000 where it is 0.
  public var maximum: Double

  public init(
    name: String, label: String, type: FieldType, isRequired: Bool = false, choices: [String] = [],
    minimum: Double = 0, maximum: Double = 0
  ) {
    self.name = name
    self.label = label
    self.type = type
    self.isRequired = isRequired
    self.choices = choices
    self.minimum = minimum
    self.maximum = maximum
  }

  /// What is wrong with a value of this field, to be read after the value's path; nil if nothing is.
  func problem(of value: String) -> String? {
    switch type {
    case .text: textProblem(value)
    case .number: numberProblem(value)
    case .boolean: value == "true" || value == "false" ? nil : "must be \"true\" or \"false\""
    case .date: CalendarDate(iso8601: value) == nil ? "must be a date such as \"2026-11-21\"" : nil
    case .choice: choices.contains(value) ? nil : "must be one of the choices of \(name)"
    }
  }

  private func textProblem(_ value: String) -> String? {
    let most = maximum == 0 ? Self.defaultTextLength : Int(maximum)
    if value.unicodeScalars.count > most { return "must be at most \(most) characters" }
    return PlainText.hasControlCharacters(value, allowing: ["\n", "\r", "\t"])
      ? "must have no control characters" : nil
  }

  private func numberProblem(_ value: String) -> String? {
    guard let number = Self.decimal(value) else { return "must be a decimal number such as \"12.5\"" }
    if (minimum == 0 && maximum == 0) || minimum...maximum ~= number { return nil }
    return "must be from \(minimum) to \(maximum)"
  }

  /// A number in digits, with a sign and a fraction if need be, and nothing else that Swift would read as one.
  private static func decimal(_ text: String) -> Double? {
    guard 1...30 ~= text.utf8.count else { return nil }
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
    return parts.count <= 2 && areDigits ? Double(text) : nil
  }

  static let defaultTextLength = 1_000
}
