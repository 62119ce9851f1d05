export const words = {
  title: { en: "Ask a person for readings", it: "Chiedi le misure di una persona" },
  intro: {
    en: "The person decides, and may end at any time what was granted. Persons under 18 cannot be asked.",
    it: "La persona decide, e può revocare in ogni momento ciò che ha concesso. I minori di 18 anni non possono essere interpellati.",
  },
  price: {
    en: "A request costs {price}. It is reserved before the person is asked, and taken only if they accept.",
    it: "Una richiesta costa {price}. L’importo è riservato prima di chiedere alla persona e addebitato solo se accetta.",
  },
  fiscalCode: { en: "Fiscal code of the person", it: "Codice fiscale della persona" },
  fiscalCodeHint: { en: "16 letters and digits.", it: "16 lettere e cifre." },
  fiscalCodeWrong: { en: "This is no fiscal code.", it: "Non è un codice fiscale." },
  metrics: { en: "Kinds of readings", it: "Tipi di misure" },
  metricsMissing: { en: "Choose at least one kind.", it: "Scegli almeno un tipo." },
  granularity: { en: "How fine", it: "Con quale dettaglio" },
  granularityHint: {
    en: "Means of minutes and hours come when the minute or hour is over.",
    it: "Le medie al minuto e orarie arrivano quando il minuto o l’ora è terminata.",
  },
  from: { en: "Readings taken from", it: "Misure rilevate dal" },
  fromHint: { en: "Left empty: from the first one on.", it: "Se vuoto: dalla prima in poi." },
  to: { en: "Readings taken before", it: "Misure rilevate prima del" },
  toHint: { en: "Left empty: without an end.", it: "Se vuoto: senza un termine." },
  wholeHour: { en: "With means of hours, choose a whole hour.", it: "Con le medie orarie, scegli un’ora intera." },
  toBeforeFrom: { en: "Choose a time after the beginning.", it: "Scegli un momento successivo all’inizio." },
  intervalRefused: { en: "Choose another time.", it: "Scegli un altro momento." },
  purpose: { en: "What it is for", it: "A che cosa servono" },
  purposeHint: {
    en: "The person reads this. Your list of requests has no names, so make it one that you recognise. At most 500 characters.",
    it: "Lo legge la persona. L’elenco delle tue richieste non contiene nomi: scrivi uno scopo che riconosci. Al massimo 500 caratteri.",
  },
  purposeRefused: { en: "Use 1 to 500 ordinary characters.", it: "Usa da 1 a 500 caratteri normali." },
  submit: { en: "Send the request", it: "Invia la richiesta" },
  nobody: {
    en: "There is no person with this fiscal code who could be asked.",
    it: "Non c’è nessuna persona con questo codice fiscale a cui chiedere.",
  },
  tooManyLookups: {
    en: "Too many fiscal codes led to nobody. Try again in an hour.",
    it: "Troppi codici fiscali non corrispondevano a nessuno. Riprova tra un’ora.",
  },
  tooManyRequests: {
    en: "Too many of your requests wait for an answer already, in all or from this person.",
    it: "Troppe tue richieste sono già in attesa di risposta, in totale o da questa persona.",
  },
} as const;
