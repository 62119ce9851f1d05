import type { Part, TerritoryValue, Value, YearValue } from "../../api/expenditure_v1.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { Table } from "../../parts/table.js";
import type { Column } from "../../parts/table.js";
import { element } from "../../shell/element.js";
import type { ShownMeasure } from "../address.js";
import { centsText, residentsText, sourceText, territoryName, valueText, voiceName } from "./say.js";
import { words } from "./words.js";

// The numbers of the charts, each with the row of the file that it is out of.

/** Columns of a value: itself, the amount behind it where that is another number, and its source. */
function valueColumns<Row>(
  of: (row: Row) => Value | undefined, measure: ShownMeasure, hasIndex: boolean, locale: Locale,
): ReadonlyArray<Column<Row>> {
  const t = translator(words, locale.language);
  const value: Column<Row> = { head: t("value"), isValue: true, cell: (row) => valueText(of(row), measure, locale) };
  const amount: Column<Row> = {
    head: t("amount"), cell: (row) => (of(row)?.source ? centsText(of(row)?.amountCents, locale) : "–"),
  };
  const source: Column<Row> = {
    head: t("source"), cell: (row) => element("small", {}, sourceText(of(row)?.source, locale)),
  };
  return measure === "MEASURE_EUROS" && !hasIndex ? [value, source] : [value, amount, source];
}

/** One of several sides: its values and, below each, what it was divided by and the row that it is out of. */
export function sideColumn<Row>(
  name: string, of: (row: Row) => Value | undefined, measure: ShownMeasure, locale: Locale,
): Column<Row> {
  const cell = (row: Row): Node => {
    const value = of(row);
    const behind = [residentsText(value?.denominator, locale), sourceText(value?.source, locale)];
    return element(
      "span", {}, whereHeadsAreHidden(name), valueText(value, measure, locale),
      ...behind.filter((text) => text !== "").map((text) => element("small", { class: "behind" }, text)));
  };
  return { head: name, isValue: true, cell };
}

/** Says once more what a cell is, where a screen is too narrow for the heads of columns. */
export function whereHeadsAreHidden(head: string): HTMLElement {
  return element("small", { class: "cell-head", "aria-hidden": "true" }, head);
}

/** A table of numbers that is drawn once. */
export function numbersTable<Row>(
  columns: ReadonlyArray<Column<Row>>, rows: readonly Row[], caption: string, locale: Locale,
): HTMLElement {
  const table = new Table<Row>(columns, { caption }, locale);
  table.draw(rows);
  table.node.classList.add("numbers");
  return table.node;
}

/** What all tables of a page have in common. */
export interface Shown {
  readonly measure: ShownMeasure;
  /** Whether amounts are in the prices of another year. */
  readonly hasIndex: boolean;
  readonly locale: Locale;
}

/** Parts of a voice. @param link leads on from a part; it gets its id from the voice. */
export function partsTable(
  parts: readonly Part[], caption: string, link: (part: Part) => Node, { measure, hasIndex, locale }: Shown,
): HTMLElement {
  const t = translator(words, locale.language);
  return numbersTable<Part>([
    { head: t("voice"), cell: link }, ...valueColumns<Part>(({ value }) => value, measure, hasIndex, locale),
  ], parts, caption, locale);
}

/** A series, the newest year on top. */
export function yearsTable(
  series: readonly YearValue[], caption: string, { measure, hasIndex, locale }: Shown,
): HTMLElement {
  const t = translator(words, locale.language);
  return numbersTable<YearValue>([
    { head: t("year"), cell: ({ year }) => String(year ?? "") },
    ...valueColumns<YearValue>(({ value }) => value, measure, hasIndex, locale),
  ], [...series].reverse(), caption, locale);
}

/** Several series beside each other, the newest year on top. */
export function seriesTable(
  lines: ReadonlyArray<{ readonly name: string; readonly series: readonly YearValue[] }>, caption: string,
  { measure, locale }: Shown,
): HTMLElement {
  const t = translator(words, locale.language);
  const years = [...new Set(lines.flatMap(({ series }) => series.map(({ year }) => year ?? 0)))].sort((a, b) => b - a);
  return numbersTable<number>([
    { head: t("year"), cell: String },
    ...lines.map(({ name, series }) => (
      sideColumn(name, (year: number) => series.find((one) => one.year === year)?.value, measure, locale))),
  ], years, caption, locale);
}

/** A territory's value and its place among the others. */
export interface Ranked extends TerritoryValue {
  /** 0 where there is none. */
  readonly place: number;
}

/** The accounts by rank; those without a value at the end. @param own is marked. */
export function ranksTable(
  rows: readonly Ranked[], own: string, caption: string, link: (code: string) => Node,
  { measure, hasIndex, locale }: Shown,
): HTMLElement {
  const t = translator(words, locale.language);
  return numbersTable<Ranked>([
    { head: t("rank"), cell: ({ place }) => (place === 0 ? "–" : String(place)) },
    {
      head: t("territory"), isHeading: true, cell: ({ territory = "" }) => (
        territory === own ? element("strong", {}, t("own", { territory: territoryName(own, locale) }))
          : link(territory)),
    },
    ...valueColumns<Ranked>(({ value }) => value, measure, hasIndex, locale),
  ], rows, caption, locale);
}

/** A link to a part, in the words of the official form. */
export function partLink(part: Part, address: string): HTMLAnchorElement {
  return element("a", { id: `part-${part.voice?.code ?? ""}`, href: address }, voiceName(part.voice));
}
