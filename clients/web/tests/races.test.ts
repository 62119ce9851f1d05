import assert from "node:assert/strict";
import test from "node:test";
import type { Leaderboard, LeaderboardRow, RunnerStatus } from "../src/api/races_v1.js";
import type { Locale } from "../src/language/choice.js";
import { hashOf, nearOf } from "../src/pages/races/list/near.js";
import { priceText } from "../src/payments/price.js";
import { Commentary } from "../src/races/commentary.js";
import { CoursePath } from "../src/races/course_path.js";
import { clockText, distanceText, durationMs, stopsOf } from "../src/races/format.js";
import { rankText } from "../src/races/rank_text.js";
import { runnersLike } from "../src/races/search.js";
import { Standing } from "../src/races/standing.js";

const english: Locale = { language: "en", tag: "en-GB" };
const italian: Locale = { language: "it", tag: "it" };
const noon = "2026-11-24T12:00:00Z";

function row(number: number, status: RunnerStatus, rest: LeaderboardRow = {}): LeaderboardRow {
  return { number, name: `Runner ${number}`, status, hasMarker: true, fixAgeMs: "0", ...rest };
}

function running(number: number, distanceM: number, uncertaintyM = 0): LeaderboardRow {
  return row(number, "RUNNER_STATUS_RUNNING", { distanceM, markerM: distanceM, uncertaintyM });
}

function standing(rows: readonly LeaderboardRow[], rest: Leaderboard = {}): Standing {
  const made = new Standing();
  made.take({ time: noon, state: "RACE_STATE_RUNNING", rows: [...rows], ...rest });
  return made;
}

const order = (of: Standing): string[] => of.rows.map((runner) => `${runner.number}: ${rankText(runner)}`);

test("a leaderboard is taken as the server tells it", () => {
  const board = standing([
    row(7, "RUNNER_STATUS_FINISHED", { rank: 1, firstRank: 1, lastRank: 1, finishTimeMs: "61000", fixAgeMs: "2000" }),
    row(2, "RUNNER_STATUS_NOT_SEEN", { hasMarker: false, fixAgeMs: "-1" }),
  ]);
  assert.deepEqual(order(board), ["7: 1", "2: –"]);
  assert.equal(board.find(7)?.finishMs, 61_000);
  assert.equal(board.find(7)?.fixTime, Date.parse(noon) - 2000);
  assert.equal(board.find(2)?.fixTime, undefined);
  assert.equal(board.find(2)?.marker, undefined);
  assert.equal(board.find(3), undefined);
});

test("who is before whom follows from the markers, behind those whom the server names", () => {
  const rows = [5, 4, 3, 2, 1].map((number) => running(number, number * 100, 1));
  const board = standing(rows);
  board.change({
    time: "2026-11-24T12:00:01Z", state: "RACE_STATE_RUNNING", numbers: [1, 3], markerM: [501, 210], fixAgeMs: [500, 900],
    leaders: [{ ...running(5, 500.55, 1), rank: 1, firstRank: 1, lastRank: 1 }],
  });
  assert.deepEqual(order(board), ["5: 1", "1: 2 (1–2)", "4: 3", "3: 4", "2: 5"]);
  // In whole metres, it would seem to be before the first.
  assert.equal(board.find(1)?.distance, 501);
  assert.equal(board.find(1)?.fixTime, Date.parse("2026-11-24T12:00:00.500Z"));
  // Without a word about it, a runner stays where they were.
  assert.equal(board.find(4)?.distance, 400);
});

test("ranks are as uncertain as positions are, as the server makes them", () => {
  const board = standing([running(1, 100, 10), running(2, 65, 10), running(3, 10, 1), running(4, 9, 3)]);
  board.change({ time: noon, state: "RACE_STATE_RUNNING" });
  assert.deepEqual(order(board), ["1: 1 (1–2)", "2: 2 (1–2)", "3: 3 (3–4)", "4: 4 (3–4)"]);
});

test("who has finished is before those who run, and who is disqualified behind all", () => {
  const board = standing([running(1, 300), running(2, 200), running(3, 100), running(4, 50)]);
  board.change({
    time: noon, state: "RACE_STATE_RUNNING",
    changed: [
      row(3, "RUNNER_STATUS_FINISHED", { finishTimeMs: "90000", distanceM: 400, markerM: 400 }),
      row(4, "RUNNER_STATUS_FINISHED", { finishTimeMs: "80000", distanceM: 400, markerM: 400 }),
      row(1, "RUNNER_STATUS_DISQUALIFIED", { isGrey: true, distanceM: 300, markerM: 300 }),
    ],
  });
  assert.deepEqual(order(board), ["4: 1", "3: 2", "2: 3", "1: –"]);
});

test("after the end all markers are at the arrival, and nobody has come further by that", () => {
  const board = standing([row(1, "RUNNER_STATUS_DID_NOT_FINISH", { distanceM: 70, markerM: 400 })]);
  board.change({ time: noon, state: "RACE_STATE_FINISHED", numbers: [1], markerM: [400], fixAgeMs: [1] });
  assert.equal(board.find(1)?.distance, 70);
  assert.equal(board.find(1)?.marker, 400);
});

test("leads, finishes and disqualifications are said together, and nothing twice", () => {
  const commentary = new Commentary(english);
  const see = (rows: readonly LeaderboardRow[]): void => {
    commentary.see(standing(rows.map((each, index) => ({ ...each, rank: each.isGrey ? 0 : index + 1 }))).rows);
  };
  see([running(1, 9), running(2, 8), running(3, 7)]);
  assert.equal(commentary.next(), undefined, "what a race begins with is not news");
  see([running(2, 19), running(1, 18), running(3, 7)]);
  const out = row(3, "RUNNER_STATUS_DISQUALIFIED", { isGrey: true });
  see([row(2, "RUNNER_STATUS_FINISHED", { finishTimeMs: "1" }), running(1, 18), out]);
  assert.equal(commentary.next(), "Disqualified: 3 Runner 3. Finished: 2 Runner 2. In the lead: 2 Runner 2.");
  assert.equal(commentary.next(), undefined);
  see([row(2, "RUNNER_STATUS_FINISHED", { finishTimeMs: "1" }), running(1, 18), running(3, 7)]);
  assert.equal(commentary.next(), "Back in the race: 3 Runner 3.");
  const many = [4, 5, 6, 7].map((number) => running(number, number));
  see(many);
  see(many.map((each) => ({ ...each, status: "RUNNER_STATUS_FINISHED" as const, finishTimeMs: "9" })));
  assert.match(commentary.next() ?? "", /^4 runners have finished\./);
});

test("runners are found by how their number begins, and by any part of their name", () => {
  const board = standing([
    row(12, "RUNNER_STATUS_RUNNING", { name: "Niccolò Rossi" }), row(120, "RUNNER_STATUS_RUNNING", { name: "Anna 12" }),
    row(3, "RUNNER_STATUS_RUNNING", { name: "Bea" }),
  ]);
  const found = (text: string): number[] => runnersLike(board.rows, text).map(({ number }) => number);
  assert.deepEqual(found(" 12"), [12, 120]);
  assert.deepEqual(found("NICCOLO ROSSI"), [12]);
  assert.deepEqual(found("anna 1"), [120]);
  assert.deepEqual(found(" "), [12, 120, 3]);
  assert.deepEqual(found("zz"), []);
});

test("each metre of a course has its place, by the server's length", () => {
  const line = [0, 0.001, 0.003].map((longitude) => ({ latitude: 0, longitude }));
  const path = new CoursePath(line, 300);
  const at = (metres: number): number => Math.round(path.at(metres).longitude * 1e5);
  assert.deepEqual([-5, 0, 50, 100, 200, 300, 400].map(at), [0, 0, 50, 100, 200, 300, 300]);
  assert.deepEqual(new CoursePath([], 0).at(5), { latitude: 0, longitude: 0 });
});

test("the stops of a course are the start, its stages and the arrival", () => {
  const stops = stopsOf({
    start: { name: "Castello" }, arrival: {}, lengthM: 900, stages: [{ place: { name: "Arena" }, distanceM: 400 }, {}],
  }, english);
  assert.deepEqual(stops.map(({ name, distance }) => [name, distance]), [
    ["Start: Castello", 0], ["Stage 1: Arena", 400], ["Stage 2", 0], ["Finish", 900],
  ]);
});

test("distances, times and money are written as people write them", () => {
  assert.equal(distanceText(999.4, english), "999 m");
  assert.equal(distanceText(1111.5, italian), "1,11 km");
  assert.equal(clockText(0, english), "0:00:00");
  assert.equal(clockText(3_725_950, english), "1:02:05");
  assert.equal(clockText(3_725_950, italian, true), "1:02:05,9");
  assert.equal(clockText(59_999, english, true), "0:00:59.9");
  assert.equal(clockText(-61_000, english), "−0:01:01");
  assert.equal(priceText({ currencyCode: "EUR", minorUnits: "1500" }, english), "€15.00");
  assert.equal(priceText({ currencyCode: "JPY", minorUnits: "1500" }, english), "JP¥1,500");
  assert.equal(durationMs("21600s"), 21_600_000);
  assert.equal(durationMs("1.5s"), 1500);
  assert.equal(durationMs(undefined), 0);
});

test("where somebody looks for races stands behind the # of the address, to a hundred metres", () => {
  const near = { latitude: 45.46421, longitude: -9.19, radiusKm: 50 };
  assert.equal(hashOf(near), "#near=45.464,-9.19,50");
  assert.deepEqual(nearOf(hashOf(near)), { latitude: 45.464, longitude: -9.19, radiusKm: 50 });
  for (const other of ["", "#near=", "#near=91,0,5", "#near=1,181,5", "#near=1,2,0", "#near=1,2", "#near=a,b,5"]) {
    assert.equal(nearOf(other), undefined, other);
  }
});
