export const words = {
  close: { en: "Close: back to the map", it: "Chiudi: torna alla mappa" },
} as const;
