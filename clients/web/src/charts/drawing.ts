import { scaleLinear, scaleTime } from "d3-scale";
import type { LinearScale, TimeScale } from "d3-scale";
import { area, line } from "d3-shape";
import type { Locale } from "../language/choice.js";
import { extentOf, runs, thinned } from "./points.js";
import { svg } from "./svg.js";
import { tickText } from "./ticks.js";
import type { ChartPoint, ChartSeries, ChartView } from "./view.js";

/** The size of a chart in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a drawing was made with, for whoever draws upon it. */
export interface Drawing {
  readonly node: SVGGElement;
  readonly x: TimeScale;
  readonly y: LinearScale;
  /** Where the plot is within the drawing. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const bottomMargin = 28;
const topMargin = 12;
const rightMargin = 12;
/** As many pixels as a digit of the axis has. */
const digitWidth = 8;
/** Lines of so few points show each of them. */
const mostDots = 60;

/** Draws axes, limits, periods, bands and lines. */
export function drawing(view: ChartView, series: readonly ChartSeries[], size: Size, locale: Locale): Drawing {
  const [least, most] = extentOf(view, series) ?? [0, 1];
  // A line of one value stays in the middle.
  const room = least === most ? Math.max(Math.abs(least) * 0.1, 1) : 0;
  const bottom = size.height - bottomMargin;
  const y = scaleLinear().domain([least - room, most + room]).nice(5).range([bottom, topMargin]);
  const levels = y.ticks(5);
  const number = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 6 });
  const left = Math.max(...levels.map((level) => number.format(level).length), 2) * digitWidth + 12;
  const right = size.width - rightMargin;
  const x = scaleTime().domain([new Date(view.from), new Date(view.to)]).range([left, right]);
  const node = svg("g");

  for (const period of view.periods ?? []) {
    const from = Math.max(period.from, view.from), to = Math.min(period.to, view.to);
    if (from >= to) continue;
    node.append(svg("rect", {
      class: "period", x: x(from), y: topMargin, width: Math.max(x(to) - x(from), 2), height: bottom - topMargin,
    }));
  }
  for (const level of levels) {
    node.append(
      svg("line", { class: "grid", x1: left, x2: right, y1: y(level), y2: y(level) }),
      svg("text", { class: "tick", x: left - 8, y: y(level) + 4, "text-anchor": "end" }, number.format(level)));
  }
  const span = view.to - view.from;
  for (const moment of x.ticks(Math.max(Math.floor((right - left) / 130), 2))) {
    const at = x(moment);
    node.append(svg("line", { class: "grid", x1: at, x2: at, y1: bottom, y2: bottom + 5 }));
    // A text that would be cut off is left out.
    if (at < left + 16 || at > right - 24) continue;
    node.append(svg("text", { class: "tick", x: at, y: bottom + 20, "text-anchor": "middle" }, tickText(moment, span, locale)));
  }
  for (const limit of view.limits ?? []) {
    const at = y(limit.value);
    if (limit.beyond) {
      const [from, to] = limit.beyond === "above" ? [topMargin, at] : [at, bottom];
      node.append(svg("rect", { class: "beyond", x: left, y: from, width: right - left, height: Math.max(to - from, 0) }));
    }
    // The text is where it is inside the plot.
    const text = at - topMargin < 16 ? at + 14 : at - 5;
    node.append(
      svg("line", { class: "limit", x1: left, x2: right, y1: at, y2: at }),
      svg("text", { class: "tick", x: left + 6, y: text }, limit.name));
  }
  for (const [index, one] of series.entries()) node.append(...lines(one, index, x, y));
  return { node, x, y, left, right, top: topMargin, bottom };
}

/** The band and the line of one series. */
function lines(series: ChartSeries, index: number, x: TimeScale, y: LinearScale): SVGElement[] {
  const place = `series-${index % 4}`;
  const through = line<ChartPoint>().x(({ time }) => x(time)).y(({ value }) => y(value));
  const between = area<ChartPoint>().x(({ time }) => x(time))
    .y0((point) => y(point.least ?? point.value)).y1((point) => y(point.most ?? point.value));
  const bands: SVGElement[] = [];
  const drawn: SVGElement[] = [];
  for (const run of runs(series)) {
    const points = thinned(run, ({ time }) => Math.floor(x(time)));
    if (points.some(({ least }) => least !== undefined)) {
      bands.push(svg("path", { class: `band ${place}`, d: between(points) ?? "" }));
    }
    drawn.push(svg("path", { class: `line ${place}`, d: through(points) ?? "" }));
    if (series.points.length <= mostDots || run.length === 1) {
      for (const { time, value } of points) drawn.push(svg("circle", { class: `dot ${place}`, cx: x(time), cy: y(value), r: 3 }));
    }
  }
  return [...bands, ...drawn];
}
