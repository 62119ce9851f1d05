import type { GroupAnswer, GroupHour, GroupProfile, GroupQuantile, GroupResult } from "../api/groups_v1.js";
import type { Metric } from "../api/readings_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { metricName, unitName } from "../metrics/format.js";
import { Table } from "../parts/table.js";
import type { Column } from "../parts/table.js";
import { element } from "../shell/element.js";
import { errorBars } from "./error_bars.js";
import type { Bar } from "./error_bars.js";
import { estimateText, shareText } from "./numbers.js";
import { daysText } from "./question.js";
import { words } from "./words.js";

/**
 * An answer about a group: its numbers as tables, each with its error, and drawn where there are several to compare.
 * @param period that it is about, which tells its tables from those of other answers on the page.
 */
export function answerNodes(answer: GroupAnswer, period: string, registry: readonly Metric[], locale: Locale): Node[] {
  return new AnswerView(period, registry, locale).nodes(answer);
}

class AnswerView {
  private readonly t;

  constructor(
    private readonly period: string, private readonly registry: readonly Metric[], private readonly locale: Locale,
  ) {
    this.t = translator(words, locale.language);
  }

  nodes(answer: GroupAnswer): Node[] {
    const results = answer.results ?? [];
    const nodes: Node[] = [this.results(results)];
    for (const metric of new Set(results.map((result) => result.metric ?? ""))) {
      nodes.push(...this.means(metric, results.filter((result) => result.metric === metric)));
    }
    for (const result of results) nodes.push(...this.histogram(result), ...this.quantiles(result));
    for (const profile of answer.profiles ?? []) nodes.push(...this.profile(profile));
    return nodes;
  }

  private known(metric: string | undefined): Metric | undefined {
    return this.registry.find(({ name }) => name === metric);
  }

  private name(metric: string | undefined): string {
    return metricName(metric ?? "", this.known(metric), this.locale);
  }

  private unit(metric: string | undefined): string {
    return unitName(this.known(metric)?.unit, this.locale);
  }

  private results(results: readonly GroupResult[]): HTMLElement {
    const { t, locale } = this;
    const columns: Array<Column<GroupResult>> = [
      { head: t("kind"), cell: ({ metric }) => this.name(metric) },
      { head: t("days"), cell: ({ fromDate, toDate }) => daysText(fromDate, toDate, locale) },
      {
        head: t("persons"), isValue: true,
        cell: (result) => (result.isWithheld ? t("withheld") : estimateText(result.persons, locale)),
      },
    ];
    if (results.some(({ mean }) => mean)) {
      columns.push({ head: t("mean"), isValue: true, cell: (r) => estimateText(r.mean, locale, this.unit(r.metric)) });
    }
    if (results.some(({ standardDeviation }) => standardDeviation)) {
      columns.push({
        head: t("deviation"), isValue: true, cell: (r) => estimateText(r.standardDeviation, locale, this.unit(r.metric)),
      });
    }
    const table = new Table<GroupResult>(columns, { caption: t("answerCaption", { period: this.period }) }, locale);
    table.draw(results);
    return table.node;
  }

  /** The means of one kind, where there are several days to compare. */
  private means(metric: string, results: readonly GroupResult[]): Node[] {
    const bars = results.flatMap(({ mean, fromDate }): Bar[] => (mean
      ? [{ label: shortDay(fromDate, this.locale), value: toNumber(mean.value), error: toNumber(mean.error) }] : []));
    if (bars.length < 2) return [];
    return this.drawn(this.t("meanChart", { metric: this.nameAndUnit(metric) }), bars, "points");
  }

  private nameAndUnit(metric: string | undefined): string {
    const unit = this.unit(metric);
    return unit === "" ? this.name(metric) : `${this.name(metric)} (${unit})`;
  }

  private histogram(result: GroupResult): Node[] {
    const { t, locale } = this;
    const counts = result.histogram ?? [];
    if (counts.length === 0) return [];
    const number = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 2 });
    const [from, to] = [toNumber(result.scaleFrom), toNumber(result.scaleTo)];
    const edge = (index: number): string => number.format(from + ((to - from) * index) / counts.length);
    const title = this.titled("histogram", result);
    const bars = counts.map((count, index) => (
      { label: edge(index), value: toNumber(count.value), error: toNumber(count.error) }));
    const table = new Table<number>([
      { head: t("range"), cell: (index) => `${edge(index)} – ${edge(index + 1)}` },
      { head: t("persons"), isValue: true, cell: (index) => estimateText(counts[index], locale) },
    ], { caption: title }, locale);
    table.draw(counts.map((_, index) => index));
    return [...this.drawn(title, bars, "zero"), table.node];
  }

  private quantiles(result: GroupResult): Node[] {
    const { t, locale } = this;
    const quantiles = result.quantiles ?? [];
    if (quantiles.length === 0) return [];
    const table = new Table<GroupQuantile>([
      { head: t("share"), cell: ({ share }) => shareText(toNumber(share), locale) },
      { head: t("value"), isValue: true, cell: ({ estimate }) => estimateText(estimate, locale, this.unit(result.metric)) },
    ], { caption: this.titled("quantiles", result) }, locale);
    table.draw(quantiles);
    return [table.node];
  }

  private profile(profile: GroupProfile): Node[] {
    const { t, locale } = this;
    const hours = profile.hours ?? [];
    const clock = (hour: GroupHour): string => `${String(hour.hour ?? 0).padStart(2, "0")}:00`;
    const title = `${t("profile", { metric: this.nameAndUnit(profile.metric) })}, ${this.period}`;
    const bars = hours.flatMap((hour): Bar[] => (hour.mean && !hour.isWithheld
      ? [{ label: clock(hour), value: toNumber(hour.mean.value), error: toNumber(hour.mean.error) }] : []));
    const table = new Table<GroupHour>([
      { head: t("hour"), cell: clock },
      { head: t("persons"), isValue: true, cell: (hour) => (hour.isWithheld ? t("withheld") : estimateText(hour.persons, locale)) },
      { head: t("mean"), isValue: true, cell: ({ mean }) => estimateText(mean, locale, this.unit(profile.metric)) },
    ], { caption: title }, locale);
    table.draw(hours);
    return [...this.drawn(title, bars, "points"), table.node];
  }

  private drawn(title: string, bars: readonly Bar[], from: "zero" | "points"): Node[] {
    return bars.length === 0 ? [] : [element("h3", {}, title), errorBars(title, bars, from, this.locale)];
  }

  /** With the days where there are several answers of one kind. */
  private titled(key: "histogram" | "quantiles", { metric, fromDate, toDate }: GroupResult): string {
    return `${this.t(key, { metric: this.nameAndUnit(metric) })}, ${daysText(fromDate, toDate, this.locale)}`;
  }
}

function shortDay(day: string | undefined, locale: Locale): string {
  return new Intl.DateTimeFormat(locale.tag, { day: "numeric", month: "short", timeZone: "UTC" })
    .format(new Date(`${day ?? ""}T00:00:00Z`));
}
