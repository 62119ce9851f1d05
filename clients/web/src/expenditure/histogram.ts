import type { Box } from "./shapes.js";

export interface Bin {
  /** From here up to `to`, which only the last one has too. */
  readonly from: number;
  readonly to: number;
  /** Whose values lie there. */
  readonly codes: readonly string[];
  readonly isOwn: boolean;
}

export interface Histogram {
  readonly bins: readonly Bin[];
  /** Of the fullest bin. */
  readonly most: number;
  /** How many have no value. */
  readonly missing: number;
}

/** 1, 2 or 5 times a power of ten: the first that is not less. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((times) => times * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/**
 * How many values lie in each of some bins with round limits, and in which one the own lies.
 * @param wanted how many bins there are about; as many as the root of the number of values, if it is left out.
 */
export function histogramOf(
  values: ReadonlyArray<{ readonly code: string; readonly value: number | null | undefined }>, own: string,
  wanted?: number,
): Histogram | undefined {
  const present = values.flatMap(({ code, value }) => (
    typeof value === "number" && Number.isFinite(value) ? [{ code, value }] : []));
  if (present.length === 0) return undefined;
  const numbers = present.map(({ value }) => value);
  const least = Math.min(...numbers), most = Math.max(...numbers);
  const bins = wanted ?? Math.ceil(Math.sqrt(present.length)) + 1;
  const step = roundStep(most > least ? (most - least) / bins : Math.max(Math.abs(most) / 10, 1));
  const first = Math.floor(least / step);
  const count = Math.max(Math.ceil(most / step) - first, 1);
  const codes = Array.from({ length: count }, () => new Array<string>());
  // In a step of 0.1, three of them are not quite 0.3: limits are computed the same way in both places.
  const limit = (index: number): number => Number(((first + index) * step).toPrecision(12));
  for (const { code, value } of present) {
    let at = Math.min(Math.max(Math.floor(value / step) - first, 0), count - 1);
    if (at + 1 < count && value >= limit(at + 1)) at++;
    else if (value < limit(at) && at > 0) at--;
    codes[at]?.push(code);
  }
  return {
    bins: codes.map((some, index) => (
      { from: limit(index), to: limit(index + 1), codes: some, isOwn: some.includes(own) })),
    most: Math.max(...codes.map(({ length }) => length)),
    missing: values.length - present.length,
  };
}

/** The columns of a histogram within a box, in its order; empty bins have no height. */
export function columnsOf({ bins, most }: Histogram, box: Box, gap = 1): Box[] {
  const width = box.width / bins.length;
  return bins.map(({ codes }, index) => {
    const height = (box.height * codes.length) / most;
    const x = box.x + index * width + gap / 2, y = box.y + box.height - height;
    return { x, y, width: Math.max(width - gap, 0), height };
  });
}
