import type { YearValue } from "../../api/expenditure_v1.js";
import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import { figure } from "../figure.js";
import { drawYears } from "../series.js";
import type { YearLine } from "../series.js";
import { numberOf, numberText, shortText, shortValue } from "./say.js";
import type { Shown } from "./tables.js";
import { words } from "./words.js";

export interface SeriesOptions {
  readonly id: string;
  readonly title: string;
  readonly lines: ReadonlyArray<{ readonly name: string; readonly series: readonly YearValue[] }>;
  readonly table: Node;
  readonly notes: readonly string[];
  /** Of the page. */
  readonly signal: AbortSignal;
}

/** Values over the years as lines. What is missing is a gap; its reason stands in the table. */
export function seriesFigure(
  { id, title, lines, table, notes, signal }: SeriesOptions, { measure, locale }: Shown,
): HTMLElement {
  const t = translator(words, locale.language);
  const drawn = lines.map(({ name, series }, index): YearLine => ({
    name, series: index, points: series.flatMap(({ year = 0, value }) => {
      const number = numberOf(value);
      return number === undefined ? [] : [{ year, value: number }];
    }),
  }));
  const years = drawn.flatMap(({ points }) => points.map(({ year }) => year));
  const told = lines.map(({ name, series }, index) => {
    const newest = [...series].reverse().find(({ value }) => numberOf(value) !== undefined);
    const count = drawn[index]?.points.length ?? 0;
    return t(count === 1 ? "seriesLineOne" : "seriesLine", {
      name, count: String(count), value: shortValue(newest?.value, measure, locale),
    });
  });
  const summary = years.length === 0 ? t("seriesEmpty") : t("seriesSummary", {
    from: String(Math.min(...years)), to: String(Math.max(...years)), lines: told.join("; "),
  });
  const made = figure({
    id, title, summary, table, notes, signal, draw: (width) => drawYears(drawn, width, [
      (value) => shortText(value, measure, locale), (value) => numberText(value, measure, locale),
    ]),
  }, locale);
  if (years.length === 0) made.append(element("p", { class: "hint" }, t("seriesEmpty")));
  else if (new Set(years).size === 1) made.append(element("p", { class: "hint" }, t("oneYear")));
  return made;
}
