const codes = new Intl.Collator("it", { numeric: true });

/** The order of codes in a dictionary: as Italians sort, and with numbers as numbers. */
export function compareCodes(one: string, other: string): number {
  return codes.compare(one, other);
}

/** Without accents and capitals: who looks something up need not know how it is written. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’‘`]/g, "'").toLocaleLowerCase("it");
}

/** Whether a text has each of the words, or the beginning of a code. */
export function matches(wanted: string, text: string): boolean {
  const within = plain(text);
  return plain(wanted).split(/\s+/).every((word) => within.includes(word));
}
