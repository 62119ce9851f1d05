import Testing

@testable import ExpenditureRules

@Suite("Salute Trasparente: the tree of voices")
struct MeasureTreeTests {
  private func tree(_ voices: [(code: String, text: String)], year: Int = 2024) -> VoiceTree {
    VoiceTree(
      voices.compactMap { voice in
        VoiceCode(voice.code).map { VoiceTree.Entry(code: $0, year: year, form: .regional, text: voice.text) }
      })
  }

  private func parents(_ tree: VoiceTree) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: tree.voices.map { voice in
        (voice.code.text, voice.parent.map { tree.voices[$0].code.text } ?? "")
      })
  }

  @Test func theFiveMainVoices() {
    let tree = tree([
      ("BA0390", "B.2) Acquisti di servizi"),
      ("BA1350", "B.2.A.15) Consulenze, Collaborazioni, Interinale e altre prestazioni di lavoro sanitarie"),
      ("BA1750", "B.2.B.2) Consulenze, Collaborazioni, Interinale"), ("BA2080", "Totale Costo del personale"),
      ("BZ9999", "Totale costi della produzione (B)"),
    ])
    #expect(
      parents(tree) == ["BA0390": "BZ9999", "BA1350": "BA0390", "BA1750": "BA0390", "BA2080": "BZ9999", "BZ9999": ""])
    #expect(tree.order.map { tree.voices[$0].code.text } == ["BZ9999", "BA0390", "BA1350", "BA1750", "BA2080"])
    #expect(tree.path(to: 1) == [4, 0] && tree.path(to: 4).isEmpty)
  }

  @Test func staffIsBetweenItsRolesAndTheTotal() {
    let tree = tree([
      ("BZ9999", "Totale costi della produzione (B)"), ("BA2080", "Totale Costo del personale"),
      ("BA2090", "B.5) Personale del ruolo sanitario"), ("BA2100", "B.5.A) Costo del personale dirigente"),
      ("BA2500", "B.9) Oneri diversi di gestione"), ("BA2560", "Totale Ammortamenti"),
      ("BA2570", "B.10) Ammortamenti immateriali"), ("BA2580", "B.11) Ammortamenti materiali"),
    ])
    #expect(
      parents(tree) == [
        "BZ9999": "", "BA2080": "BZ9999", "BA2090": "BA2080", "BA2100": "BA2090", "BA2500": "BZ9999",
        "BA2560": "BZ9999", "BA2570": "BA2560", "BA2580": "BA2560",
      ])
  }

  @Test func whatIsNotThereIsPassedOver() {
    let tree = tree([("BA0010", "B.1) Beni"), ("BA0050", "B.1.A.1.1) Con AIC"), ("XA0000", "Risultato (A - B +/- C)")])
    #expect(parents(tree) == ["BA0010": "", "BA0050": "BA0010", "XA0000": ""])
  }

  @Test func interestAndChargesAreTakenAway() {
    let tree = tree([
      ("CZ9999", "Totale proventi e oneri finanziari (C)"), ("CA0010", "C.1) Interessi attivi"),
      ("CA0110", "C.3) Interessi passivi"),
    ])
    #expect(tree.voices.map(\.sign) == [1, -1, 1])
  }

  @Test func descriptionsHaveRangesOfYears() {
    let code = VoiceCode("BA0390")
    let entries = [(2012, "old"), (2013, "old"), (2015, "old"), (2016, "B.2) new"), (2017, "old")].compactMap { entry in
      code.map { VoiceTree.Entry(code: $0, year: entry.0, form: .bodies, text: entry.1) }
    }
    let tree = VoiceTree(
      entries + [code].compactMap { $0 }.map { .init(code: $0, year: 2017, form: .regional, text: "B.2) new") })
    #expect(
      tree.voices.first?.descriptions == [
        .init(text: "B.2) new", firstYear: 2016, lastYear: 2017), .init(text: "old", firstYear: 2012, lastYear: 2015),
      ])
    #expect(tree.voices.first?.number == VoiceNumber(["B", "2"]))
  }

  @Test func theRegionalFormCountsThenTheNationalOne() {
    let forms: [(form: FileForm, text: String)] = [
      (.bodies, "of bodies"), (.national, "of Italy"), (.regional, "of regions"),
    ]
    let entries = forms.compactMap { form in
      VoiceCode("BA0390").map { VoiceTree.Entry(code: $0, year: 2024, form: form.form, text: form.text) }
    }
    #expect(VoiceTree(entries).voices.map(\.description) == ["of regions"])
    #expect(VoiceTree(entries.dropLast()).voices.map(\.description) == ["of Italy"])
    #expect(VoiceTree(entries.dropLast(2)).voices.map(\.description) == ["of bodies"])
  }

  @Test func aCodeThatChangedKeepsThePartsOfItsYears() {
    let entries: [(code: String, year: Int, text: String)] = [
      ("BA0100", 2012, "B.2) Servizi"), ("BA0101", 2012, "B.2.A) Sanitari"),
      ("BA0390", 2024, "B.2) Acquisti di servizi"),
      ("BA0400", 2024, "B.2.A) Servizi sanitari"),
    ]
    let tree = VoiceTree(
      entries.compactMap { entry in
        VoiceCode(entry.code).map { .init(code: $0, year: entry.year, form: .regional, text: entry.text) }
      })
    #expect(parents(tree) == ["BA0100": "", "BA0101": "BA0100", "BA0390": "", "BA0400": "BA0390"])
  }

  @Test func thousandsOfVoicesWithTheSameNumberDoNotLoop() {
    let tree = tree((1_000...4_000).map { ("BA\($0)", "B.2) Acquisti") } + [("BZ9999", "Totale (B)")])
    #expect(tree.order.count == tree.voices.count)
    #expect(Set(tree.order).count == tree.voices.count)
  }
}
