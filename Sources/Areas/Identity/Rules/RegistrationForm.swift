/// The fields that a registration has beside the fixed ones, as administrators have decided (A-admin).
public struct RegistrationForm: Sendable, Equatable {
  /// Whose registration it is.
  public enum Kind: String, Sendable, CaseIterable {
    case person
    case thirdParty = "third_party"
  }

  /// What somebody wrote in a field.
  public struct Value: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What is wrong with a form or with what somebody wrote in it.
  public struct Violation: Sendable, Equatable {
    /// Where, such as "fields[2].value".
    public var path: String
    /// What, to be read after the path, such as "must be a date".
    public var problem: String

    public init(path: String, problem: String) {
      self.path = path
      self.problem = problem
    }
  }

  /// In the order in which people see them.
  public let fields: [FormField]

  /// A form whose definition is known to be right.
  public init(fields: [FormField]) { self.fields = fields }

  /// Everything that is wrong with what a registration says in this form. An empty value is no value.
  /// - Returns: the values by name, which count only if there is no violation.
  public func check(_ values: [Value]) -> (accepted: [String: String], violations: [Violation]) {
    var (accepted, violations) = checkEach(values)
    guard values.count <= Self.maxFields else { return (accepted, violations) }
    let named = Set(values.map(\.name))
    for field in fields where field.isRequired {
      if let index = values.firstIndex(where: { $0.name == field.name }), values[index].value.isEmpty {
        violations.append(Violation(path: "fields[\(index)].value", problem: "is required"))
      } else if !named.contains(field.name) {
        violations.append(Violation(path: "fields", problem: "must have the required field \(field.name)"))
      }
    }
    accepted = accepted.filter { !$0.value.isEmpty }
    return (accepted, violations)
  }

  /// Everything that is wrong with a change of what was said before. An empty value removes one that is not required.
  /// - Parameter old: values by name. Those of fields that the form has no longer stay as they are, and a required
  ///   field that was not in the form then may stay away.
  /// - Returns: all values after the change, which count only if there is no violation.
  public func check(
    changes: [Value], of old: [String: String]
  ) -> (accepted: [String: String], violations: [Violation]) {
    var (accepted, violations) = checkEach(changes)
    for (index, change) in changes.enumerated() where change.value.isEmpty {
      guard let field = fields.first(where: { $0.name == change.name }), field.isRequired else { continue }
      violations.append(Violation(path: "fields[\(index)].value", problem: "is required"))
    }
    accepted = old.merging(accepted) { $1 }.filter { !$0.value.isEmpty }
    return (accepted, violations)
  }

  /// What is wrong with each value on its own, and names that are unknown or there twice.
  private func checkEach(_ values: [Value]) -> (accepted: [String: String], violations: [Violation]) {
    var accepted: [String: String] = [:]
    var violations: [Violation] = []
    guard values.count <= Self.maxFields else {
      return ([:], [Violation(path: "fields", problem: "must be at most \(Self.maxFields)")])
    }
    for (index, value) in values.enumerated() {
      guard let field = fields.first(where: { $0.name == value.name }) else {
        violations.append(Violation(path: "fields[\(index)].name", problem: "is no field of the form"))
        continue
      }
      if accepted[value.name] != nil {
        violations.append(Violation(path: "fields[\(index)].name", problem: "is there twice"))
      } else if let problem = value.value.isEmpty ? nil : field.problem(of: value.value) {
        violations.append(Violation(path: "fields[\(index)].value", problem: problem))
      }
      accepted[value.name] = value.value
    }
    return (accepted, violations)
  }
}
