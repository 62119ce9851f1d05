import { bisectLeft, median } from "d3-array";
import type { ChartPoint, ChartSeries, ChartView } from "./view.js";

/** The runs of points that have a line through them. */
export function runs(series: ChartSeries): ChartPoint[][] {
  const found: ChartPoint[][] = [];
  let last: ChartPoint | undefined;
  for (const point of series.points) {
    const isGap = last === undefined || point.time - last.time > (series.gapMs ?? Infinity);
    if (isGap) found.push([]);
    found[found.length - 1]?.push(point);
    last = point;
  }
  return found;
}

/**
 * As few points as look the same: of those that fall into one column of pixels, the first, the least, the greatest and
 * the last.
 * @param column of a point, in whole pixels.
 */
export function thinned(points: readonly ChartPoint[], column: (point: ChartPoint) => number): ChartPoint[] {
  const kept: ChartPoint[] = [];
  let at = 0;
  while (at < points.length) {
    const first = points[at] as ChartPoint;
    let least = first, most = first, last = first;
    const here = column(first);
    for (; at < points.length && column(points[at] as ChartPoint) === here; at++) {
      last = points[at] as ChartPoint;
      if ((last.least ?? last.value) < (least.least ?? least.value)) least = last;
      if ((last.most ?? last.value) > (most.most ?? most.value)) most = last;
    }
    kept.push(...[...new Set([first, least, most, last])].sort((one, other) => one.time - other.time));
  }
  return kept;
}

/** The series with the points that lie in the time that is shown. */
export function shown(view: ChartView): ChartSeries[] {
  return view.series.map((series) => ({
    ...series, points: series.points.filter(({ time }) => time >= view.from && time < view.to),
  }));
}

/** Every moment of any series once, by rising time. */
export function momentsOf(series: readonly ChartSeries[]): number[] {
  const [only] = series;
  if (series.length === 1 && only) return only.points.map(({ time }) => time);
  return [...new Set(series.flatMap(({ points }) => points.map(({ time }) => time)))].sort((one, other) => one - other);
}

/** The point of a series at a moment, if there is one. */
export function pointAt(series: ChartSeries, time: number): ChartPoint | undefined {
  let low = 0, high = series.points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((series.points[middle] as ChartPoint).time < time) low = middle + 1;
    else high = middle;
  }
  const found = series.points[low];
  return found?.time === time ? found : undefined;
}

/** The place of the moment that is nearest to another one; -1 where there is none. */
export function nearest(moments: readonly number[], time: number): number {
  const right = bisectLeft(moments, time);
  const before = moments[right - 1], after = moments[right];
  if (after === undefined) return right - 1;
  return before !== undefined && time - before < after - time ? right - 1 : right;
}

/** How far apart readings may be to be joined by a line: ten times what is usual among them. */
export function usualGapMs(points: readonly ChartPoint[]): number | undefined {
  const distances = points.slice(1).map(({ time }, index) => time - (points[index] as ChartPoint).time);
  const usual = median(distances);
  return usual === undefined ? undefined : usual * 10;
}

/** The least and the greatest value that is to be seen; undefined where there is nothing. */
export function extentOf(view: Pick<ChartView, "limits">, series: readonly ChartSeries[]): [number, number] | undefined {
  let least = Infinity, most = -Infinity;
  for (const { points } of series) {
    for (const point of points) {
      least = Math.min(least, point.least ?? point.value);
      most = Math.max(most, point.most ?? point.value);
    }
  }
  for (const { value } of view.limits ?? []) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return Number.isFinite(least) && Number.isFinite(most) ? [least, most] : undefined;
}
