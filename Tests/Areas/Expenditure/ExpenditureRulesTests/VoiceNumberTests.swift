import ExpenditureRules
import Testing

@Suite("Numbers of voices")
struct VoiceNumberTests {
  @Test(
    "The number stands in the description",
    arguments: [
      ("B.2) Acquisti di servizi", "B.2"), ("B.2.A.15) Consulenze, Collaborazioni", "B.2.A.15"),
      ("Totale costi della produzione (B)", "B"), ("Totale valore della produzione (A)", "A"),
      ("B.2.A.1.1.A) Costi per assistenza MMG", "B.2.A.1.1.A"), ("Totale imposte e tasse (Y)", "Y"),
    ])
  func numbers(description: String, number: String) {
    #expect(VoiceNumber(description: description)?.text == number)
  }

  @Test(
    "What has no number has none",
    arguments: [
      "Totale Costo del personale", "RISULTATO DI ESERCIZIO",
      "Risultato prima delle imposte (A - B +/- C +/- D +/- E)", "", ")", "B) Costi", "Compartecipazione (Ticket)",
    ])
  func none(description: String) { #expect(VoiceNumber(description: description) == nil) }

  @Test("Parents are one step up")
  func parents() throws {
    let number = try #require(VoiceNumber(description: "B.2.A.15) X"))
    #expect(number.parent?.text == "B.2.A")
    #expect(VoiceNumber(["B"]).parent == nil)
    #expect(number.place == 15)
    #expect(number.parent?.place == 1)
  }
}
