import { scaleLinear } from "d3-scale";
import { svg } from "../charts/svg.js";
import { wrapped } from "./bars.js";
import type { Drawn } from "./bars.js";

/** A value of a year. */
export interface YearPoint {
  readonly year: number;
  readonly value: number;
}

/** A line of values by year. */
export interface YearLine {
  readonly name: string;
  /** By rising years; a year without a value is left out, and has no line through it. */
  readonly points: readonly YearPoint[];
  /** Which of the colours and patterns it has, from 0. */
  readonly series: number;
}

const topMargin = 14;
const bottomMargin = 28;
const rightMargin = 24;
const letterWidth = 8;
const legendHeight = 20;
/** As wide as a year below the axis is. */
const yearWidth = 44;

/** The runs of years that follow each other: only these have a line through them. */
export function yearRuns(points: readonly YearPoint[]): YearPoint[][] {
  const runs: YearPoint[][] = [];
  let last: YearPoint | undefined;
  for (const point of points) {
    if (last === undefined || point.year !== last.year + 1) runs.push([]);
    runs[runs.length - 1]?.push(point);
    last = point;
  }
  return runs;
}

/** Every so many years has its number below the axis, where all of them have no room. */
export function yearStep(count: number, width: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / yearWidth))));
}

/** The first writer by which no two numbers look the same; the last one where there is none. */
export function distinct(
  numbers: readonly number[], writers: ReadonlyArray<(value: number) => string>,
): (value: number) => string {
  const found = writers.find((write) => new Set(numbers.map(write)).size === numbers.length);
  return found ?? writers[writers.length - 1] ?? String;
}

/**
 * Lines over years, with the names of several of them above.
 * @param width of the drawing in pixels.
 * @param writers write a number of the axis: the first of them that tells all of them apart.
 */
export function drawYears(
  lines: readonly YearLine[], width: number, writers: ReadonlyArray<(value: number) => string>,
): Drawn {
  const node = svg("g");
  const points = lines.flatMap((line) => line.points);
  const values = points.map(({ value }) => value);
  const legend = lines.length > 1 ? lines : [];
  let legendY = 10;
  for (const { name, series } of legend) {
    node.append(
      svg("line", { class: `line series-${series % 5}`, x1: 0, x2: 32, y1: legendY, y2: legendY }),
      svg("circle", { class: `dot series-${series % 5}`, cx: 16, cy: legendY, r: 4 }));
    for (const text of wrapped(name, Math.floor((width - 40) / letterWidth))) {
      node.append(svg("text", { x: 40, y: legendY + 4 }, text));
      legendY += legendHeight;
    }
  }
  const top = legendY - 10 + topMargin;
  const height = top + (width < 480 ? 200 : 260);
  if (points.length === 0) return { node, height: Math.max(top, 1) };
  const least = Math.min(...values), most = Math.max(...values);
  const room = least === most ? Math.max(Math.abs(least) * 0.1, 1) : 0;
  const bottom = height - bottomMargin;
  const y = scaleLinear().domain([least - room, most + room]).nice(5).range([bottom, top]);
  const levels = y.ticks(5);
  const say = distinct(levels, writers);
  const left = Math.max(...levels.map((level) => say(level).length), 2) * letterWidth + 12;
  const years = points.map(({ year }) => year);
  const first = Math.min(...years), last = Math.max(...years);
  const x = (year: number): number => (
    first === last ? (left + width - rightMargin) / 2
      : left + 12 + ((year - first) / (last - first)) * (width - rightMargin - left - 12));
  for (const level of levels) {
    node.append(
      svg("line", { class: "grid", x1: left, x2: width - 4, y1: y(level), y2: y(level) }),
      svg("text", { x: left - 8, y: y(level) + 4, "text-anchor": "end" }, say(level)));
  }
  const step = yearStep(last - first + 1, width - left - rightMargin);
  for (let year = first; year <= last; year += step) {
    node.append(
      svg("line", { class: "grid", x1: x(year), x2: x(year), y1: bottom, y2: bottom + 5 }),
      svg("text", { x: x(year), y: bottom + 20, "text-anchor": "middle" }, String(year)));
  }
  for (const { points: own, series } of lines) {
    for (const run of yearRuns(own)) {
      const path = run.map(({ year, value }, index) => `${index === 0 ? "M" : "L"}${x(year)} ${y(value)}`).join("");
      if (run.length > 1) node.append(svg("path", { class: `line series-${series % 5}`, d: path }));
      for (const { year, value } of run) {
        node.append(svg("circle", { class: `dot series-${series % 5}`, cx: x(year), cy: y(value), r: 4 }));
      }
    }
  }
  return { node, height };
}
