export const words = {
  hint: { en: "Press a class to pick out its regions.", it: "Premi una classe per mettere in risalto le sue regioni." },
  oneRegion: { en: "{count} region", it: "{count} regione" },
  regions: { en: "{count} regions", it: "{count} regioni" },
} as const;
