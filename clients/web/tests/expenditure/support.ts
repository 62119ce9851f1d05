import type { Locale } from "../../src/language/choice.js";

export const italian: Locale = { language: "it", tag: "it-IT" };
export const english: Locale = { language: "en", tag: "en-GB" };

/** Numbers from 0 to 1 that are the same each time. */
export function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
