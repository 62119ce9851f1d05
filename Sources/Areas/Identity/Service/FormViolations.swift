package import IdentityRules
package import ServiceKit

extension Violations {
  /// Adds what is wrong with a form's fields.
  package mutating func add(_ violations: [RegistrationForm.Violation]) {
    for violation in violations { add(violation.path, violation.problem) }
  }
}
