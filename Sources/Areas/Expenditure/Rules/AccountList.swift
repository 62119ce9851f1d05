/// The 21 accounts, as the publisher (RGS-MEF) numbers them.
package enum AccountList {
  /// Number, official Italian name, English name ("" where there is none), and other spellings of the publishers.
  private static let table: [(number: Int, name: String, english: String, spellings: [String])] = [
    (10, "Piemonte", "Piedmont", []),
    (20, "Valle d'Aosta", "Aosta Valley", ["Valle d'Aosta/Vallée d'Aoste", "Valle d'Aosta - Vallée d'Aoste"]),
    (30, "Lombardia", "Lombardy", []),
    (
      41, "P.A. Bolzano", "Bolzano",
      [
        "Bolzano", "Provincia Autonoma Bolzano", "Provincia Autonoma di Bolzano", "Prov. Aut. Bolzano",
        "P.A. di Bolzano", "Bolzano/Bozen", "Provincia Autonoma di Bolzano/Bozen", "Prov. Auton. Bolzano",
      ]
    ),
    (
      42, "P.A. Trento", "Trento",
      [
        "Trento", "Provincia Autonoma Trento", "Provincia Autonoma di Trento", "Prov. Aut. Trento", "P.A. di Trento",
        "Prov. Auton. Trento",
      ]
    ),
    (50, "Veneto", "", []),
    (60, "Friuli-Venezia Giulia", "", ["F. V. Giulia", "Friuli V. G.", "Friuli V. Giulia", "FVG"]),
    (70, "Liguria", "", []),
    (80, "Emilia-Romagna", "", []),
    (90, "Toscana", "Tuscany", []),
    (100, "Umbria", "", []),
    (110, "Marche", "", []),
    (120, "Lazio", "", []),
    (130, "Abruzzo", "", []),
    (140, "Molise", "", []),
    (150, "Campania", "", []),
    (160, "Puglia", "Apulia", []),
    (170, "Basilicata", "", []),
    (180, "Calabria", "", []),
    (190, "Sicilia", "Sicily", []),
    (200, "Sardegna", "Sardinia", []),
  ]

  /// In the order of their numbers.
  package static let all = table.map { AccountNumber(unchecked: $0.number) }
  /// Official Italian names, by number.
  package static let names = Dictionary(uniqueKeysWithValues: table.map { ($0.number, $0.name) })

  private static let english = Dictionary(uniqueKeysWithValues: table.map { ($0.number, $0.english) })
  private static let spellings = Dictionary(
    uniqueKeysWithValues: table.map { ($0.number, Set(([$0.name] + $0.spellings).map { PlainLetters.of($0) })) })

  /// Whether a name is one that publishers give the account: case, accents, spaces and signs don't matter.
  package static func isName(_ name: String, of account: AccountNumber) -> Bool {
    spellings[account.value]?.contains(PlainLetters.of(name)) ?? false
  }

  /// The name in English; "" where there is none but the Italian one.
  package static func english(_ account: AccountNumber) -> String {
    account == .italy ? "Italy" : english[account.value] ?? ""
  }
}

extension AccountNumber {
  /// The official Italian name.
  package var name: String { self == .italy ? "Italia" : AccountList.names[value] ?? "" }
}
