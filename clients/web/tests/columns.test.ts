import assert from "node:assert/strict";
import test from "node:test";
import type { Metric } from "../src/api/readings_v1.js";
import { readingsOf } from "../src/metrics/columns.js";
import { intervalOf } from "../src/pages/granted/interval.js";
import { Rows } from "../src/pages/granted/rows.js";

const registry: Metric[] = [
  { id: 1, name: "heart_rate" }, { id: 2, name: "position" }, { id: 3, name: "ecg" }, { id: 4, name: "steps" },
];

test("columns are readings, and a column of one entry says it for all", () => {
  const found = readingsOf({
    sources: ["cuff", "line"],
    scalars: { personId: ["7"], metric: [1, 4], source: [1, 0], timeUs: ["10", "20"], value: [71, "NaN"] },
    positions: {
      personId: ["7"], metric: [2], timeUs: ["30", "40"], latitude: [45, 46], longitude: [9, 10], accuracy: [5, "NaN"],
    },
    waveforms: { personId: ["7"], metric: [3], timeUs: ["50", "60"], rateHz: [2, 4], sampleCount: [1, 2], samples: [1, 2, 3] },
  }, registry);
  const person = { personId: "7" };
  assert.deepEqual(found, [
    { ...person, metric: "heart_rate", timeUs: "10", source: "line", scalar: 71 },
    { ...person, metric: "steps", timeUs: "20", source: "cuff", scalar: "NaN" },
    { ...person, metric: "position", timeUs: "30", source: "", position: { latitude: 45, longitude: 9, accuracy: 5 } },
    { ...person, metric: "position", timeUs: "40", source: "", position: { latitude: 46, longitude: 10 } },
    { ...person, metric: "ecg", timeUs: "50", source: "", waveform: { rateHz: 2, samples: [1] } },
    { ...person, metric: "ecg", timeUs: "60", source: "", waveform: { rateHz: 4, samples: [2, 3] } },
  ]);
  assert.deepEqual(readingsOf(undefined, registry), []);
  assert.deepEqual(readingsOf({ scalars: { metric: [9], timeUs: ["1"], value: [1] } }, registry), []);
});

test("the interval of granted readings is one of those that the granularity has, and ends with the grant", () => {
  const now = new Date("2026-11-25T10:20:30Z");
  const interval = (query: string, scope = {}) => {
    const { length, from, to } = intervalOf({ granularity: "GRANULARITY_MINUTE", ...scope }, new URLSearchParams(query), now);
    return [length, from.toISOString(), to?.toISOString()];
  };
  assert.deepEqual(interval(""), ["day", "2026-11-24T10:00:00.000Z", undefined]);
  assert.deepEqual(interval("period=hour"), ["day", "2026-11-24T10:00:00.000Z", undefined]);
  assert.deepEqual(interval("period=week&until=x"), ["week", "2026-11-18T10:00:00.000Z", undefined]);
  const until = "until=2026-11-20T00:00:00Z";
  assert.deepEqual(interval(until), ["day", "2026-11-19T00:00:00.000Z", "2026-11-20T00:00:00.000Z"]);
  assert.deepEqual(interval("until=2026-12-01T00:00:00Z"), interval(""));
  const over = { to: "2026-11-10T00:00:00Z" };
  for (const query of ["", until]) {
    assert.deepEqual(interval(query, over), ["day", "2026-11-09T00:00:00.000Z", "2026-11-10T00:00:00.000Z"]);
  }
});

test("each reading of the kind and interval is there once, the newest first", () => {
  const rows = new Rows("heart_rate", { length: "hour", from: new Date(1), to: new Date(4) });
  const reading = (timeUs: string, scalar: number, source = "", metric = "heart_rate") => ({ metric, timeUs, source, scalar });
  rows.put([reading("999", 1), reading("1000", 2), reading("3999", 3), reading("4000", 4), reading("2000", 5, "", "steps")]);
  rows.put([reading("1000", 2), reading("3999", 6), reading("3999", 7, "cuff")]);
  assert.deepEqual(rows.newestFirst().map(({ scalar }) => scalar), [6, 7, 2]);
  assert.ok(!rows.isCut);
  rows.clear();
  assert.deepEqual(rows.newestFirst(), []);
});
