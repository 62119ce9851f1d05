import type { Voice } from "../../api/expenditure_v1.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { choiceField } from "../../parts/field.js";
import type { Choice, Field } from "../../parts/field.js";
import { measures, totalVoice } from "../address.js";
import type { ShownMeasure } from "../address.js";
import { voiceText } from "./say.js";
import { words } from "./words.js";

// What a view can be chosen from. What an address asks for can be chosen, even if there is no such thing: the page then
// says so.

/** Years, the newest on top. */
export function yearChoices(years: readonly number[], chosen: number): Array<Choice<string>> {
  const all = [...new Set([...years, ...(chosen === 0 ? [] : [chosen])])].sort((one, other) => other - one);
  return all.map((year) => ({ value: String(year), label: String(year) }));
}

/** Measures, in their order. */
export function measureField(chosen: ShownMeasure, locale: Locale): Field<ShownMeasure> {
  const t = translator(words, locale.language);
  return choiceField({
    name: "measure", label: t("measure"), value: chosen, choices: measures.map((value) => ({ value, label: t(value) })),
  }, locale);
}

/** Current prices, and those of each year that there is an index of. */
export function pricesField(years: readonly number[], chosen: number, locale: Locale): Field<string> {
  const t = translator(words, locale.language);
  const constant = yearChoices(years, chosen).map(({ value }) => ({ value, label: t("pricesOf", { year: value }) }));
  return choiceField({
    name: "prices", label: t("prices"), value: String(chosen),
    choices: [{ value: "0", label: t("currentPrices") }, ...constant],
  }, locale);
}

/** The tree of voices as lines, each farther in than what it is a part of. */
export function voiceField(voices: readonly Voice[], chosen: string, locale: Locale): Field<string> {
  const depths = new Map<string, number>();
  const choices = voices.map((voice) => {
    const depth = voice.parent ? (depths.get(voice.parent) ?? 0) + 1 : 0;
    depths.set(voice.code ?? "", depth);
    return { value: voice.code ?? "", label: "\u00a0\u00a0".repeat(depth) + voiceText(voice) };
  });
  const value = chosen || totalVoice;
  const field = choiceField({
    name: "voice", label: translator(words, locale.language)("voice"), value,
    choices: depths.has(value) ? choices : [...choices, { value, label: value }],
  }, locale);
  field.node.querySelector("select")?.setAttribute("lang", "it");
  return field;
}

/** How an address names the voice that was chosen: the total is left out. */
export function chosenVoice(field: Field<string>): string {
  const code = field.value() ?? "";
  return code === totalVoice ? "" : code;
}
