import type { Locale } from "../../language/choice.js";
import type { Words } from "../../language/words.js";
import { words } from "./words.js";

const table: Words = words;

/** A region's name in the language of the page; undefined for other territories. */
export function regionName(code: string, locale: Locale): string | undefined {
  return table[code]?.[locale.language];
}

/** A region's official name, which stands beside an English one. */
export function officialName(code: string): string | undefined {
  return table[code]?.it;
}
