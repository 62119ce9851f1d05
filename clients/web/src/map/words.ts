export const words = {
  zoomIn: { en: "Zoom in", it: "Ingrandisci" },
  zoomOut: { en: "Zoom out", it: "Riduci" },
  showAll: { en: "Show everything", it: "Mostra tutto" },
  left: { en: "Move left", it: "Sposta a sinistra" },
  right: { en: "Move right", it: "Sposta a destra" },
  up: { en: "Move up", it: "Sposta in alto" },
  down: { en: "Move down", it: "Sposta in basso" },
  controls: { en: "Map controls", it: "Comandi della mappa" },
  map: { en: "map", it: "mappa" },
  keys: {
    en: "Arrow keys move the map, plus and minus zoom, 0 shows everything.",
    it: "Le frecce spostano la mappa, più e meno cambiano la scala, 0 mostra tutto.",
  },
  pickKeys: {
    en: "Enter puts the place where the cross is, in the middle of the map.",
    it: "Invio mette il luogo dove si trova la croce, al centro della mappa.",
  },
  streetsMissing: {
    en: "Part of the map could not be loaded. Places and lines are where they belong.",
    it: "Una parte della mappa non si è caricata. Luoghi e linee sono al posto giusto.",
  },
} as const;
