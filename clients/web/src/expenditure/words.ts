/** What is said of amounts, classes and ranks wherever they are shown. */
export const words = {
  billions: { en: "€{value}\u00a0bn", it: "{value}\u00a0mld\u00a0€" },
  millions: { en: "€{value}\u00a0m", it: "{value}\u00a0mln\u00a0€" },
  ranked: { en: "{rank} of {count}", it: "{rank} su {count}" },
  rankedWithOne: { en: "{rank} of {count}, tied with one", it: "{rank} su {count}, a pari merito con un’altra" },
  rankedWithMore: { en: "{rank} of {count}, tied with {others}", it: "{rank} su {count}, a pari merito con altre {others}" },
  ordinalOne: { en: "{rank}st", it: "{rank}ª" },
  ordinalTwo: { en: "{rank}nd", it: "{rank}ª" },
  ordinalFew: { en: "{rank}rd", it: "{rank}ª" },
  ordinalOther: { en: "{rank}th", it: "{rank}ª" },
  two: { en: "two", it: "due" },
  three: { en: "three", it: "tre" },
  four: { en: "four", it: "quattro" },
  quantiles: { en: "Equal numbers of regions", it: "Lo stesso numero di regioni" },
  equal: { en: "Equal steps", it: "Intervalli uguali" },
  natural: { en: "Natural breaks", it: "Intervalli naturali" },
} as const;
