import ExpenditureRules
import Testing

@Suite("Territories")
struct TerritoryTests {
  @Test("There are 21 accounts, Bolzano 041 and Trento 042")
  func accounts() {
    #expect(AccountList.all.count == 21)
    #expect(AccountNumber("041")?.name == "P.A. Bolzano")
    #expect(AccountNumber("042")?.name == "P.A. Trento")
    #expect(AccountNumber("IT") == .italy)
    #expect(AccountList.all.allSatisfy { AccountNumber($0.text) == $0 })
  }

  @Test("ISTAT's codes are no codes of accounts", arguments: ["021", "022", "040", "000", "21", "1", "IT1", "٠١٠", ""])
  func others(text: String) { #expect(AccountNumber(text) == nil) }

  @Test("Codes of bodies have six digits")
  func bodies() {
    #expect(TerritoryCode("010203") == TerritoryCode(AccountNumber("010")!, body: 203))
    #expect(TerritoryCode("010203")?.text == "010203")
    #expect(TerritoryCode("010000")?.body == 0)
    for text in ["021203", "IT0203", "0102", "01020x", "0102030", "000203"] { #expect(TerritoryCode(text) == nil) }
  }

  @Test("Names fit their codes in the spellings of the publishers")
  func names() {
    for (code, name) in [
      ("041", "P. A. Bolzano"), ("060", "F. V. Giulia"), ("080", "Emilia Romagna"), ("020", "VALLE D'AOSTA"),
      ("020", "Valle d’Aosta"), ("060", "Friuli-Venezia Giulia"), ("042", "Provincia Autonoma di Trento"),
      ("020", "VALLE D'AOSTA/VALLEE D'AOSTE"),
    ] { #expect(AccountList.isName(name, of: AccountNumber(code)!), "\(code) \(name)") }
    #expect(!AccountList.isName("P. A. Trento", of: AccountNumber("041")!))
    #expect(!AccountList.isName("Umbria", of: AccountNumber("010")!))
    #expect(!AccountList.isName("", of: AccountNumber("010")!))
  }
}
