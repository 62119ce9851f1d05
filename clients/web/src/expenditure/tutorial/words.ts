export const words = {
  step: { en: "Tutorial: step {number} of {count}", it: "Tutorial: passo {number} di {count}" },
  next: { en: "Next", it: "Avanti" },
  back: { en: "Back", it: "Indietro" },
  finish: { en: "Finish", it: "Fine" },
  close: { en: "Close the tutorial: back to the map", it: "Chiudi il tutorial: torna alla mappa" },
  edit: { en: "Edit this step", it: "Modifica questo passo" },
} as const;
