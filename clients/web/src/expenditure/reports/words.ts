export const words = {
  // What a page is about
  where: { en: "Where this stands", it: "Dove si trova" },
  map: { en: "Map of Italy", it: "Mappa d’Italia" },
  titleOf: { en: "{territory}: {voice}", it: "{territory}: {voice}" },
  italy: { en: "Italy", it: "Italia" },
  loaded: { en: "{what}, {year}: {value}", it: "{what}, {year}: {value}" },

  // What is chosen
  shown: { en: "What is shown", it: "Che cosa si vede" },
  year: { en: "Year", it: "Anno" },
  measure: { en: "Measure", it: "Misura" },
  MEASURE_EUROS: { en: "Euros", it: "Euro" },
  MEASURE_PER_RESIDENT: { en: "Euros for each resident", it: "Euro per residente" },
  MEASURE_SHARE: { en: "Share of the total costs", it: "Quota dei costi totali" },
  MEASURE_CHANGE: { en: "Change over the year before", it: "Variazione sull’anno prima" },
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
  noSource: { en: "None: there is no amount", it: "Nessuna: non c’è un importo" },
  rank: { en: "Rank", it: "Posto" },
  noRank: { en: "None", it: "Nessuno" },
  voice: { en: "Voice", it: "Voce" },
  share: { en: "Share of the parts", it: "Quota sulle parti" },

  // A voice
  definition: { en: "What it is", it: "Che cos’è" },
  noDefinition: {
    en: "Nobody has written a definition yet. The official form calls it so:", it: "Nessuno ha ancora scritto una definizione. Il modello ufficiale la chiama così:",
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
    it: "Da due a cinque territori uno accanto all’altro, su un’unica scala. L’Italia può essere uno di questi.",
  },
  which: { en: "Territories", it: "Territori" },
  twoToFive: { en: "Choose two to five.", it: "Scegline da due a cinque." },
  addTerritory: { en: "Nothing is compared yet.", it: "Non c’è ancora nulla da confrontare." },
  values: { en: "{voice}, {year}: {measure}", it: "{voice}, {year}: {measure}" },
  comparedBars: { en: "Its parts beside each other: {measure}, {year}", it: "Le sue parti a confronto: {measure}, {year}" },
  comparedSummary: {
    en: "Bars of {count} voices for each of: {names}. The table below has every number.",
    it: "Barre di {count} voci per ognuno di: {names}. La tabella qui sotto ha tutti i numeri.",
  },
  comparedValue: { en: "{name}: {value}", it: "{name}: {value}" },

  // Mobility
  mobilityTitle: { en: "Patients treated elsewhere: what is paid", it: "Pazienti curati altrove: quanto si paga" },
  mobilityWhat: {
    en: "What each territory pays for its residents who are treated in another region: to public bodies and to private ones.",
    it: "Quanto ogni territorio paga per i propri residenti curati in un’altra regione: a enti pubblici e a privati.",
  },
  noBalance: {
    en: "No balance is shown. The accounts have all that is paid, but only a part of what is received: a difference of the two would be wrong.",
    it: "Non si mostra un saldo. I conti hanno tutto ciò che si paga, ma solo una parte di ciò che si riceve: la differenza fra i due sarebbe sbagliata.",
  },
  noMobility: {
    en: "This release has no such figures. What is missing stays missing: nothing is estimated.",
    it: "Questa edizione non ha questi dati. Ciò che manca resta mancante: non si stima nulla.",
  },
  paid: { en: "Paid in {year}", it: "Pagato nel {year}" },
  paidSummary: {
    en: "Bars of {count} territories in {year}, two for each. The table below has every number.",
    it: "Barre di {count} territori nel {year}, due per ognuno. La tabella qui sotto ha tutti i numeri.",
  },
  toPublic: { en: "To public bodies", it: "A enti pubblici" },
  toPrivate: { en: "To private ones", it: "A privati" },
  together: { en: "Together", it: "Insieme" },

  // Figures
  table: { en: "Table of the numbers", it: "Tabella dei numeri" },
  saveAs: { en: "Save as {kind}: {title}", it: "Salva come {kind}: {title}" },
  notSaved: { en: "This browser could not save the chart.", it: "Questo browser non ha potuto salvare il grafico." },
  composition: { en: "Its parts: {measure}, {year}", it: "Le sue parti: {measure}, {year}" },
  compositionSummary: {
    en: "Horizontal bars of {count} parts. {most}. The table below has every number.",
    it: "Barre orizzontali di {count} parti. {most}. La tabella qui sotto ha tutti i numeri.",
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
    en: "There is a pie only for two to six parts that are all above zero.",
    it: "Il grafico a torta c’è solo per due a sei parti, tutte sopra lo zero.",
  },
  series: { en: "Over the years: {measure}", it: "Negli anni: {measure}" },
  seriesSummary: { en: "Lines over the years {from} to {to}: {lines}", it: "Linee dal {from} al {to}: {lines}" },
  seriesLine: { en: "{name}: {count} years, the newest {value}", it: "{name}: {count} anni, l’ultimo {value}" },
  seriesEmpty: { en: "No year has a number.", it: "Nessun anno ha un numero." },
  oneYear: {
    en: "This release has one year only: there is no line to draw through it.",
    it: "Questa edizione ha un solo anno: non c’è una linea da tracciare.",
  },
  histogram: { en: "Among the 21 accounts: {measure}, {year}", it: "Fra i 21 conti: {measure}, {year}" },
  histogramSummary: {
    en: "How many of {count} accounts lie in each range. {territory} is in the one that is marked with ▲.",
    it: "Quanti di {count} conti stanno in ogni fascia. {territory} è in quella segnata con ▲.",
  },
  histogramOfAll: {
    en: "How many of {count} accounts lie in each range.", it: "Quanti di {count} conti stanno in ogni fascia.",
  },
  range: { en: "{from} to {to}", it: "da {from} a {to}" },
  count: { en: "Accounts", it: "Conti" },
  territory: { en: "Territory", it: "Territorio" },
  accounts: { en: "Accounts of all 21 territories, by rank", it: "Conti di tutti i 21 territori, in ordine" },
  own: { en: "{territory} (this page)", it: "{territory} (questa pagina)" },
  bodies: { en: "Health authorities and hospitals", it: "Aziende sanitarie e ospedali" },
  bodiesWhy: {
    en: "Each has its own account. They are never added up: they buy from each other, and a sum would count the same money twice. What the region spends is in its own consolidated account, above.",
    it: "Ognuno ha il proprio conto. Non si sommano mai: comprano l’uno dall’altro e una somma conterebbe due volte lo stesso denaro. Quanto spende la regione è nel suo conto consolidato, qui sopra.",
  },
  ofBody: {
    en: "This is the account of one body. It is no part of a sum, and it has no rank: bodies buy from each other.",
    it: "Questo è il conto di un singolo ente. Non fa parte di una somma e non ha un posto in classifica: gli enti comprano l’uno dall’altro.",
  },

  // What can be taken away
  take: { en: "Take it away", it: "Porta con te" },
  csv: { en: "Table as CSV", it: "Tabella in CSV" },
  print: { en: "Print", it: "Stampa" },
  address: { en: "Address of exactly this view", it: "Indirizzo esatto di questa vista" },
  compare: { en: "Compare with others", it: "Confronta con altri" },
  voiceReport: { en: "All about this voice", it: "Tutto su questa voce" },
  report: { en: "Report of {territory}", it: "Rapporto di {territory}" },
  mobility: { en: "Patients treated elsewhere", it: "Pazienti curati altrove" },

  // Why there is no number
  MISSING_REASON_UNSPECIFIED: { en: "no number", it: "nessun numero" },
  MISSING_REASON_NOT_REPORTED: { en: "the account has no such voice", it: "il conto non ha questa voce" },
  MISSING_REASON_NO_ACCOUNT: { en: "no account of that year", it: "nessun conto di quell’anno" },
  MISSING_REASON_NO_RESIDENTS: { en: "residents not counted that year", it: "residenti non contati quell’anno" },
  MISSING_REASON_NO_YEAR_BEFORE: { en: "no amount of the year before", it: "nessun importo dell’anno prima" },
  MISSING_REASON_NO_TOTAL: { en: "the account has no total", it: "il conto non ha un totale" },
  MISSING_REASON_NO_PRICES: { en: "the price index lacks a year", it: "l’indice dei prezzi non ha un anno" },
  MISSING_REASON_ZERO_BASE: { en: "what it is divided by is not above zero", it: "ciò per cui si divide non è sopra lo zero" },
} as const;
