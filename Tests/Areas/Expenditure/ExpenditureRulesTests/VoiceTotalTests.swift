import ExpenditureRules
import Testing

@Suite("S-NFR10: what is a part of what")
struct VoiceTotalTests {
  private func totals(_ descriptions: [String: String]) -> [VoiceTotal] {
    VoiceTotal.all(Dictionary(uniqueKeysWithValues: descriptions.map { (VoiceCode($0)!, $1) }))
  }

  @Test("Parts follow from the numbers, with the signs of the form")
  func signs() {
    let totals = totals([
      "EZ9999": "Totale proventi e oneri straordinari (E)", "EA0010": "E.1) Proventi straordinari",
      "EA0260": "E.2) Oneri straordinari", "EA0020": "E.1.A) Plusvalenze",
    ])
    #expect(totals.map(\.total.text) == ["EZ9999"])
    #expect(totals.first?.parts.map(\.sign) == [1, -1])
    #expect(totals.first?.parts.map(\.voice.text) == ["EA0010", "EA0260"])
  }

  @Test("Interest paid, write-downs and charges are taken away")
  func subtracted() {
    let totals = totals([
      "CZ9999": "Totale proventi e oneri finanziari (C)", "CA0010": "C.1) Interessi attivi",
      "CA0050": "C.2) Altri proventi", "CA0110": "C.3) Interessi passivi", "CA0150": "C.4) Altri oneri",
      "DZ9999": "Totale rettifiche di valore (D)", "DA0010": "D.1) Rivalutazioni", "DA0020": "D.2) Svalutazioni",
    ])
    #expect(totals.map { $0.parts.map(\.sign) } == [[1, 1, -1, -1], [1, -1]])
  }

  @Test("Of a form with gaps nothing can be said: the five voices that ship have no total")
  func gaps() {
    #expect(
      totals([
        "BA0390": "B.2) Acquisti di servizi", "BA1350": "B.2.A.15) Consulenze", "BA1750": "B.2.B.2) Consulenze",
        "BA2080": "Totale Costo del personale", "BZ9999": "Totale costi della produzione (B)",
      ]).isEmpty)
    #expect(totals(["BZ9999": "Totale (B)", "BA0010": "B.1) X", "BA1910": "B.3) Y"]).isEmpty)
    #expect(totals(["BZ9999": "Totale (B)", "BA0010": "B.1) X"]).isEmpty)
    #expect(totals(["BZ9999": "Totale (B)", "BA0010": "B.1) X", "BA0011": "B.1) Z", "BA1910": "B.2) Y"]).isEmpty)
    #expect(
      totals(["BZ9998": "Totale (B)", "BZ9999": "Totale (B)", "BA0010": "B.1) X", "BA1910": "B.2) Y"]).isEmpty)
  }
}
