export const words = {
  asTable: { en: "{title}: table", it: "{title}: tabella" },
  none: { en: "There is nothing in this interval.", it: "In questo intervallo non c’è nulla." },
  summary: {
    en: "{title}, chart from {from} to {to}. {series}",
    it: "{title}, grafico dal {from} al {to}. {series}",
  },
  summaryOfSeries: {
    en: "{name}: {count} points from {least} to {most}, the newest {last}.",
    it: "{name}: {count} punti da {least} a {most}, l’ultimo {last}.",
  },
  point: { en: "Point of the chart", it: "Punto del grafico" },
  pointText: { en: "{moment}: {values}", it: "{moment}: {values}" },
  valueOf: { en: "{name} {value}", it: "{name} {value}" },
  between: { en: "{value}, from {least} to {most}", it: "{value}, da {least} a {most}" },
  time: { en: "Time", it: "Ora" },
  value: { en: "Value", it: "Valore" },
  mean: { en: "Mean", it: "Media" },
  least: { en: "Least", it: "Minimo" },
  most: { en: "Greatest", it: "Massimo" },
  count: { en: "Readings", it: "Misure" },
  band: {
    en: "Lines are means; bands reach from the least to the greatest value.",
    it: "Le linee sono medie; le fasce vanno dal valore minimo al massimo.",
  },
  more: { en: "Show more rows", it: "Mostra altre righe" },
} as const;
