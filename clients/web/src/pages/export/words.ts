export const words = {
  title: { en: "Export your readings", it: "Esporta le tue misure" },
  what: {
    en: "You get a file with the readings that you choose, or with all of them. It is made for you alone: keep it safe.",
    it: "Ottieni un file con le misure che scegli, o con tutte. È solo per te: conservalo con cura.",
  },
  kinds: { en: "Kinds", it: "Tipi" },
  kindsHint: { en: "Choose none for all of them.", it: "Non sceglierne nessuno per averli tutti." },
  noPositions: {
    en: "FHIR has no positions: leave them out, or choose the table.",
    it: "FHIR non prevede posizioni: toglile, oppure scegli la tabella.",
  },
  from: { en: "From", it: "Dal" },
  fromHint: { en: "Leave it empty for everything from the beginning.", it: "Lascialo vuoto per averle tutte dall’inizio." },
  to: { en: "To", it: "Al" },
  toHint: { en: "Leave it empty for everything up to now.", it: "Lascialo vuoto per averle tutte fino a ora." },
  endsBeforeStart: { en: "The end must be after the beginning.", it: "La fine deve essere dopo l’inizio." },
  format: { en: "Format", it: "Formato" },
  csv: { en: "Table (CSV), for spreadsheets", it: "Tabella (CSV), per fogli di calcolo" },
  fhir: {
    en: "FHIR R4 (NDJSON), for doctors’ systems; without positions",
    it: "FHIR R4 (NDJSON), per i sistemi dei medici; senza posizioni",
  },
  submit: { en: "Download", it: "Scarica" },
  begun: {
    en: "The browser loads the file. If something goes wrong on the way, it says that the download failed.",
    it: "Il browser sta scaricando il file. Se qualcosa va storto, segnala che il download non è riuscito.",
  },
} as const;
