export const words = {
  title: { en: "Current status", it: "Stato attuale" },
  caption: { en: "The newest reading of each kind", it: "La misura più recente di ogni tipo" },
  kind: { en: "Kind", it: "Tipo" },
  value: { en: "Value", it: "Valore" },
  time: { en: "Time", it: "Ora" },
  age: { en: "Age", it: "Età" },
  none: { en: "There are no readings yet.", it: "Non ci sono ancora misure." },
  connecting: { en: "Connecting…", it: "Connessione in corso…" },
  live: { en: "Live: new readings appear at once.", it: "In diretta: le nuove misure compaiono subito." },
  stale: {
    en: "The connection is lost. What you see is the state of {time}.",
    it: "La connessione è interrotta. Quello che vedi risale alle {time}.",
  },
  resting: { en: "Paused while nobody looks.", it: "In pausa mentre nessuno guarda." },
} as const;
