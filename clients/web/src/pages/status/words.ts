export const words = {
  title: { en: "Current status", it: "Stato attuale" },
  caption: { en: "The newest reading of each kind", it: "La misura più recente di ogni tipo" },
  kind: { en: "Kind", it: "Tipo" },
  value: { en: "Value", it: "Valore" },
  time: { en: "Time", it: "Ora" },
  age: { en: "Age", it: "Età" },
  none: { en: "There are no readings yet.", it: "Non ci sono ancora misure." },
} as const;
