import IdentityRules
import Testing

/// The registration form that administrators decide on: A-R2, A-admin.
@Suite struct RegistrationFormTests {
  private let form = RegistrationForm(fields: [
    FormField(name: "address", label: "Address", type: .text, maximum: 20),
    FormField(name: "hours", label: "Hours", type: .number, isRequired: true, minimum: 0, maximum: 24),
    FormField(name: "smoker", label: "Smoker", type: .boolean),
    FormField(name: "since", label: "Since", type: .date),
    FormField(name: "status", label: "Status", type: .choice, choices: ["single", "married"]),
    FormField(name: "any", label: "Any number", type: .number),
    FormField(name: "long", label: "Long", type: .text),
  ])

  private func problems(_ values: KeyValuePairs<String, String>) -> [String] {
    form.check(values.map { .init(name: $0.key, value: $0.value) }).violations.map(\.path)
  }

  @Test func whatFitsIsAccepted() {
    let values: [RegistrationForm.Value] = [
      .init(name: "hours", value: "7.5"), .init(name: "address", value: "Via Roma 1,\nComo"),
      .init(name: "smoker", value: "false"), .init(name: "since", value: "2020-02-29"),
      .init(name: "status", value: "married"), .init(name: "any", value: "-100000"), .init(name: "long", value: ""),
    ]
    let (accepted, violations) = form.check(values)
    #expect(violations.isEmpty)
    #expect(accepted.count == 6 && accepted["hours"] == "7.5" && accepted["long"] == nil)
  }

  @Test(arguments: [
    ("hours", "24.1"), ("hours", "-1"), ("hours", "nan"), ("hours", "inf"), ("hours", "1e1"), ("hours", "0x1"),
    ("hours", "1."), ("hours", ".5"), ("hours", "+5"), ("hours", " 5"), ("hours", "1,5"), ("hours", "٣"),
    ("hours", "1_0"), ("hours", "-"), ("hours", "1.2.3"), ("any", String(repeating: "9", count: 31)),
    ("smoker", "TRUE"), ("smoker", "1"), ("since", "2021-02-29"), ("since", "yesterday"), ("status", "Single"),
    ("address", String(repeating: "a", count: 21)), ("address", "a\u{0}"), ("address", "a\u{1B}"),
    ("long", String(repeating: "é", count: 1_001)), ("long", "e" + String(repeating: "\u{301}", count: 1_001)),
  ]) func aValueThatDoesNotFitIsNamedByItsPlace(name: String, value: String) {
    let others: KeyValuePairs = name == "hours" ? ["any": "1", name: value] : ["hours": "1", name: value]
    #expect(problems(others) == ["fields[1].value"])
  }

  @Test func everythingWrongIsSaidAtOnce() {
    #expect(
      problems(["hours": "25", "address": "\u{7}", "nothing": "1", "smoker": "maybe", "status": "", "hours": "3"])
        == ["fields[0].value", "fields[1].value", "fields[2].name", "fields[3].value", "fields[5].name"])
  }

  @Test func aRequiredFieldIsAskedFor() {
    #expect(problems(["smoker": "true"]) == ["fields"])
    #expect(problems(["smoker": "true", "hours": ""]) == ["fields[1].value"])
    #expect(problems([:]) == ["fields"])
    let violation = form.check([]).violations.first
    #expect(violation?.problem == "must have the required field hours")
  }

  @Test func moreValuesThanAFormCanHaveAreNotLookedAt() {
    let values = (0..<51).map { RegistrationForm.Value(name: "n\($0)", value: "") }
    #expect(form.check(values).violations.map(\.path) == ["fields"])
  }

  @Test func aChangeKeepsWhatItDoesNotName() {
    let old = ["hours": "8", "address": "Como", "gone": "kept"]
    let change = form.check(
      changes: [.init(name: "address", value: ""), .init(name: "smoker", value: "true")], of: old)
    #expect(change.violations.isEmpty)
    #expect(change.accepted == ["hours": "8", "gone": "kept", "smoker": "true"])
    let empty = form.check(changes: [.init(name: "hours", value: "")], of: old)
    #expect(empty.violations.map(\.path) == ["fields[0].value"])
    #expect(form.check(changes: [], of: ["smoker": "true"]).violations.isEmpty)
    let gone = form.check(changes: [.init(name: "gone", value: "x")], of: old)
    #expect(gone.violations.map(\.path) == ["fields[0].name"])
  }

  @Test func aSoundDefinitionIsAccepted() {
    #expect(RegistrationForm.violations(of: form.fields, for: .person).isEmpty)
    #expect(RegistrationForm.violations(of: [], for: .thirdParty).isEmpty)
    let equalBounds = FormField(name: "a", label: "A", type: .number, minimum: 3, maximum: 3)
    #expect(RegistrationForm.violations(of: [equalBounds], for: .person).isEmpty)
  }

  @Test(arguments: [
    (FormField(name: "", label: "A", type: .text), "fields[0].name"),
    (FormField(name: "Upper", label: "A", type: .text), "fields[0].name"),
    (FormField(name: "_a", label: "A", type: .text), "fields[0].name"),
    (FormField(name: "a-b", label: "A", type: .text), "fields[0].name"),
    (FormField(name: "aé", label: "A", type: .text), "fields[0].name"),
    (FormField(name: String(repeating: "a", count: 64), label: "A", type: .text), "fields[0].name"),
    (FormField(name: "fiscal_code", label: "A", type: .text), "fields[0].name"),
    (FormField(name: "password", label: "A", type: .text), "fields[0].name"),
    (FormField(name: "a", label: "", type: .text), "fields[0].label"),
    (FormField(name: "a", label: " ", type: .text), "fields[0].label"),
    (FormField(name: "a", label: "A\u{0}", type: .text), "fields[0].label"),
    (FormField(name: "a", label: "A", type: .choice), "fields[0].choices"),
    (FormField(name: "a", label: "A", type: .choice, choices: ["x", ""]), "fields[0].choices[1]"),
    (FormField(name: "a", label: "A", type: .choice, choices: ["x", "y", "x"]), "fields[0].choices[2]"),
    (FormField(name: "a", label: "A", type: .text, choices: ["x"]), "fields[0].choices"),
    (FormField(name: "a", label: "A", type: .number, minimum: 2, maximum: 1), "fields[0].maximum"),
    (FormField(name: "a", label: "A", type: .number, minimum: .nan), "fields[0].minimum"),
    (FormField(name: "a", label: "A", type: .number, maximum: .infinity), "fields[0].maximum"),
    (FormField(name: "a", label: "A", type: .text, minimum: 1), "fields[0].minimum"),
    (FormField(name: "a", label: "A", type: .text, maximum: 10_001), "fields[0].maximum"),
    (FormField(name: "a", label: "A", type: .text, maximum: 1.5), "fields[0].maximum"),
    (FormField(name: "a", label: "A", type: .text, maximum: .nan), "fields[0].maximum"),
    (FormField(name: "a", label: "A", type: .date, maximum: 1), "fields[0].maximum"),
  ]) func aDefinitionThatCannotBeIsNamedByItsPlace(field: FormField, path: String) {
    #expect(RegistrationForm.violations(of: [field], for: .person).map(\.path) == [path])
  }

  @Test func namesAreUniqueAndFieldsAreBounded() {
    let twice = [FormField](repeating: FormField(name: "a", label: "A", type: .text), count: 2)
    #expect(RegistrationForm.violations(of: twice, for: .person).map(\.path) == ["fields[1].name"])
    let many = (0..<51).map { FormField(name: "a\($0)", label: "A", type: .text) }
    #expect(RegistrationForm.violations(of: many, for: .person).map(\.path) == ["fields"])
    #expect(RegistrationForm.violations(of: Array(many.dropLast()), for: .person).isEmpty)
  }

  @Test func eachKindHasItsOwnFixedFields() {
    let code = FormField(name: "code", label: "Code", type: .text)
    #expect(RegistrationForm.violations(of: [code], for: .person).isEmpty)
    #expect(RegistrationForm.violations(of: [code], for: .thirdParty).map(\.path) == ["fields[0].name"])
  }
}
