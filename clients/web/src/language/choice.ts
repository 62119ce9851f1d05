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

/** The language that was chosen in this browser, or else the first that it asks for. */
export function currentLanguage(): Language {
  return chooseLanguage(readKept(), navigator.languages);
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
