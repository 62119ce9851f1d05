export const words = {
  menu: { en: "Menu", it: "Menu" },
  about: { en: "General Information", it: "Informazioni generali" },
  dictionary: { en: "App Dictionary", it: "Dizionario dell’app" },
  tutorial: { en: "Tutorial", it: "Tutorial" },
} as const;
