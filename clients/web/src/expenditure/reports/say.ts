import type {
  Denominator, MissingReason, Rank, SourceRow, Territory, Value, Voice,
} from "../../api/expenditure_v1.js";
import type { Int64 } from "../../json/scalars.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { dayText } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { ShownMeasure } from "../address.js";
import { changeText, compactEuroText, countText, euroText, percentText, wholeEuroText } from "../format.js";
import { rankText } from "../rank.js";
import { officialName, regionName } from "../regions/names.js";
import { words } from "./words.js";

/** Shares and changes are sent in millionths. */
const millionth = 1_000_000;

/** The number of a value in its unit, cents or millionths; undefined where there is none. */
export function numberOf(value: Value | undefined): number | undefined {
  return value?.number === undefined ? undefined : Number(value.number);
}

/** A number of a measure in full: "9.876.543,21 €", "12,3%". */
export function numberText(number: Int64 | number, measure: ShownMeasure, locale: Locale): string {
  switch (measure) {
    case "MEASURE_EUROS":
    case "MEASURE_PER_RESIDENT": return euroText(cents(number), locale);
    case "MEASURE_SHARE": return percentText(Number(number) / millionth, locale);
    case "MEASURE_CHANGE": return changeText(Number(number) / millionth, locale);
  }
}

/** The same in few letters, for charts: "9,9 mld €". */
export function shortText(number: Int64 | number, measure: ShownMeasure, locale: Locale): string {
  if (measure === "MEASURE_EUROS") return compactEuroText(cents(number), locale);
  if (measure === "MEASURE_PER_RESIDENT") return wholeEuroText(cents(number), locale);
  return numberText(number, measure, locale);
}

/** A limit of an axis lies between cents, too. */
function cents(number: Int64 | number): bigint {
  return BigInt(typeof number === "number" ? Math.round(number) : number);
}

/** A value, or why there is none. */
export function valueText(value: Value | undefined, measure: ShownMeasure, locale: Locale): string {
  return value?.number === undefined ? missingText(value?.missing, locale) : numberText(value.number, measure, locale);
}

/** A value in few letters, or why there is none. */
export function shortValue(value: Value | undefined, measure: ShownMeasure, locale: Locale): string {
  return value?.number === undefined ? missingText(value?.missing, locale) : shortText(value.number, measure, locale);
}

/** Why there is no number. */
export function missingText(reason: MissingReason | undefined, locale: Locale): string {
  return translator(words, locale.language)(reason ?? "MISSING_REASON_UNSPECIFIED");
}

/** Cents as euros. */
export function centsText(cents: string | undefined, locale: Locale): string {
  return euroText(cents ?? "0", locale);
}

/** Release, file and row of a number. */
export function sourceText(source: SourceRow | undefined, locale: Locale): string {
  const t = translator(words, locale.language);
  if (!source) return t("noSource");
  const { release = "", file = "", row = "0" } = source;
  return t("sourceRow", { release, file, row: countText(row, locale) });
}

/** What a value per resident was divided by, and where that stands. */
export function residentsText(denominator: Denominator | undefined, locale: Locale): string {
  if (!denominator) return "";
  const t = translator(words, locale.language);
  const residents = t("residents", {
    residents: countText(denominator.residents ?? "0", locale),
    date: dayText(denominator.date ?? "1970-01-01", locale),
  });
  const { release = "", file = "", row = "0" } = denominator.source ?? {};
  // Italy's have no row of their own.
  const source = row === "0" ? t("sourceSum", { release, file }) : sourceText(denominator.source, locale);
  return t("residentsFrom", { residents, source });
}

/** "3rd of 21, tied with two"; empty where there is no rank. */
export function placeText(rank: Rank | undefined, locale: Locale): string {
  if (!rank?.place) return "";
  const tiedWith = new Array<string>(rank.tiedWith ?? 0).fill("");
  return rankText({ rank: rank.place, count: rank.of ?? 0, tiedWith }, locale);
}

/** A territory by its code: in English with the official Italian name beside it, where that is another one. */
export function territoryName(code: string, locale: Locale, territory?: Territory): string {
  if (code === "IT") return translator(words, locale.language)("italy");
  const official = officialName(code) ?? territory?.name ?? code;
  const name = regionName(code, locale) ?? (locale.language === "en" ? territory?.nameEn : undefined) ?? "";
  return name === "" || name === official ? official : `${name} (${official})`;
}

/** What the official form calls a voice: Italian, whatever the language of the page. */
export function voiceText(voice: Voice | undefined): string {
  return `${voice?.code ?? ""} ${voice?.description ?? ""}`.trim();
}

/** The same as an element that says its language. */
export function voiceName(voice: Voice | undefined): HTMLElement {
  return element("span", { lang: "it" }, voiceText(voice));
}
