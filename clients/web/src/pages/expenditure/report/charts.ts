import type { GetReportResponse, Part, TerritoryValue } from "../../../api/expenditure_v1.js";
import { translator } from "../../../language/words.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { addressOf, reportPath, shownMeasure, voicePath } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import { drawBars } from "../../../expenditure/bars.js";
import { drawHistogram } from "../../../expenditure/bars_histogram.js";
import { drawPie, isPie, largestPart } from "../../../expenditure/composition.js";
import { figure } from "../../../expenditure/figure.js";
import { histogramOf } from "../../../expenditure/histogram.js";
import type { Bin } from "../../../expenditure/histogram.js";
import { rankOf } from "../../../expenditure/rank.js";
import { foldedTable } from "../../../expenditure/reports/paper.js";
import { remember } from "../../../expenditure/reports/picked.js";
import {
  centsText, numberOf, shortText, shortValue, territoryName, valueText, voiceText,
} from "../../../expenditure/reports/say.js";
import { seriesFigure } from "../../../expenditure/reports/series_figure.js";
import { numbersTable, partLink, partsTable, ranksTable, yearsTable } from "../../../expenditure/reports/tables.js";
import type { Ranked, Shown } from "../../../expenditure/reports/tables.js";
import { words } from "../../../expenditure/reports/words.js";

/** The charts of a report: composition, pie, series and histogram, each with its table. */
export class Charts {
  private readonly t;
  private readonly shown: Shown;
  private readonly year: number;

  /**
   * @param state of the address, which leaves open what its visitor has left open.
   * @param here the address of the page.
   */
  constructor(
    private readonly context: PageContext, private readonly report: GetReportResponse,
    private readonly exact: ViewState, private readonly state: ViewState, private readonly here: string,
    private readonly about: { readonly name: string; readonly notes: readonly string[] },
  ) {
    this.t = translator(words, context.locale.language);
    this.shown = {
      measure: shownMeasure(report.view?.measure), hasIndex: report.index !== undefined, locale: context.locale,
    };
    this.year = report.view?.year ?? 0;
  }

  sections(): Node[] {
    return [...this.composition(), ...this.pie(), this.series(), ...this.others()];
  }

  /** A link whose page leads back here, with the focus on it. */
  picked(link: HTMLAnchorElement | HTMLElement, id: string): HTMLElement {
    return remember(link, id, this.here);
  }

  private get territory(): string {
    return this.report.territory?.code ?? "";
  }

  /** Its own report, where it has parts; otherwise all that is known about it. */
  private addressOfPart({ voice }: Part): string {
    const code = voice?.code ?? "";
    if (voice?.partCount) return addressOf(reportPath(this.territory), { ...this.state, voice: code });
    return addressOf(voicePath(this.territory, code), { ...this.state, voice: "" });
  }

  private composition(): Node[] {
    const { t, shown, year } = this;
    const { locale, measure } = shown;
    const parts = this.report.parts ?? [];
    if (parts.length === 0) return [element("p", { class: "hint" }, t("noParts"))];
    const title = t("composition", { measure: t(measure), year: String(year) });
    const largest = largestPart(parts);
    const most = !largest ? t("noLargest")
      : t("largest", { voice: voiceText(largest.voice), value: shortValue(largest.value, measure, locale) });
    const link = (part: Part): HTMLElement => (
      this.picked(partLink(part, this.addressOfPart(part)), `part-${part.voice?.code ?? ""}`));
    const rows = parts.map((part) => ({
      label: voiceText(part.voice),
      bars: [{ value: numberOf(part.value), text: shortValue(part.value, measure, locale), series: 0 }],
      pick: () => document.getElementById(`part-${part.voice?.code ?? ""}`)?.click(),
    }));
    const rest = this.report.unexplainedCents;
    const areAllThere = parts.every(({ value }) => value?.source !== undefined);
    const sum = !areAllThere ? [] : [element("p", { class: "hint" }, rest === undefined || rest === "0"
      ? t("explained") : t("unexplained", { amount: centsText(rest, locale) }))];
    return [
      figure({
        id: "composition", title, summary: t("compositionSummary", { count: String(parts.length), most }),
        draw: (width) => drawBars(rows, width), table: partsTable(parts, title, link, shown), isOpen: true,
        notes: [this.about.name, ...this.about.notes], signal: this.context.signal,
      }, locale), ...sum];
  }

  private pie(): Node[] {
    const { t, shown, year } = this;
    const { locale, measure } = shown;
    const parts = this.report.parts ?? [];
    if (parts.length === 0 || measure === "MEASURE_CHANGE") return [];
    if (!isPie(parts)) return [element("p", { class: "hint" }, t("noPie"))];
    const whole = parts.reduce((sum, { value }) => sum + (numberOf(value) ?? 0), 0);
    const share = (part: Part): string => (
      shortText(((numberOf(part.value) ?? 0) / whole) * 1_000_000, "MEASURE_SHARE", locale));
    const title = t("pie", { year: String(year) });
    const table = numbersTable<Part>([
      { head: t("voice"), cell: ({ voice }) => element("span", { lang: "it" }, voiceText(voice)) },
      { head: t("share"), isValue: true, cell: share },
      { head: t("value"), cell: ({ value }) => valueText(value, measure, locale) },
    ], parts, title, locale);
    return [figure({
      id: "pie", title,
      summary: t("pieSummary", {
        count: String(parts.length), parts: parts.map((part) => `${voiceText(part.voice)} ${share(part)}`).join("; "),
      }),
      draw: (width) => drawPie(parts.map((part) => (
        { label: voiceText(part.voice), text: share(part), value: numberOf(part.value) ?? 0 })), width),
      table, notes: [this.about.name, ...this.about.notes], signal: this.context.signal,
    }, locale)];
  }

  private series(): Node {
    const { t, shown, about } = this;
    const series = this.report.series ?? [];
    const title = t("series", { measure: t(shown.measure) });
    return seriesFigure({
      id: "series", title, lines: [{ name: about.name, series }], table: yearsTable(series, title, shown),
      notes: [about.name, ...about.notes], signal: this.context.signal,
    }, shown);
  }

  private others(): Node[] {
    const { t, shown, year, territory } = this;
    const { locale, measure } = shown;
    const others = this.report.others ?? [];
    const values = others.map(({ territory: code = "", value }) => ({ code, value: numberOf(value) }));
    const histogram = histogramOf(values, territory);
    if (!histogram) return [];
    const title = t("histogram", { measure: t(measure), year: String(year) });
    const count = String(others.length - histogram.missing);
    const say = (limit: number): string => shortText(limit, measure, locale);
    const bins = numbersTable<Bin>([
      { head: t(measure), cell: ({ from, to }) => t("range", { from: say(from), to: say(to) }) },
      { head: t("count"), isValue: true, cell: ({ codes, isOwn }) => `${codes.length}${isOwn ? " ▲" : ""}` },
      { head: t("territory"), cell: ({ codes }) => codes.map((code) => territoryName(code, locale)).join("; ") },
    ], histogram.bins, title, locale);
    const isAmong = values.some(({ code, value }) => code === territory && value !== undefined);
    return [
      figure({
        id: "histogram", title,
        summary: isAmong ? t("histogramSummary", { count, territory: this.about.name })
          : t("histogramOfAll", { count }),
        draw: (width) => drawHistogram(histogram, width, say), table: bins,
        notes: [this.about.name, ...this.about.notes], signal: this.context.signal,
      }, locale),
      foldedTable(t("accounts"), this.ranks(others), false, this.context.signal)];
  }

  private ranks(others: readonly TerritoryValue[]): HTMLElement {
    const { shown, t } = this;
    const all = others.map(({ territory: code = "", value }) => ({ code, value: numberOf(value) }));
    const rows = others.map((one): Ranked => ({ ...one, place: rankOf(all, one.territory ?? "")?.rank ?? 0 }));
    rows.sort((one, other) => (one.place || Infinity) - (other.place || Infinity));
    const link = (code: string): HTMLElement => {
      const address = addressOf(reportPath(code), this.state);
      return this.picked(element("a", { href: address }, territoryName(code, shown.locale)), `rank-${code}`);
    };
    const caption = `${t("accounts")}: ${voiceText(this.report.whole?.voice)}, ${this.exact.year}`;
    return ranksTable(rows, this.territory, caption, link, shown);
  }
}
