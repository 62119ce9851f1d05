internal import Domain

// What a form may be: the rules for administrators.

extension RegistrationForm {
  /// The most fields beside the fixed ones.
  public static let maxFields = 50

  /// Everything that is wrong with a form's definition.
  public static func violations(of fields: [FormField], for kind: Kind) -> [Violation] {
    guard fields.count <= maxFields else {
      return [Violation(path: "fields", problem: "must be at most \(maxFields)")]
    }
    var violations: [Violation] = []
    var names: Set<String> = []
    for (index, field) in fields.enumerated() {
      func refuse(_ part: String, _ problem: String) {
        violations.append(Violation(path: "fields[\(index)].\(part)", problem: problem))
      }
      if !isName(field.name) {
        refuse("name", "must be a lower-case letter, then letters, digits and underscores, at most 63")
      } else if fixedFields(of: kind).contains(field.name) {
        refuse("name", "is a fixed field of the form")
      } else if !names.insert(field.name).inserted {
        refuse("name", "is there twice")
      }
      if let problem = PlainText.problem(field.label, length: 1...200) { refuse("label", problem) }
      checkChoices(of: field, refuse)
      checkBounds(of: field, refuse)
    }
    return violations
  }

  private static func checkChoices(of field: FormField, _ refuse: (String, String) -> Void) {
    guard field.type == .choice else {
      if !field.choices.isEmpty { refuse("choices", "are for fields of type CHOICE") }
      return
    }
    guard 1...100 ~= field.choices.count else { return refuse("choices", "must be 1 to 100") }
    for (index, choice) in field.choices.enumerated() {
      if let problem = PlainText.problem(choice, length: 1...100) {
        refuse("choices[\(index)]", problem)
      } else if field.choices[..<index].contains(choice) {
        refuse("choices[\(index)]", "is there twice")
      }
    }
  }

  private static func checkBounds(of field: FormField, _ refuse: (String, String) -> Void) {
    switch field.type {
    case .number:
      if !field.minimum.isFinite { refuse("minimum", "must be a number") }
      if !field.maximum.isFinite {
        refuse("maximum", "must be a number")
      } else if field.maximum < field.minimum {
        refuse("maximum", "must not be less than minimum")
      }
    case .text:
      if field.minimum != 0 { refuse("minimum", "is for fields of type NUMBER") }
      if !(0...10_000 ~= field.maximum) || field.maximum != field.maximum.rounded() {
        refuse("maximum", "must be a whole number from 0 to 10,000")
      }
    case .boolean, .date, .choice:
      if field.minimum != 0 { refuse("minimum", "is for fields of type NUMBER") }
      if field.maximum != 0 { refuse("maximum", "is for fields of type NUMBER and TEXT") }
    }
  }

  /// Whether a text can be a field's name: ASCII only, so that it is the same in every language.
  private static func isName(_ text: String) -> Bool {
    guard 1...63 ~= text.utf8.count, let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= first
    else { return false }
    return text.unicodeScalars.allSatisfy { $0.isASCII && ($0 == "_" || $0.properties.isAlphabetic || isDigit($0)) }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9") ~= scalar }

  /// The fields of RegisterPersonRequest and RegisterThirdPartyRequest in identity.proto.
  private static func fixedFields(of kind: Kind) -> Set<String> {
    let common: Set<String> = ["request_id", "username", "email", "password", "fields"]
    switch kind {
    case .person:
      return common.union([
        "given_names", "family_name", "fiscal_code", "date_of_birth", "sex", "weight_kg", "height_cm",
        "automated_sos",
      ])
    case .thirdParty: return common.union(["name", "description", "code"])
    }
  }
}
