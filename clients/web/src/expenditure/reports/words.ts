export const words = {
  // What a page is about
  where: { en: "You are here", it: "Sei qui" },
  map: { en: "Map of Italy", it: "Mappa d’Italia" },
  titleOf: { en: "{territory}: {voice}", it: "{territory}: {voice}" },
  italy: { en: "Italy", it: "Italia" },
  loaded: { en: "{what}, {year}: {value}", it: "{what}, {year}: {value}" },

  // What is chosen
  shown: { en: "What is shown", it: "Che cosa mostrare" },
  year: { en: "Year", it: "Anno" },
  measure: { en: "Measure", it: "Misura" },
  MEASURE_EUROS: { en: "Euros", it: "Euro" },
  MEASURE_PER_RESIDENT: { en: "Euros per resident", it: "Euro per residente" },
  MEASURE_SHARE: { en: "Share of the total costs", it: "Quota dei costi totali" },
  MEASURE_CHANGE: { en: "Change over the year before", it: "Variazione sull’anno precedente" },
  prices: { en: "Prices", it: "Prezzi" },
  currentPrices: { en: "Of each year (current)", it: "Di ogni anno (correnti)" },
  pricesOf: { en: "Of {year}", it: "Del {year}" },
  show: { en: "Show", it: "Mostra" },

  // The number and what stands behind it
  value: { en: "Value", it: "Valore" },
  amount: { en: "Amount in the account", it: "Importo nel conto" },
  dividedBy: { en: "Divided by", it: "Diviso per" },
  residents: { en: "{residents} residents on {date}", it: "{residents} residenti al {date}" },
  residentsFrom: { en: "{residents} ({source})", it: "{residents} ({source})" },
  inPrices: { en: "In the prices of {year}, by: {index}", it: "Ai prezzi del {year}, con: {index}" },
  inCurrentPrices: { en: "Current prices: of the year itself", it: "Prezzi correnti: dell’anno stesso" },
  source: { en: "Source", it: "Fonte" },
  sourceRow: { en: "release {release}, {file}, row {row}", it: "edizione {release}, {file}, riga {row}" },
  sourceSum: {
    en: "release {release}, {file}, the sum of its 21 territories",
    it: "edizione {release}, {file}, somma dei suoi 21 territori",
  },
  noSource: { en: "None: there is no amount", it: "Nessuna: non c’è alcun importo" },
  rank: { en: "Rank", it: "Posizione" },
  noRank: { en: "None", it: "Nessuna" },
  voice: { en: "Voice", it: "Voce" },
  share: { en: "Share of the parts", it: "Quota sulle parti" },

  // A voice
  definition: { en: "What it is", it: "Che cos’è" },
  noDefinition: {
    en: "There is no definition yet. The official form calls it:",
    it: "Non c’è ancora una definizione. Nel modello ufficiale si chiama:",
  },
  descriptions: { en: "In the official form", it: "Nel modello ufficiale" },
  inYears: { en: "{from} to {to}", it: "dal {from} al {to}" },
  inYear: { en: "{year}", it: "{year}" },
  measures: { en: "In every measure, {year}", it: "In ogni misura, {year}" },
  against: { en: "{territory} and Italy over the years: {measure}", it: "{territory} e Italia negli anni: {measure}" },
  back: { en: "Back to the charts", it: "Torna ai grafici" },
  dictionary: { en: "Dictionary of all voices", it: "Dizionario di tutte le voci" },

  // A comparison
  compareTitle: { en: "Compare territories", it: "Confronta territori" },
  compareWhat: {
    en: "Two to five territories beside each other, on one scale. Italy can be one of them.",
    it: "Da due a cinque territori uno accanto all’altro, sulla stessa scala. L’Italia può essere uno di questi.",
  },
  which: { en: "Territories", it: "Territori" },
  twoToFive: { en: "Choose two to five.", it: "Scegline da due a cinque." },
  addTerritory: { en: "Nothing has been chosen to be compared yet.", it: "Non hai ancora scelto che cosa confrontare." },
  values: { en: "{voice}, {year}: {measure}", it: "{voice}, {year}: {measure}" },
  comparedBars: { en: "Its parts beside each other: {measure}, {year}", it: "Le sue parti a confronto: {measure}, {year}" },
  comparedSummary: {
    en: "Bars for {names}. Voices: {count}. The table below has every number.",
    it: "Barre per {names}. Voci: {count}. La tabella qui sotto ha tutti i numeri.",
  },
  comparedValue: { en: "{name}: {value}", it: "{name}: {value}" },

  // Mobility
  mobilityTitle: { en: "Patients treated elsewhere: what is paid", it: "Mobilità sanitaria: quanto si paga" },
  mobilityWhat: {
    en: "What each territory pays, to public and to private bodies, for residents of its own who are treated in another region.",
    it: "Quanto ogni territorio paga, a enti pubblici e a privati, per i propri residenti curati in un’altra regione.",
  },
  noBalance: {
    en: "No balance is shown. The accounts have all that is paid, but only a part of what is received: the difference would be wrong.",
    it: "Non si mostra alcun saldo. I conti contengono tutto ciò che si paga, ma solo una parte di ciò che si riceve: la differenza sarebbe sbagliata.",
  },
  noMobility: {
    en: "This release has no figures on this. What is missing stays missing: nothing is estimated.",
    it: "In questa edizione questi dati non ci sono. Ciò che manca resta mancante: nulla è stimato.",
  },
  paid: { en: "Paid in {year}", it: "Pagato nel {year}" },
  paidSummary: {
    en: "Two bars for each of {count} territories in {year}. The table below has every number.",
    it: "Due barre per ognuno dei {count} territori, nel {year}. La tabella qui sotto ha tutti i numeri.",
  },
  toPublic: { en: "To public bodies", it: "A enti pubblici" },
  toPrivate: { en: "To private bodies", it: "A privati" },
  together: { en: "In all", it: "In tutto" },

  // Figures
  table: { en: "Table of the numbers", it: "Tabella dei numeri" },
  saveAs: { en: "Save as {kind}: {title}", it: "Salva come {kind}: {title}" },
  notSaved: { en: "This browser could not save the chart.", it: "Questo browser non ha potuto salvare il grafico." },
  composition: { en: "Its parts: {measure}, {year}", it: "Le sue parti: {measure}, {year}" },
  compositionSummary: {
    en: "Parts as horizontal bars: {count}. {most}. The table below has every number.",
    it: "Parti come barre orizzontali: {count}. {most}. La tabella qui sotto ha tutti i numeri.",
  },
  largest: { en: "The largest is {voice} with {value}", it: "La più grande è {voice} con {value}" },
  noLargest: { en: "None has a number", it: "Nessuna ha un numero" },
  unexplained: {
    en: "The amount less those of its parts: {amount}. The account gives no voice for it.",
    it: "L’importo meno quelli delle sue parti: {amount}. Il conto non indica una voce per questa differenza.",
  },
  explained: { en: "The parts add up to the whole, to the cent.", it: "Le parti danno il totale, al centesimo." },
  noParts: { en: "The account does not go deeper than this voice.", it: "Il conto non scende oltre questa voce." },
  pie: { en: "Its parts as a pie: {year}", it: "Le sue parti in un grafico a torta: {year}" },
  pieSummary: { en: "A pie of {count} parts: {parts}", it: "Un grafico a torta di {count} parti: {parts}" },
  noPie: {
    en: "A pie is drawn only of two to six parts that are all above zero.",
    it: "Il grafico a torta si disegna solo con parti da due a sei, tutte sopra lo zero.",
  },
  series: { en: "Over the years: {measure}", it: "Negli anni: {measure}" },
  seriesSummary: { en: "Lines over the years {from} to {to}: {lines}", it: "Linee dal {from} al {to}: {lines}" },
  seriesLine: { en: "{name}: {count} years, the newest {value}", it: "{name}: {count} anni, l’ultimo {value}" },
  seriesLineOne: { en: "{name}: one year, {value}", it: "{name}: un solo anno, {value}" },
  seriesEmpty: { en: "No year has a number.", it: "Nessun anno ha un numero." },
  oneYear: {
    en: "This release has only one year, so there is no line to draw.",
    it: "Questa edizione ha un solo anno, quindi non c’è una linea da tracciare.",
  },
  histogram: { en: "Among the 21 accounts: {measure}, {year}", it: "Fra i 21 conti: {measure}, {year}" },
  histogramSummary: {
    en: "How many of {count} accounts lie in each range. {territory} is in the one marked with ▲.",
    it: "Quanti dei {count} conti cadono in ogni fascia. {territory} è in quella segnata con ▲.",
  },
  histogramOfAll: {
    en: "How many of {count} accounts lie in each range.", it: "Quanti dei {count} conti cadono in ogni fascia.",
  },
  range: { en: "{from} to {to}", it: "da {from} a {to}" },
  count: { en: "Accounts", it: "Conti" },
  territory: { en: "Territory", it: "Territorio" },
  accounts: { en: "Accounts of all 21 territories, by rank", it: "Conti di tutti i 21 territori, in graduatoria" },
  own: { en: "{territory} (this page)", it: "{territory} (questa pagina)" },
  bodies: { en: "Health authorities and hospitals", it: "Aziende sanitarie e ospedali" },
  bodiesWhy: {
    en: "Each has its own account. They are never added up: they buy from each other, and a sum would count the same money twice. What the region spends is in its own consolidated account, above.",
    it: "Ognuno ha il proprio conto. Non si sommano mai: comprano l’uno dall’altro e una somma conterebbe due volte lo stesso denaro. Quanto spende la regione è nel suo conto consolidato, qui sopra.",
  },
  ofBody: {
    en: "This is the account of a single body. It is not part of any sum, and it has no rank: bodies buy from each other.",
    it: "Questo è il conto di un singolo ente. Non entra in alcuna somma e non è in graduatoria: gli enti comprano l’uno dall’altro.",
  },

  // What can be taken away
  take: { en: "Take it with you", it: "Porta con te" },
  csv: { en: "Table as CSV", it: "Tabella in CSV" },
  print: { en: "Print", it: "Stampa" },
  address: { en: "Address of exactly this view", it: "Indirizzo esatto di questa vista" },
  compare: { en: "Compare with others", it: "Confronta con altri" },
  voiceReport: { en: "All about this voice", it: "Tutto su questa voce" },
  report: { en: "Report: {territory}", it: "Rapporto: {territory}" },
  mobility: { en: "Patients treated elsewhere", it: "Mobilità sanitaria" },

  // Why there is no number
  MISSING_REASON_UNSPECIFIED: { en: "no value", it: "nessun valore" },
  MISSING_REASON_NOT_REPORTED: { en: "the account does not have this voice", it: "il conto non ha questa voce" },
  MISSING_REASON_NO_ACCOUNT: { en: "no account of that year", it: "nessun conto per quell’anno" },
  MISSING_REASON_NO_RESIDENTS: { en: "no count of residents for that year", it: "nessun conteggio dei residenti per quell’anno" },
  MISSING_REASON_NO_YEAR_BEFORE: { en: "no amount of the year before", it: "nessun importo per l’anno precedente" },
  MISSING_REASON_NO_TOTAL: { en: "the account has no total", it: "il conto non ha un totale" },
  MISSING_REASON_NO_PRICES: { en: "a year is missing in the price index", it: "nell’indice dei prezzi manca un anno" },
  MISSING_REASON_ZERO_BASE: { en: "the divisor is not above zero", it: "il divisore non è maggiore di zero" },
} as const;
