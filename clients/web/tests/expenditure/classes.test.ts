import assert from "node:assert/strict";
import test from "node:test";
import {
  classMethods, classOf, classesAroundZero, classesOf, countsOf, methodName,
} from "../../src/expenditure/classes.js";
import { english, italian, numbersOf } from "./support.js";

const limitsOf = (...[values, wanted, method]: Parameters<typeof classesOf>): readonly number[] | undefined => (
  classesOf(values, wanted, method)?.limits);

/** The sum of squared distances from the means of classes that begin at these places. */
function squares(sorted: readonly number[], starts: readonly number[]): number {
  return starts.reduce((sum, start, index) => {
    const part = sorted.slice(start, starts[index + 1] ?? sorted.length);
    const mean = part.reduce((total, value) => total + value, 0) / part.length;
    return sum + part.reduce((total, value) => total + (value - mean) ** 2, 0);
  }, 0);
}

/** Every way to divide values into so many classes. */
function divisions(length: number, count: number, from = 0): number[][] {
  if (count === 1) return [[from]];
  const found: number[][] = [];
  for (let next = from + 1; next <= length - count + 1; next++) {
    found.push(...divisions(length, count - 1, next).map((rest) => [from, ...rest]));
  }
  return found;
}

test("quantiles have as many values in each class as the number lets them", () => {
  const values = Array.from({ length: 21 }, (_, index) => (index * 8) % 21);
  for (let wanted = 2; wanted <= 7; wanted++) {
    const classes = classesOf(values, wanted, "quantiles");
    assert.ok(classes);
    const counts = countsOf(classes, values);
    assert.equal(counts.length, wanted);
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, String(counts));
  }
});

test("equal steps are equal, and may leave a class empty", () => {
  assert.deepEqual(limitsOf([0, 1, 2, 3, 10], 5, "equal"), [0, 2, 4, 6, 8, 10]);
  const classes = classesOf([0, 1, 2, 10, 20], 4, "equal");
  assert.deepEqual(classes && countsOf(classes, [0, 1, 2, 10, 20]), [3, 0, 1, 1]);
});

test("natural breaks are the best of all divisions (Fisher and Jenks)", () => {
  const random = numbersOf(7);
  for (let round = 0; round < 40; round++) {
    // Great numbers with small differences, where sums of squares would lose them.
    const sorted = Array.from({ length: 12 }, () => 1e11 + Math.round(random() * 500)).sort((one, other) => one - other);
    const wanted = 2 + (round % 6);
    const limits = limitsOf(sorted, wanted, "natural") as number[];
    if (new Set(sorted).size < sorted.length) continue;
    const starts = limits.slice(0, -1).map((limit) => sorted.indexOf(limit));
    const best = Math.min(...divisions(sorted.length, wanted).map((division) => squares(sorted, division)));
    assert.ok(Math.abs(squares(sorted, starts) - best) <= 1e-6 * Math.max(best, 1), `round ${round}`);
  }
  assert.deepEqual(limitsOf([1, 2, 3, 50, 51, 100], 3, "natural"), [1, 50, 100, 100]);
});

test("equal values are in one class, and there are no more classes than different values", () => {
  for (const method of classMethods) {
    const values = [5, 5, 5, 5, 5, 5, 9, 9, 1];
    const classes = classesOf(values, 7, method);
    assert.equal(classes?.limits.length, 4, method);
    assert.deepEqual(limitsOf([4, 4, 4], 5, method), [4, 4], method);
    assert.deepEqual(limitsOf([4], 2, method), [4, 4], method);
    assert.equal(classesOf([], 5, method), undefined);
  }
  const tied = classesOf([1, 1, 1, 1, 1, 2, 3], 3, "quantiles");
  assert.deepEqual(tied && countsOf(tied, [1, 1, 1, 1, 1, 2, 3]), [5, 1, 1]);
});

test("S-NFR10: what is missing is in no class and moves no limit", () => {
  for (const method of classMethods) {
    const classes = classesOf([undefined, 1, null, 2, NaN, 3, 4], 2, method);
    assert.deepEqual(classes, classesOf([1, 2, 3, 4], 2, method));
    assert.ok(classes);
    assert.equal(classOf(classes, undefined), undefined);
    assert.equal(classOf(classes, null), undefined);
    assert.deepEqual(countsOf(classes, [undefined, 1, 4, null]), [1, 1]);
  }
  assert.equal(classesOf([undefined, null], 3, "natural"), undefined);
});

test("every value of every year is in just one class, and greater ones in no lower class", () => {
  const random = numbersOf(11);
  for (let round = 0; round < 60; round++) {
    const years = Array.from({ length: 13 }, () => Array.from({ length: 21 }, () => Math.round(random() * 40) - 10));
    for (const method of classMethods) {
      for (const make of [classesOf, classesAroundZero]) {
        const classes = make(years.flat(), 2 + (round % 6), method);
        assert.ok(classes);
        const { limits } = classes;
        assert.ok(limits.every((limit, index) => index === 0 || limit >= (limits[index - 1] as number)), String(limits));
        const inOrder = years.flat().sort((one, other) => one - other).map((value) => classOf(classes, value) as number);
        assert.ok(inOrder.every((found, index) => index === 0 || found >= (inOrder[index - 1] as number)));
        assert.equal(countsOf(classes, years.flat()).reduce((sum, count) => sum + count), 21 * 13);
      }
    }
  }
});

test("S-NFR4: limits belong to the class above them, the last one to the last class; beyond is the class beside", () => {
  const classes = { method: "equal", limits: [0, 10, 20, 30], isAroundZero: false } as const;
  assert.deepEqual([-5, 0, 9.99, 10, 20, 30, 99].map((value) => classOf(classes, value)), [0, 0, 0, 1, 2, 2, 2]);
});

test("changes have classes that are the same on both sides of zero", () => {
  const values = [-0.08, -0.02, -0.01, 0, 0.01, 0.03, 0.1];
  assert.deepEqual(classesAroundZero(values, 5, "equal")?.limits, [-0.1, -0.05, 0, 0.05, 0.1]);
  for (const method of classMethods) {
    const classes = classesAroundZero(values, 6, method);
    assert.ok(classes);
    const last = classes.limits.length - 2;
    for (const value of values) {
      if (value !== 0) assert.equal((classOf(classes, value) as number) + (classOf(classes, -value) as number), last);
    }
  }
  assert.deepEqual(classesAroundZero([0, 0], 4, "natural")?.limits, [0, 0]);
  assert.equal(classesAroundZero([null], 4, "natural"), undefined);
});

test("ways to make classes have names", () => {
  assert.equal(methodName("equal", english), "Equal steps");
  assert.equal(new Set(classMethods.map((method) => methodName(method, italian))).size, 3);
});
