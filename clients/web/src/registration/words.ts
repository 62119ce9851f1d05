export const words = {
  socialStatus: { en: "Social status", it: "Condizione sociale" },
  address: { en: "Address", it: "Indirizzo" },
  workingHours: { en: "Working hours per day", it: "Ore di lavoro al giorno" },
  sportHours: { en: "Sport hours per week", it: "Ore di sport a settimana" },
  website: { en: "Website", it: "Sito web" },
  researchInterests: { en: "Research interests", it: "Interessi di ricerca" },
  optional: { en: "{label} (optional)", it: "{label} (facoltativo)" },
  yes: { en: "Yes", it: "Sì" },
  no: { en: "No", it: "No" },
  email: { en: "E-mail address", it: "Indirizzo e-mail" },
  emailRefused: {
    en: "Enter an e-mail address such as name@example.org.",
    it: "Inserisci un indirizzo e-mail come nome@example.org.",
  },
  weight: { en: "Weight in kilograms", it: "Peso in chilogrammi" },
  height: { en: "Height in centimetres", it: "Altezza in centimetri" },
  description: { en: "Description", it: "Descrizione" },
  descriptionHint: {
    en: "Persons read it when you ask for their readings: who you are, and what you do.",
    it: "Le persone la leggono quando chiedi le loro misure: chi sei e che cosa fai.",
  },
  newPasswordHint: {
    en: "10 to 128 characters, at least five different ones. A few words in a row are a good choice.",
    it: "Da 10 a 128 caratteri, almeno cinque diversi. Alcune parole di seguito sono una buona scelta.",
  },
  passwordRefused: {
    en: "Choose another one: 10 to 128 characters, five different ones, not easy to guess and not your name.",
    it: "Scegline un’altra: da 10 a 128 caratteri, cinque diversi, non facile da indovinare e non il tuo nome.",
  },
  passwordAgain: { en: "The same password again", it: "Ripeti la password" },
  passwordsDiffer: { en: "The two passwords are not the same.", it: "Le due password non coincidono." },
} as const;
