import { languages } from "./words.js";
import type { Language } from "./words.js";

/** Where the language that somebody has chosen is kept in the browser. */
const storageKey = "trackme.language";

/** The first of the wanted languages, such as "it-CH", that there is; English where there is none. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): Language {
  for (const tag of [kept ?? "", ...wanted]) {
    const found = languages.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (found) return found;
  }
  return "en";
}

/** The language of a page, and the customs by which it writes numbers and times. */
export interface Locale {
  readonly language: Language;
  /** For `Intl`: "en-GB". */
  readonly tag: string;
}

/** The customs that the browser asks for, where they are of the language. */
export function localeOf(language: Language, wanted: readonly string[]): Locale {
  return { language, tag: wanted.find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language };
}

/** The language that the address names ("?lang=it"), or else that was chosen in this browser, or the first that it asks for. */
export function currentLanguage(): Language {
  const named = new URLSearchParams(location.search).get("lang");
  const kept = readKept();
  return chooseLanguage(named, kept === null ? navigator.languages : [kept, ...navigator.languages]);
}

/** Keeps a choice, where the browser lets pages keep anything. */
export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The choice holds until the page is loaded again.
  }
}

function readKept(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
