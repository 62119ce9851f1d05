import assert from "node:assert/strict";
import test from "node:test";
import { columnsOf, histogramOf, roundStep } from "../../src/expenditure/histogram.js";
import { barsOf, pieOf } from "../../src/expenditure/pie.js";
import { numbersOf } from "./support.js";

const box = { x: 10, y: 20, width: 200, height: 100 };

/** Regions a, b, c … with these values. */
const regions = (...values: Array<number | undefined>): Array<{ code: string; value: number | undefined }> => (
  values.map((value, index) => ({ code: String.fromCharCode(97 + index), value })));

const parts = (...values: number[]): Array<{ key: string; value: number }> => (
  values.map((value, index) => ({ key: String(index), value })));

test("S-NFR5: a histogram has every value in one bin with round limits, and marks the own one", () => {
  const histogram = histogramOf(regions(2396, 2450, 2500, 2610, 2650, 3194, undefined), "f", 4);
  assert.deepEqual(histogram?.bins.map(({ from, to, codes, isOwn }) => [from, to, codes.join(""), isOwn]), [
    [2200, 2400, "a", false], [2400, 2600, "bc", false], [2600, 2800, "de", false], [2800, 3000, "", false],
    [3000, 3200, "f", true],
  ]);
  assert.equal(histogram?.most, 2);
  assert.equal(histogram?.missing, 1);
});

test("bins hold what their limits say, whatever the values", () => {
  const random = numbersOf(5);
  for (let round = 0; round < 300; round++) {
    const size = 10 ** (round % 9 - 3);
    const values = regions(...Array.from({ length: 21 }, () => Math.round(random() * 60 - 20) * size));
    const histogram = histogramOf(values, "c");
    assert.ok(histogram);
    const { bins } = histogram;
    assert.equal(bins.flatMap(({ codes }) => codes).length, 21);
    assert.equal(bins.filter(({ isOwn }) => isOwn).length, 1);
    assert.ok(bins.length <= 12);
    bins.forEach(({ from, to, codes }, index) => {
      for (const code of codes) {
        const value = values.find((one) => one.code === code)?.value as number;
        const isLast = index === bins.length - 1, near = size * 1e-9;
        const isBelow = isLast ? value <= to + near : value < to + near;
        assert.ok(value >= from - near && isBelow, `${value} in ${from} to ${to}`);
      }
    });
  }
});

test("equal values make one bin, and no values none", () => {
  assert.equal(histogramOf(regions(7, 7, 7), "a")?.bins.filter(({ codes }) => codes.length > 0).length, 1);
  assert.equal(histogramOf(regions(0), "a")?.most, 1);
  assert.equal(histogramOf(regions(undefined), "a"), undefined);
  assert.deepEqual([0.3, 1, 2.1, 7, 20].map(roundStep), [0.5, 1, 5, 10, 20]);
});

test("columns stand on the ground of their box, the fullest as high as it", () => {
  const histogram = histogramOf(regions(1, 2, 2.5, 9), "a", 4);
  assert.ok(histogram);
  const columns = columnsOf(histogram, box, 2);
  assert.equal(columns.length, histogram.bins.length);
  assert.equal(Math.max(...columns.map(({ height }) => height)), box.height);
  for (const { x, y, width, height } of columns) {
    assert.ok(Math.abs(y + height - 120) < 1e-9 && x >= 10 && x + width <= 210 && width > 0);
  }
});

test("S-NFR5: one to six parts above zero make a pie; anything else makes none", () => {
  const centre = { x: 0, y: 0 };
  for (const wrong of [[], [1, 2, 3, 4, 5, 6, 7], [1, -1], [1, 0], [1, NaN], [1, Infinity]]) {
    assert.equal(pieOf(parts(...wrong), centre, 10), null);
  }
  const pie = pieOf(parts(1, 1, 2), centre, 10);
  assert.deepEqual(pie?.map(({ share }) => share), [0.25, 0.25, 0.5]);
  assert.equal(pie?.[0]?.path, "M0 0L0 -10A10 10 0 0 1 10 0z");
  assert.ok((pie?.[2]?.middle.x ?? 0) < 0);
  assert.match(pieOf(parts(3, 1), centre, 10)?.[0]?.path ?? "", /A10 10 0 1 1/);
  const whole = pieOf(parts(5), centre, 10)?.[0];
  assert.equal(whole?.share, 1);
  assert.equal(whole?.path.match(/A/g)?.length, 2);
});

test("S-NFR5: bars have one scale with zero on it, and negative parts go to the left of it", () => {
  const { zero, bars } = barsOf(parts(30, -10, 0), box, 5);
  assert.equal(zero, 60);
  assert.deepEqual(bars.map(({ box: { x, width } }) => [x, width]), [[60, 150], [10, 50], [60, 0]]);
  assert.deepEqual(bars.map(({ isNegative }) => isNegative), [false, true, false]);
  assert.deepEqual(bars.map(({ box: { y, height } }) => [y, height]), [[20, 30], [55, 30], [90, 30]]);
  assert.equal(barsOf(parts(1, 2), box).zero, 10);
  assert.equal(barsOf(parts(-1, -2), box).zero, 210);
  assert.deepEqual(barsOf(parts(0), box).bars.map((bar) => bar.box.width), [0]);
  assert.deepEqual(barsOf([], box), { zero: 10, bars: [] });
});
