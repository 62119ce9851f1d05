export const words = {
  italian: { en: "Text in Italian", it: "Testo in italiano" },
  english: { en: "Text in English", it: "Testo in inglese" },
  empty: {
    en: "Leave both empty to take the text away, or to bring back the one that came with the product.",
    it: "Se lasci vuoti entrambi i testi, il testo viene tolto o torna quello fornito con il prodotto.",
  },
  save: { en: "Save", it: "Salva" },
  saved: { en: "The text is saved.", it: "Il testo è salvato." },
  changed: {
    en: "Somebody has changed this text meanwhile. Reload the page to see theirs; copy yours before you do.",
    it: "Nel frattempo qualcuno ha modificato questo testo. Ricarica la pagina per vederlo; prima copia il tuo.",
  },
} as const;
