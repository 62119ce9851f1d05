import type { ListVoicesResponse, Origin, Voice } from "../api/expenditure_v1.js";
import { element } from "../shell/element.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { dateOf, momentText } from "../parts/time.js";
import { addressOf } from "./address.js";
import type { ViewState } from "./address.js";
import { words } from "./origin/words.js";

/** Whose boundaries the map draws. */
export const boundaries = "© ISTAT, openpolis, CC BY 4.0";

/**
 * What stands below every page with figures: sources with their licences, the release, and why it was published
 * although a check had failed.
 * @param state of the page, which the link to the method keeps; undefined on the page of the method itself.
 */
export function originFooter(origin: Origin | undefined, locale: Locale, state: ViewState | undefined): HTMLElement {
  const t = translator(words, locale.language);
  const sources = (origin?.sources ?? []).map(({ name, licence, uri }) => {
    const link = uri && /^https:\/\//.test(uri) ? element("a", { href: uri, rel: "external" }, name ?? "") : name ?? "";
    return element("li", {}, link, ` (${licence ?? ""})`);
  });
  const reason = origin?.overrideReason ?? "";
  return element(
    "div", { class: "origin" }, element("p", {}, releaseText(origin, locale)),
    ...(reason === "" ? [] : [element("p", { class: "problem" }, t("overridden", { reason }))]),
    element("p", {}, t("sources")), element("ul", {}, ...sources),
    ...(state ? [element("p", {}, element("a", { href: addressOf("/expenditure/about", state) }, t("method")))] : []));
}

/** "Release 3, of 25 November 2026." */
export function releaseText(origin: Origin | undefined, locale: Locale): string {
  const t = translator(words, locale.language);
  const release = origin?.release ?? "";
  const published = dateOf(origin?.publishedTime);
  if (!published) return t("draft", { release });
  return t("release", { release, day: momentText(published, locale, { dateStyle: "long" }) });
}

/** Which years and how many voices there are, so that nobody takes a part for the whole. */
export function extentText(
  { voices = [], years = [] }: Pick<ListVoicesResponse, "voices" | "years">, locale: Locale,
): string {
  const t = translator(words, locale.language);
  if (years.length === 0) return t("noYears");
  const count = new Intl.NumberFormat(locale.tag).format(voices.length);
  const has = years.length === 1 ? "oneYear" : "manyYears";
  return t(has, { years: yearsText(years), count, voices: voices.length > 8 ? "" : namesOf(voices) });
}

function namesOf(voices: readonly Voice[]): string {
  return `: ${voices.map(({ code, description }) => `${code ?? ""} ${description ?? ""}`.trim()).join("; ")}`;
}

/** Years in few words: "2012–2015, 2019". */
export function yearsText(years: readonly number[]): string {
  const runs: Array<[number, number]> = [];
  for (const year of years) {
    const last = runs[runs.length - 1];
    if (last && last[1] === year - 1) last[1] = year;
    else runs.push([year, year]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}
