import type { Box, Point } from "./shapes.js";

/** A part of a whole, such as a voice of an account. */
export interface Part {
  readonly key: string;
  readonly value: number;
}

export interface Slice extends Part {
  /** Of all slices. */
  readonly share: number;
  /** For the `d` of a path of SVG. */
  readonly path: string;
  /** The middle of the slice, for what is written on it. */
  readonly middle: Point;
}

export const mostSlices = 6;

/** A pie that begins at the top and goes clockwise; null unless there are one to six parts, all of them above zero. */
export function pieOf(parts: readonly Part[], centre: Point, radius: number): Slice[] | null {
  const isPie = parts.length > 0 && parts.length <= mostSlices
    && parts.every(({ value }) => Number.isFinite(value) && value > 0);
  if (!isPie) return null;
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const at = (turn: number, distance: number): Point => ({
    x: centre.x + distance * Math.sin(2 * Math.PI * turn), y: centre.y - distance * Math.cos(2 * Math.PI * turn),
  });
  const text = ({ x, y }: Point): string => `${Number(x.toFixed(2))} ${Number(y.toFixed(2))}`;
  let before = 0;
  return parts.map((part) => {
    const from = before / total, to = (before + part.value) / total;
    before += part.value;
    const arc = (end: number, isLarge: boolean): string => (
      `A${radius} ${radius} 0 ${isLarge ? 1 : 0} 1 ${text(at(end, radius))}`);
    // The only part is two halves: an arc that ends where it begins is drawn as nothing.
    const path = parts.length === 1
      ? `M${text(at(0, radius))}${arc(0.5, false)}${arc(1, false)}z`
      : `M${text(centre)}L${text(at(from, radius))}${arc(to, to - from > 0.5)}z`;
    const middle = at((from + to) / 2, parts.length === 1 ? 0 : radius * 0.65);
    return { ...part, share: part.value / total, path, middle };
  });
}

export interface Bar extends Part {
  readonly box: Box;
  readonly isNegative: boolean;
}

export interface Bars {
  /** One below the other, in the order of the parts. */
  readonly bars: readonly Bar[];
  /** Where nothing is: bars reach to the right of it, negative ones to the left. */
  readonly zero: number;
}

/** Bars of one scale that has zero on it, as wide as the box at most. */
export function barsOf(parts: readonly Part[], box: Box, gap = 4): Bars {
  const values = parts.map(({ value }) => value);
  const least = Math.min(0, ...values), most = Math.max(0, ...values);
  const scale = most > least ? box.width / (most - least) : 0;
  const zero = box.x - least * scale;
  const height = parts.length > 0 ? (box.height - gap * (parts.length - 1)) / parts.length : 0;
  return {
    zero,
    bars: parts.map((part, index) => {
      const width = Math.abs(part.value) * scale, isNegative = part.value < 0;
      const x = isNegative ? zero - width : zero, y = box.y + index * (height + gap);
      return { ...part, isNegative, box: { x, y, width, height } };
    }),
  };
}
