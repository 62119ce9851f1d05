export const words = {
  title: { en: "General Information", it: "Informazioni generali" },
  what: {
    en: "Salute Trasparente shows what each Italian region spends on health, as the official accounts of the health service say. Anybody may read it; no account is needed.",
    it: "Salute Trasparente mostra quanto spende per la salute ogni regione italiana, secondo i conti economici ufficiali del Servizio sanitario nazionale. Chiunque può consultarla, senza registrarsi.",
  },
  real: { en: "Which figures are here", it: "Quali dati ci sono" },
  realText: {
    en: "Every number leads to its source, its release and the row of the file that it came from. Nothing is estimated, and nothing is filled in between two years: where a figure is missing there is no number, and the reason stands in its place. A correction is a new release; an address that names the old one still shows the old one.",
    it: "Ogni numero porta alla sua fonte, alla sua edizione e alla riga del file da cui proviene. Nulla è stimato né interpolato fra due anni: dove manca un dato non c’è un numero e al suo posto c’è il motivo. Una correzione è una nuova edizione; un indirizzo che nomina la vecchia mostra ancora la vecchia.",
  },
  bodies: { en: "Why authorities and hospitals are not added up", it: "Perché aziende e ospedali non vengono sommati" },
  bodiesText: {
    en: "A region is shown as its own consolidated account says. The authorities and hospitals of a region buy from each other, so their sum counts money twice: in 2024 it is 176.4 billion euros where the account says 149.2, and in Lombardy 27.9% too much. They are shown one by one, and never added up.",
    it: "Una regione è mostrata come dice il suo conto consolidato. Le aziende sanitarie e ospedaliere di una regione comprano le une dalle altre, quindi la loro somma conta due volte lo stesso denaro: nel 2024 darebbe 176,4 miliardi di euro dove il conto dice 149,2, e in Lombardia il 27,9% in più. Sono mostrate una per una e mai sommate.",
  },
  measures: { en: "How values are worked out", it: "Come sono calcolati i valori" },
  measuresText: {
    en: "Euros are the amounts of the account. Per resident, they are divided by the residents that ISTAT counted; the count and its date stand beside the value. The share is the part of the total costs of production, BZ9999, of the same account. The change is the difference from the year before, divided by the amount of that year.",
    it: "Gli euro sono gli importi del conto. Il valore per residente si ottiene dividendoli per i residenti contati dall’ISTAT; il numero e la sua data sono indicati accanto al valore. La quota è la parte del totale dei costi della produzione, BZ9999, dello stesso conto. La variazione è la differenza rispetto all’anno precedente, divisa per l’importo di quell’anno.",
  },
  missingText: {
    en: "For a year without a count of residents there is no value per resident. Bolzano and Trento have accounts of their own, so the map has 21 shapes for 20 regions.",
    it: "Per un anno senza un conteggio dei residenti non c’è un valore per residente. Bolzano e Trento hanno conti propri, perciò la mappa ha 21 aree per 20 regioni.",
  },
  prices: { en: "Constant prices", it: "Prezzi costanti" },
  pricesText: {
    en: "Amounts can be expressed in the prices of a year of your choice, by the annual change of consumer prices in Italy. The same index serves all regions, and it is not one of health care.",
    it: "Gli importi si possono esprimere ai prezzi di un anno a scelta, con la variazione annua dei prezzi al consumo in Italia. L’indice è lo stesso per tutte le regioni e non è specifico della sanità.",
  },
  checks: { en: "What is checked before figures are published", it: "Che cosa si controlla prima della pubblicazione" },
  checksText: {
    en: "The national account is the sum of the regional ones to the cent; a region’s account is that of its consolidated body; parts add up to their totals where all are there; and the result follows from revenue and costs. Where a check fails, figures can only be published with a reason, which stands below every page that shows them.",
    it: "Il conto nazionale è la somma di quelli regionali al centesimo; il conto di una regione coincide con quello del suo ente consolidato; le parti danno il totale dove ci sono tutte; il risultato è quello che deriva da ricavi e costi. Se un controllo non viene superato, i dati si possono pubblicare solo con una motivazione, che compare sotto ogni pagina che li mostra.",
  },
  patients: { en: "Patients treated elsewhere", it: "Mobilità sanitaria" },
  patientsText: {
    en: "What a region pays for its residents who are treated in others is in the accounts. What it receives is there only in part, so no balance is shown.",
    it: "Quanto una regione paga per i propri residenti curati altrove è nei conti. Quanto riceve c’è solo in parte, perciò non si mostra alcun saldo.",
  },
  source: { en: "Sources and licences", it: "Fonti e licenze" },
  map: { en: "Boundaries on the map:", it: "Confini sulla mappa:" },
  team: { en: "Who makes this", it: "Chi la realizza" },
  teamText: {
    en: "Salute Trasparente is made by the engineers of TrackMe, and is part of the TrackMe server. The figures are the publishers’; mistakes in showing them are ours.",
    it: "Salute Trasparente è realizzata dagli ingegneri di TrackMe e fa parte del server TrackMe. I dati sono di chi li pubblica; gli errori nel mostrarli sono nostri.",
  },
  api: { en: "Interface for programs", it: "Interfaccia per i programmi" },
  pages: { en: "Version of the pages", it: "Versione delle pagine" },
  licences: { en: "Licences of software within these pages", it: "Licenze del software contenuto in queste pagine" },
} as const;
