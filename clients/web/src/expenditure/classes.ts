import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { words } from "./words.js";

/** How values are divided into classes: as many in each, equal steps, or where the gaps are (Fisher and Jenks). */
export type ClassMethod = "quantiles" | "equal" | "natural";

export const classMethods: readonly ClassMethod[] = ["quantiles", "equal", "natural"];

export const fewestClasses = 2;
export const mostClasses = 7;

/** A value of a region in a year; undefined or null where there is none. */
export type ClassedValue = number | null | undefined;

export interface Classes {
  readonly method: ClassMethod;
  /**
   * One more than there are classes, rising. A class goes from its limit up to the next one, which only the last class
   * has too; around zero, limits below it belong to the class below, as in a mirror.
   */
  readonly limits: readonly number[];
  readonly isAroundZero: boolean;
}

/** A value and how often it is there. */
interface Distinct {
  readonly value: number;
  readonly count: number;
}

/**
 * Classes for values of all years, so that they stay while the year changes; fewer than wanted where there are fewer
 * different values, and none without a value.
 */
export function classesOf(values: Iterable<ClassedValue>, wanted: number, method: ClassMethod): Classes | undefined {
  const sorted = presentOf(values).sort((one, other) => one - other);
  const [least] = sorted, most = sorted[sorted.length - 1];
  if (least === undefined || most === undefined) return undefined;
  const distinct = distinctOf(sorted);
  const count = Math.min(Math.max(Math.round(wanted), fewestClasses), mostClasses, distinct.length);
  return { method, limits: [...startsOf[method](distinct, count), most], isAroundZero: false };
}

/**
 * The same for changes: zero is a limit, and so is the opposite of each limit. Half of the classes are on each side.
 * @param wanted an even number; of an odd one, one less.
 */
export function classesAroundZero(
  values: Iterable<ClassedValue>, wanted: number, method: ClassMethod,
): Classes | undefined {
  const sizes = presentOf(values).map(Math.abs);
  if (sizes.length === 0) return undefined;
  const half = Math.min(Math.max(Math.floor(wanted / 2), 1), Math.floor(mostClasses / 2));
  const most = Math.max(...sizes);
  const above = sizes.filter((size) => size > 0).sort((one, other) => one - other);
  if (above.length === 0) return { method, limits: [0, 0], isAroundZero: true };
  const distinct = distinctOf(above);
  // From zero on, so that equal steps are equal with the first one too.
  const starts = method === "equal"
    ? steps(0, most, half)
    : [0, ...startsOf[method](distinct, Math.min(half, distinct.length)).slice(1)];
  const limits = [...starts.slice(1), most];
  return { method, limits: [...limits.map((limit) => -limit).reverse(), 0, ...limits], isAroundZero: true };
}

/** The number of a value's class, from 0 on; undefined where there is no value. Beyond the limits, the class beside. */
export function classOf({ limits, isAroundZero }: Classes, value: ClassedValue): number | undefined {
  if (!isPresent(value)) return undefined;
  let found = 0;
  for (let index = 1; index < limits.length - 1; index++) {
    const limit = limits[index] as number;
    if (isAroundZero && limit < 0 ? value > limit : value >= limit) found = index;
  }
  return found;
}

/** How many values each class has, of those of one year. */
export function countsOf(classes: Classes, values: Iterable<ClassedValue>): number[] {
  const counts = new Array<number>(classes.limits.length - 1).fill(0);
  for (const value of values) {
    const found = classOf(classes, value);
    if (found !== undefined) (counts[found] as number)++;
  }
  return counts;
}

/** What a way to make classes is called. */
export function methodName(method: ClassMethod, locale: Locale): string {
  const keys = { quantiles: "quantiles", equal: "equal", natural: "natural" } as const;
  return translator(words, locale.language)(keys[method]);
}

const isPresent = (value: ClassedValue): value is number => Number.isFinite(value);

const presentOf = (values: Iterable<ClassedValue>): number[] => [...values].filter(isPresent);

/** Sorted values once each. */
function distinctOf(sorted: readonly number[]): Distinct[] {
  const found: Array<{ value: number; count: number }> = [];
  for (const value of sorted) {
    const last = found[found.length - 1];
    if (last?.value === value) last.count++;
    else found.push({ value, count: 1 });
  }
  return found;
}

const steps = (from: number, to: number, count: number): number[] => (
  Array.from({ length: count }, (_, index) => from + ((to - from) * index) / count));

/** Where the classes begin; `count` is at most the number of different values. */
const startsOf: Readonly<Record<ClassMethod, (distinct: readonly Distinct[], count: number) => number[]>> = {
  equal: (distinct, count) => (
    steps((distinct[0] as Distinct).value, (distinct[distinct.length - 1] as Distinct).value, count)),

  quantiles: (distinct, count) => {
    const total = distinct.reduce((sum, { count: some }) => sum + some, 0);
    const starts = [(distinct[0] as Distinct).value];
    let before = (distinct[0] as Distinct).count, at = 1;
    for (let part = 1; part < count; part++) {
      // Equal values stay together, where the division is more even. Later classes need a value each.
      const wanted = (total * part) / count;
      const last = distinct.length - (count - part);
      while (at < last) {
        const next = before + (distinct[at] as Distinct).count;
        if (Math.abs(next - wanted) > Math.abs(before - wanted)) break;
        before = next;
        at++;
      }
      starts.push((distinct[at] as Distinct).value);
      before += (distinct[at] as Distinct).count;
      at++;
    }
    return starts;
  },

  natural: (distinct, count) => {
    const length = distinct.length;
    // least[k][end]: the least sum of squared distances from the means, of the first `end` values in k + 1 classes.
    const least = Array.from({ length: count }, () => new Array<number>(length + 1).fill(Infinity));
    const begins = Array.from({ length: count }, () => new Array<number>(length + 1).fill(0));
    for (let end = 1; end <= length; end++) {
      // A class from `begin` to `end`, growing downwards; mean and squares by Welford: nothing cancels out.
      let weight = 0, mean = 0, squares = 0;
      for (let begin = end - 1; begin >= 0; begin--) {
        const { value, count: more } = distinct[begin] as Distinct;
        weight += more;
        const distance = value - mean;
        mean += (distance * more) / weight;
        squares += more * distance * (value - mean);
        for (let classes = 0; classes < count; classes++) {
          const before = classes > 0 ? (least[classes - 1] as number[])[begin] as number : begin === 0 ? 0 : Infinity;
          if (before + squares < ((least[classes] as number[])[end] as number)) {
            (least[classes] as number[])[end] = before + squares;
            (begins[classes] as number[])[end] = begin;
          }
        }
      }
    }
    const starts: number[] = [];
    for (let classes = count - 1, end = length; classes >= 0; classes--) {
      end = (begins[classes] as number[])[end] as number;
      starts.unshift((distinct[end] as Distinct).value);
    }
    return starts;
  },
};
