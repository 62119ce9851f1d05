export const words = {
  title: { en: "Receipt of an erasure", it: "Ricevuta di una cancellazione" },
  what: {
    en: "Whoever has left for good can see here how far the erasure is.",
    it: "Chi ha eliminato il proprio account può vedere qui a che punto è la cancellazione.",
  },
  receipt: { en: "Number of the receipt", it: "Numero della ricevuta" },
  receiptHint: { en: "As it was shown when you left.", it: "Come è comparso quando hai eliminato l’account." },
  unknown: {
    en: "There is no such receipt. Look whether you have copied all of it.",
    it: "Questa ricevuta non esiste. Controlla di averla copiata per intero.",
  },
  submit: { en: "Look it up", it: "Consulta" },
} as const;
