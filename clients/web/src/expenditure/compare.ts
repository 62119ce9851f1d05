import type { ComparedTerritory, Part } from "../api/expenditure_v1.js";
import type { BarRow } from "./bars.js";
import { numberOf, shortValue, voiceText } from "./reports/say.js";
import type { Locale } from "../language/choice.js";
import type { ShownMeasure } from "./address.js";

/** How many territories are compared. */
export const comparedLeast = 2;
export const comparedMost = 5;

/** One voice of every side. */
export interface ComparedVoice {
  readonly label: string;
  /** A value for each side, in their order. */
  readonly parts: readonly Part[];
}

/** The voice that is compared, and each of its parts, on every side. */
export function comparedVoices(sides: readonly ComparedTerritory[], whole: string): ComparedVoice[] {
  const first = sides[0]?.parts ?? [];
  const wholes = sides.map(({ value }): Part => (value === undefined ? {} : { value }));
  return [
    { label: whole, parts: wholes },
    ...first.map((part, index) => (
      { label: voiceText(part.voice), parts: sides.map(({ parts }) => parts?.[index] ?? {}) })),
  ];
}

/** The same as bars: each voice has one for every side, on one scale. */
export function comparedRows(
  voices: readonly ComparedVoice[], names: readonly string[], measure: ShownMeasure, locale: Locale,
  say: (name: string, value: string) => string,
): BarRow[] {
  return voices.map(({ label, parts }) => ({
    label, bars: parts.map(({ value }, series) => ({
      value: numberOf(value), text: say(names[series] ?? "", shortValue(value, measure, locale)), series,
    })),
  }));
}

/** Whether so many can be compared. */
export function isComparable(codes: readonly string[]): boolean {
  return codes.length >= comparedLeast && codes.length <= comparedMost;
}
