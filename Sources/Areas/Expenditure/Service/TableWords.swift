internal import Domain
internal import ExpenditureRules
internal import WireCodec

/// What stands in an exported table, in one of two languages.
struct TableWords: Sendable {
  private let isItalian: Bool

  /// - Parameter language: "it", as if empty, or "en"; nil for another.
  init?(language: String) {
    switch language {
    case "", "it": isItalian = true
    case "en": isItalian = false
    default: return nil
    }
  }

  private func words(_ italian: String, _ english: String) -> String { isItalian ? italian : english }

  var form: TableFile.Form { isItalian ? .italian : .english }
  var product: String { "Salute Trasparente" }
  var year: String { words("Anno", "Year") }
  var territory: String { words("Territorio", "Territory") }
  var territoryName: String { words("Nome del territorio", "Name of territory") }
  var voice: String { words("Voce", "Voice") }
  var description: String { words("Descrizione ufficiale", "Official description") }
  var measure: String { words("Misura", "Measure") }
  var rank: String { words("Posizione", "Rank") }
  var value: String { words("Valore", "Value") }
  var unit: String { words("Unità", "Unit") }
  var missing: String { words("Motivo del dato mancante", "Why there is no value") }
  var amount: String { words("Importo in euro a prezzi correnti", "Amount in euros, current prices") }
  var residents: String { words("Residenti", "Residents") }
  var residentsDate: String { words("Data dei residenti", "Date of residents") }
  var paidToPublic: String { words("Pagato a enti pubblici (euro)", "Paid to public bodies (euros)") }
  var paidToPrivate: String { words("Pagato a privati (euro)", "Paid to private providers (euros)") }
  var sourceRow: [String] {
    isItalian
      ? ["Edizione della riga", "File di origine", "Riga di origine"] : ["Release of row", "Source file", "Source row"]
  }
  var prices: String { words("Prezzi", "Prices") }
  var currentPrices: String { words("correnti", "current") }
  var source: String { words("Fonte", "Source") }
  var licence: String { words("Licenza", "Licence") }
  var release: String { words("Edizione dei dati", "Release of figures") }
  var override: String {
    words("Pubblicata benché un controllo non sia riuscito, perché", "Published although a check failed, because")
  }
  var method: String { words("Metodo", "Method") }

  /// - Parameter measure: nil: patients treated elsewhere.
  func what(_ measure: Trackme_Expenditure_V1_Measure?) -> String {
    measure.map { name(of: $0) }
      ?? words(
        "Quanto le regioni pagano per i residenti curati altrove", "What regions pay for residents treated elsewhere")
  }

  func pricesOf(_ year: Int32, _ index: String) -> String {
    words("dell'anno \(year), con l'indice: \(index)", "of the year \(year), by the index: \(index)")
  }

  func release(_ number: Int64, published: Google_Protobuf_Timestamp?) -> String {
    let time = published.flatMap { ISO8601.text(of: $0.seconds * 1_000_000) } ?? ""
    return words("\(number), pubblicata il \(time)", "\(number), published \(time)")
  }

  func name(of measure: Trackme_Expenditure_V1_Measure) -> String {
    switch measure {
    case .perResident: words("Euro per residente", "Euros per resident")
    case .share: words("Quota dei costi della produzione", "Share of the costs of production")
    case .change: words("Variazione sull'anno prima", "Change over the year before")
    case .euros, .unspecified, .unrecognized: words("Euro", "Euros")
    }
  }

  func unit(of measure: Trackme_Expenditure_V1_Measure) -> String {
    switch measure {
    case .perResident: words("euro per residente", "euros per resident")
    case .share, .change: words("per cento", "percent")
    case .euros, .unspecified, .unrecognized: words("euro", "euros")
    }
  }

  func method(_ measure: Trackme_Expenditure_V1_Measure?) -> String {
    switch measure {
    case .perResident:
      words(
        "Importo diviso per i residenti al 1° gennaio dello stesso anno; nessun dato è stimato o interpolato.",
        "Amount divided by the residents at 1 January of the same year; nothing is estimated or interpolated.")
    case .share:
      words(
        "Importo diviso per il totale dei costi della produzione (BZ9999) dello stesso conto.",
        "Amount divided by the total costs of production (BZ9999) of the same account.")
    case .change:
      words(
        "Differenza dall'importo dell'anno prima, divisa per quello.",
        "Difference to the amount of the year before, divided by that.")
    case nil:
      words(
        "Solo ciò che si paga: ciò che si riceve è nei conti soltanto in parte, perciò non c'è un saldo.",
        "Only what is paid: what is received is only partly in the accounts, so there is no balance.")
    case .euros, .unspecified, .unrecognized:
      words(
        "Conto consolidato della regione, come pubblicato; gli enti non vengono sommati.",
        "The region's consolidated account, as published; bodies are never added up.")
    }
  }

  func reason(_ reason: Trackme_Expenditure_V1_MissingReason) -> String {
    switch reason {
    case .notReported: words("voce non presente nel conto", "the account has no such voice")
    case .noAccount: words("nessun conto di quest'anno", "no account of this year")
    case .noResidents: words("residenti non disponibili", "no count of residents")
    case .noYearBefore: words("manca l'importo dell'anno prima", "no amount of the year before")
    case .noTotal: words("manca il totale", "no total")
    case .noPrices: words("indice dei prezzi non disponibile", "no price index")
    case .zeroBase: words("il divisore è zero o negativo", "the amount to divide by is zero or less")
    case .unspecified, .unrecognized: words("non disponibile", "not available")
    }
  }
}
