export const words = {
  title: { en: "App Dictionary", it: "Dizionario dell’app" },
  intro: {
    en: "What each code of the official account means, in the order of the codes. The account is kept in Italian; where nobody has written a definition, its official description stands for it.",
    it: "Che cosa significa ogni codice del conto economico ufficiale, in ordine di codice. Dove nessuno ha scritto una definizione vale la descrizione ufficiale.",
  },
  search: { en: "Find a code or a word", it: "Cerca un codice o una parola" },
  searchHint: { en: "Accents and capitals do not matter.", it: "Accenti e maiuscole non contano." },
  shown: { en: "{shown} of {all} codes", it: "{shown} codici su {all}" },
  years: { en: "Years with this code", it: "Anni con questo codice" },
  noYears: { en: "none in the accounts of the regions", it: "nessuno nei conti delle regioni" },
  formerly: { en: "Formerly", it: "In passato" },
  noDefinition: {
    en: "No definition has been written; the official description is above.",
    it: "Nessuno ha ancora scritto una definizione; sopra c’è la descrizione ufficiale.",
  },
  edit: { en: "Edit", it: "Modifica" },
  editWhat: { en: "Edit the definition of {code}", it: "Modifica la definizione di {code}" },
} as const;
