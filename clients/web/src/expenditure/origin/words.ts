export const words = {
  release: { en: "Release {release} of the figures, published on {day}.", it: "Edizione {release} dei dati, pubblicata il {day}." },
  draft: {
    en: "Release {release} of the figures: a draft, not published.", it: "Edizione {release} dei dati: una bozza, non pubblicata.",
  },
  overridden: {
    en: "A check of these figures failed. They were published all the same, because: {reason}",
    it: "Un controllo su questi dati non è stato superato. Sono stati pubblicati comunque, perché: {reason}",
  },
  sources: { en: "Sources:", it: "Fonti:" },
  method: { en: "Where the figures come from, and how they are worked out", it: "Da dove vengono i dati e come sono calcolati" },
  noYears: { en: "This release has no accounts of regions.", it: "Questa edizione non ha conti regionali." },
  oneYear: {
    en: "This release has one year of accounts, {years}, and {count} voices{voices}.",
    it: "Questa edizione ha un solo anno di conti, il {years}, e {count} voci{voices}.",
  },
  manyYears: {
    en: "This release has accounts of the years {years}, and {count} voices{voices}.",
    it: "Questa edizione ha i conti degli anni {years} e {count} voci{voices}.",
  },
} as const;
