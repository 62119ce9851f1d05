import IdentityRules
import Testing

/// Whom a code names.
@Suite struct CodeHolderTests {
  private func holder(_ name: String, _ kind: HolderKind = .company, checked: String = "") -> CodeHolder {
    CodeHolder(name: name, kind: kind, checked: checked)
  }

  @Test func aHolderHasANameAKindAndPerhapsWhatWasChecked() {
    #expect(holder("Palestra Rossi").problems.isEmpty)
    #expect(holder("Palestra Rossi", checked: "REA MI-1234567,\ncalled back").problems.isEmpty)
    #expect(holder("", .unknown, checked: "\u{1}").problems.map(\.field) == ["company", "kind", "checked"])
    #expect(holder(" ", checked: String(repeating: "x", count: 501)).problems.map(\.field) == ["company", "checked"])
  }

  @Test func nobodyElseMayHaveTheCode() {
    #expect(holder("Palestra Rossi").admits(name: ""))
    #expect(holder("Palestra Rossi").admits(name: "Palestra Rossi"))
    for other in ["Ospedale Niguarda", "palestra rossi", " Palestra Rossi"] {
      #expect(!holder("Palestra Rossi").admits(name: other))
    }
  }
}
