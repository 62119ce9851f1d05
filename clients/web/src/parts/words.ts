export const words = {
  required: { en: "Fill this in.", it: "Compila questo campo." },
  notANumber: { en: "Enter a number.", it: "Inserisci un numero." },
  tooSmall: { en: "Enter {least} or more.", it: "Inserisci {least} o più." },
  tooLarge: { en: "Enter {most} or less.", it: "Inserisci {most} o meno." },
  notADate: { en: "Enter a date.", it: "Inserisci una data." },
  notATime: { en: "Enter a date and a time.", it: "Inserisci una data e un’ora." },
  refused: { en: "The server does not take this.", it: "Il server non lo accetta." },
  problems: {
    en: "This was not sent. Look at the fields that are marked.",
    it: "Non è stato inviato. Controlla i campi segnalati.",
  },
  none: { en: "There is nothing here yet.", it: "Qui non c’è ancora nulla." },
  more: { en: "Show more", it: "Mostra altro" },
  back: { en: "Go back", it: "Torna indietro" },
  connecting: { en: "Connecting…", it: "Connessione in corso…" },
  live: { en: "Live: what is new appears at once.", it: "In diretta: le novità compaiono subito." },
  stale: {
    en: "The connection is lost. What you see is the state of {time}.",
    it: "La connessione è interrotta. Quello che vedi risale alle {time}.",
  },
  resting: { en: "Paused while nobody looks.", it: "In pausa mentre nessuno guarda." },
} as const;
