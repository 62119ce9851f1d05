import assert from "node:assert/strict";
import test from "node:test";
import {
  endsOf, intervalOf, moved, possibleSteps, queryOf, spanWithin, startOf, stepMs, usualStep, zoomed,
} from "../src/charts/interval.js";
import type { Step } from "../src/charts/interval.js";
import { extentOf, momentsOf, nearest, pointAt, runs, shown, thinned, usualGapMs } from "../src/charts/points.js";
import { pointMoment, precisionOf, tickText } from "../src/charts/ticks.js";
import type { ChartPoint } from "../src/charts/view.js";
import type { Locale } from "../src/language/choice.js";

const english: Locale = { language: "en", tag: "en-GB" };
const hour = stepMs.hour, day = stepMs.day;
const now = Date.parse("2026-11-25T03:00:00Z");
const points = (...pairs: Array<[number, number]>): ChartPoint[] => pairs.map(([time, value]) => ({ time, value }));

test("an interval that goes on has its right edge just behind now, and moves on in parts", () => {
  const first = endsOf({ spanMs: hour }, now, 4);
  assert.ok(first.to > now && first.to <= now + hour / 4);
  assert.equal(first.to - first.from, hour);
  assert.deepEqual(endsOf({ spanMs: hour }, now + 1, 4), first);
  assert.equal(endsOf({ spanMs: hour }, first.to, 4).to, first.to + hour / 4);
  assert.deepEqual(endsOf({ spanMs: hour, to: now }, now + day), { from: now - hour, to: now });
});

test("an interval is moved by half its length, and goes on where it comes to now", () => {
  const earlier = moved({ spanMs: hour }, "earlier", now);
  assert.deepEqual(earlier, { spanMs: hour, to: now - hour / 2 });
  assert.deepEqual(moved(earlier, "earlier", now), { spanMs: hour, to: now - hour });
  assert.deepEqual(moved(moved(earlier, "earlier", now), "later", now), earlier);
  assert.deepEqual(moved(earlier, "later", now + 60_000), { spanMs: hour });
});

test("zooming keeps the middle, and the right edge where it is now", () => {
  assert.deepEqual(zoomed({ spanMs: hour, to: now - day }, 0.5, now), { spanMs: hour / 2, to: now - day - hour / 4 });
  assert.deepEqual(zoomed({ spanMs: hour, to: now - 1 }, 2, now), { spanMs: 2 * hour });
  assert.deepEqual(zoomed({ spanMs: hour }, 0.5, now), { spanMs: hour / 2 });
  assert.equal(zoomed({ spanMs: 1_000 }, 0.5, now).spanMs, 1_000);
  assert.equal(spanWithin(1e15), spanWithin(1e16));
});

test("an address brings an interval back, and one that is wrong brings none", () => {
  for (const interval of [{ spanMs: hour }, { spanMs: 2 * hour, to: now }]) {
    assert.deepEqual(intervalOf(new URLSearchParams(queryOf(interval))), interval);
  }
  const wrong = [
    "", "last=0", "last=-5", "last=x", "from=2026-01-01", "from=2026-01-02&to=2026-01-01", "from=x&to=y",
  ];
  for (const query of wrong) assert.equal(intervalOf(new URLSearchParams(query)), undefined, query);
});

test("the usual detail of an interval draws at least some points and never too many", () => {
  const usual: Array<[number, Step]> = [
    [10_000, "raw"], [hour, "raw"], [2 * hour, "second"], [day, "minute"], [30 * day, "hour"], [365 * day, "day"],
    [3_650 * day, "week"],
  ];
  for (const [spanMs, step] of usual) {
    assert.equal(usualStep(spanMs), step);
    assert.ok(possibleSteps(spanMs).includes(step));
  }
  assert.deepEqual(possibleSteps(30 * day), ["raw", "hour", "day", "week"]);
});

test("steps begin where the server's do", () => {
  const moment = Date.parse("2026-11-25T03:17:31.250Z");
  assert.equal(startOf("raw", moment), moment);
  assert.equal(startOf("second", moment), Date.parse("2026-11-25T03:17:31Z"));
  assert.equal(startOf("minute", moment), Date.parse("2026-11-25T03:17:00Z"));
  assert.equal(startOf("hour", moment), Date.parse("2026-11-25T03:00:00Z"));
  const days = new Date(startOf("day", moment)), weeks = new Date(startOf("week", moment));
  assert.deepEqual([days.getHours(), days.getMinutes(), weeks.getHours(), weeks.getDay()], [0, 0, 0, 1]);
  assert.ok(moment - days.getTime() < day && moment - weeks.getTime() < 7 * day);
  // A Sunday belongs to the week of the Monday before.
  assert.equal(new Date(startOf("week", new Date(2026, 10, 29, 12).getTime())).getDate(), 23);
});

test("no line goes where nobody knows what was", () => {
  const series = { name: "x", points: points([0, 1], [1, 2], [9, 3], [10, 4]) };
  assert.deepEqual(runs(series).map((run) => run.length), [4]);
  assert.deepEqual(runs({ ...series, gapMs: 2 }).map((run) => run.length), [2, 2]);
  assert.equal(usualGapMs(series.points), 10);
  assert.equal(usualGapMs(points([0, 1])), undefined);
  assert.deepEqual(runs({ name: "x", points: [] }), []);
});

test("of many points in one pixel those are drawn that are seen: the ends and the extremes, in their order", () => {
  const many = points([0, 5], [1, 9], [2, 1], [3, 5], [4, 6], [10, 7]);
  assert.deepEqual(thinned(many, ({ time }) => Math.floor(time / 5)).map(({ time }) => time), [0, 1, 2, 4, 10]);
  assert.deepEqual(thinned(many, ({ time }) => time), many);
  const banded = [{ time: 0, value: 1, least: 0, most: 2 }, { time: 1, value: 1, least: -9, most: 1 }, ...points([2, 1])];
  assert.deepEqual(thinned(banded, () => 0).map(({ time }) => time), [0, 1, 2]);
});

test("points are read by moment, each moment once, and the nearest is found", () => {
  const one = { name: "one", points: points([1, 1], [3, 3]) };
  const other = { name: "other", points: points([2, 2], [3, 30]) };
  assert.deepEqual(momentsOf([one, other]), [1, 2, 3]);
  assert.deepEqual(momentsOf([]), []);
  assert.equal(pointAt(other, 3)?.value, 30);
  assert.equal(pointAt(one, 2), undefined);
  assert.deepEqual([nearest([1, 2, 10], 5.9), nearest([1, 2, 10], 6.1), nearest([1, 2], 99), nearest([1], 0)], [1, 2, 1, 0]);
  assert.equal(nearest([], 5), -1);
  assert.deepEqual(shown({ from: 1, to: 3, series: [one] })[0]?.points, points([1, 1]));
});

test("bands and limits are within what is drawn", () => {
  const banded = { name: "x", points: [{ time: 0, value: 5, least: 2, most: 8 }] };
  assert.deepEqual(extentOf({}, [banded]), [2, 8]);
  assert.deepEqual(extentOf({ limits: [{ name: "limit", value: 12 }] }, [banded]), [2, 12]);
  assert.equal(extentOf({}, [{ name: "x", points: [] }]), undefined);
});

test("moments are told as finely as the interval asks for", () => {
  const noon = new Date(2026, 10, 25, 12, 0, 0);
  assert.equal(tickText(noon, 60_000, english), "12:00:00");
  assert.equal(tickText(noon, 6 * hour, english), "12:00");
  assert.equal(tickText(noon, 30 * day, english), "25 Nov");
  assert.equal(tickText(new Date(2026, 10, 25), 6 * hour, english), "25 Nov");
  assert.equal(tickText(noon, 3_650 * day, english), "Nov 2026");
  const told = (moments: number[], spanMs: number): string => (
    pointMoment(moments[0] ?? 0, precisionOf(moments, spanMs), english));
  assert.match(told([noon.getTime() + 7], 10_000), /12:00:00\.007/);
  assert.match(told([noon.getTime() + 7], hour), /12:00:00$/);
  assert.match(told([noon.getTime()], hour), /12:00$/);
  const midnight = new Date(2026, 10, 25).getTime();
  assert.equal(told([midnight, midnight + day], 7 * day), "25 Nov 2026");
  assert.match(told([midnight], hour), /00:00$/);
});
