import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import type { Translate } from "../language/words.js";
import type { Column } from "../parts/table.js";
import { element } from "../shell/element.js";
import { drawing } from "./drawing.js";
import type { Drawing } from "./drawing.js";
import { LongTable } from "./long_table.js";
import { extentOf, momentsOf, nearest, pointAt, shown } from "./points.js";
import { svg } from "./svg.js";
import { pointMoment, precisionOf } from "./ticks.js";
import type { Precision } from "./ticks.js";
import type { ChartPoint, ChartSeries, ChartView } from "./view.js";
import { words } from "./words.js";

export interface ChartOptions {
  /** What it shows, such as "Heart rate"; the heading above it, and what its table is called. */
  readonly title: string;
  /** Behind every value; empty for none. */
  readonly unit: string;
  /** Unlike that of every other chart of the page. */
  readonly id: string;
  /** Stands beside the chart instead of the table of its points, such as a `LongTable` of what they are made of. */
  readonly table?: HTMLElement;
}

/** Before a chart is in a page. */
const usualWidth = 640;

/**
 * A chart of lines over time with its table. Its points are read one by one with a slider, by keyboard, finger and ear;
 * the pointer moves the slider too. Nothing in it moves by itself: it changes when `draw` is called.
 */
export class Chart {
  readonly node: HTMLElement;
  private readonly t: Translate<typeof words>;
  private readonly image = svg("svg", { role: "img", class: "plot" });
  private readonly legend = element("ul", { class: "legend" });
  private readonly slider: HTMLInputElement;
  private readonly chosen = element("p", { class: "chosen" });
  private readonly reader: HTMLElement;
  private readonly none: HTMLElement;
  private readonly beside = element("div");
  private view: ChartView = { from: 0, to: 1, series: [] };
  private series: readonly ChartSeries[] = [];
  private moments: readonly number[] = [];
  private precision: Precision = "second";
  /** Of numbers; means have no more than can be told apart in the chart. */
  private digits = 3;
  private drawn: Drawing | undefined;
  private mark = svg("g", { class: "mark" });
  private size = { width: 0, height: 0 };
  /** The moment that is read, unless it is the newest one. */
  private readTime: number | undefined;
  private table: LongTable<number> | undefined;
  /** The heads of the table, which change with the series. */
  private heads = "";

  constructor(private readonly options: ChartOptions, private readonly locale: Locale) {
    this.t = translator(words, locale.language);
    this.slider = element("input", { type: "range", min: "0", step: "1", id: `${options.id}-point` });
    this.slider.addEventListener("input", () => this.choose(Number(this.slider.value)));
    // Whoever listens to the newest point is not talked over by the next one; whoever has left it sees that one.
    this.slider.addEventListener("focus", () => { this.readTime = this.moments[Number(this.slider.value)]; });
    this.slider.addEventListener("blur", () => this.letGo());
    this.reader = element(
      "div", { class: "reader" }, element("label", { for: this.slider.id }, this.t("point")), this.slider, this.chosen);
    this.none = element("p", {}, this.t("none"));
    this.image.addEventListener("pointermove", (event) => this.point(event));
    this.image.addEventListener("pointerdown", (event) => this.point(event));
    if (options.table) this.beside.append(options.table);
    this.node = element(
      "section", { class: "chart", "aria-labelledby": `${options.id}-title` },
      element("h2", { id: `${options.id}-title` }, options.unit ? `${options.title} (${options.unit})` : options.title),
      element("div", { class: "chart-plot" }, this.legend, this.image, this.none, this.reader), this.beside);
    new ResizeObserver(() => this.resize()).observe(this.image);
  }

  /** Shows this instead of what was before. The moment that is read stays; the newest stays the newest. */
  draw(view: ChartView): void {
    this.view = view;
    this.series = shown(view);
    this.moments = momentsOf(this.series);
    this.precision = precisionOf(this.moments, view.to - view.from);
    this.digits = this.hasBands ? digitsOf(extentOf({}, this.series)) : 3;
    this.image.setAttribute("aria-label", this.summary());
    this.drawLegend();
    this.drawImage();
    this.drawTable();
    const isEmpty = this.moments.length === 0;
    this.none.hidden = !isEmpty;
    this.reader.hidden = isEmpty;
    this.image.toggleAttribute("hidden", isEmpty);
    this.beside.hidden = isEmpty && !this.options.table;
    this.slider.max = String(Math.max(this.moments.length - 1, 0));
    const place = this.readTime === undefined ? this.moments.length - 1 : nearest(this.moments, this.readTime);
    this.slider.value = String(place);
    this.read(place);
  }

  /** Somebody has chosen a point. */
  private choose(place: number): void {
    this.readTime = this.moments[place];
    this.read(place);
  }

  /** Whoever has left the slider at the newest point goes on with the newest one. */
  private letGo(): void {
    if (Number(this.slider.value) === this.moments.length - 1) this.readTime = undefined;
  }

  private point(event: PointerEvent): void {
    const box = this.image.getBoundingClientRect();
    if (!this.drawn || this.moments.length === 0 || box.width === 0) return;
    const { left, right } = this.drawn;
    const pixel = (event.clientX - box.left) * (this.size.width / box.width);
    const time = this.view.from + ((pixel - left) / (right - left)) * (this.view.to - this.view.from);
    const place = nearest(this.moments, time);
    this.slider.value = String(place);
    this.choose(place);
    if (document.activeElement !== this.slider) this.letGo();
  }

  /** Says and marks the point at a place. */
  private read(place: number): void {
    this.mark.replaceChildren();
    const time = this.moments[place];
    if (time === undefined || !this.drawn) return;
    const { x, y, top, bottom } = this.drawn;
    this.mark.append(svg("line", { x1: x(time), x2: x(time), y1: top, y2: bottom }));
    const values: string[] = [];
    for (const series of this.series) {
      const point = pointAt(series, time);
      if (!point) continue;
      this.mark.append(svg("circle", { cx: x(time), cy: y(point.value), r: 6 }));
      const value = this.pointText(point, this.options.unit);
      values.push(this.series.length === 1 ? value : this.t("valueOf", { name: series.name, value }));
    }
    const text = this.t("pointText", { moment: this.moment(time), values: values.join("; ") });
    this.chosen.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  private pointText(point: ChartPoint, unit = ""): string {
    const value = this.number(point.value, unit);
    if (point.least === undefined || point.most === undefined || point.least === point.most) return value;
    return this.t("between", { value, least: this.number(point.least), most: this.number(point.most) });
  }

  private number(value: number, unit = ""): string {
    return `${new Intl.NumberFormat(this.locale.tag, { maximumFractionDigits: this.digits }).format(value)} ${unit}`.trim();
  }

  private moment(time: number): string {
    return pointMoment(time, this.precision, this.locale);
  }

  private summary(): string {
    const told = this.series.map((series) => {
      const extent = extentOf({}, [series]);
      const last = series.points[series.points.length - 1];
      if (!extent || !last) return "";
      return this.t("summaryOfSeries", {
        name: series.name, count: this.number(series.points.length), least: this.number(extent[0]),
        most: this.number(extent[1], this.options.unit), last: this.number(last.value, this.options.unit),
      });
    });
    return this.t("summary", {
      title: this.options.title, from: this.moment(this.view.from), to: this.moment(this.view.to),
      series: told.join(" ").trim() || this.t("none"),
    });
  }

  private drawLegend(): void {
    const items: HTMLElement[] = [];
    if (this.series.length > 1) {
      for (const [index, { name }] of this.series.entries()) {
        const sample = svg("svg", { class: "sample", viewBox: "0 0 32 12", "aria-hidden": "true" },
          svg("line", { class: `line series-${index % 4}`, x1: 0, x2: 32, y1: 6, y2: 6 }));
        items.push(element("li", {}, sample, name));
      }
    }
    for (const { name } of this.view.periods?.slice(0, 1) ?? []) {
      const sample = svg("svg", { class: "sample", viewBox: "0 0 32 12", "aria-hidden": "true" },
        svg("rect", { class: "period", width: 32, height: 12 }));
      items.push(element("li", {}, sample, name));
    }
    if (this.hasBands) items.push(element("li", {}, this.t("band")));
    this.legend.replaceChildren(...items);
    this.legend.hidden = items.length === 0;
  }

  private get hasBands(): boolean {
    return this.series.some(({ points }) => points.some(({ least }) => least !== undefined));
  }

  private drawImage(): void {
    const width = this.size.width || usualWidth;
    const height = width < 480 ? 240 : 320;
    this.size = { width, height };
    this.image.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawn = drawing(this.view, this.series, this.size, this.locale);
    this.image.replaceChildren(this.drawn.node, this.mark);
  }

  private resize(): void {
    const width = Math.round(this.image.getBoundingClientRect().width);
    if (width === 0 || width === this.size.width) return;
    this.size = { width, height: this.size.height };
    this.drawImage();
    this.read(Number(this.slider.value));
  }

  private drawTable(): void {
    if (this.options.table) return;
    const columns = this.columnsOf();
    const heads = columns.map(({ head }) => head).join("\n");
    if (!this.table || heads !== this.heads) {
      this.heads = heads;
      const caption = this.t("asTable", { title: this.options.title });
      this.table = new LongTable<number>(columns, { caption, none: this.t("none") }, this.locale);
      this.beside.replaceChildren(this.table.node);
    }
    // The newest on top.
    this.table.draw([...this.moments].reverse());
  }

  private columnsOf(): Array<Column<number>> {
    const columns: Array<Column<number>> = [{ head: this.t("time"), cell: (time) => this.moment(time) }];
    const column = (head: string, series: number, text: (point: ChartPoint) => string): void => {
      columns.push({
        head, isValue: true, cell: (time) => {
          const one = this.series[series];
          const point = one && pointAt(one, time);
          return point ? text(point) : "–";
        },
      });
    };
    const number = (of: (point: ChartPoint) => number | undefined) => (point: ChartPoint): string => {
      const value = of(point);
      return value === undefined ? "–" : this.number(value);
    };
    if (this.series.length > 1) {
      for (const [index, { name }] of this.series.entries()) column(name, index, (point) => this.pointText(point));
      return columns;
    }
    column(this.t(this.hasBands ? "mean" : "value"), 0, number(({ value }) => value));
    if (this.hasBands) {
      column(this.t("least"), 0, number(({ least }) => least));
      column(this.t("most"), 0, number(({ most }) => most));
      column(this.t("count"), 0, number(({ count }) => count));
    }
    return columns;
  }
}

/** How many digits behind the point numbers need that lie within these ends. */
function digitsOf(extent: [number, number] | undefined): number {
  const range = extent ? extent[1] - extent[0] : 0;
  return range > 0 ? Math.min(Math.max(2 - Math.floor(Math.log10(range)), 0), 6) : 3;
}
