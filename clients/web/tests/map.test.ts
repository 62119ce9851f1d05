import assert from "node:assert/strict";
import test from "node:test";
import { DrawnCourse } from "../src/map/course.js";
import { DrawnSpots, LabelCells, Markers } from "../src/map/markers.js";
import type { MapMarker } from "../src/map/markers.js";
import { boxAround, distanceM, worldLength, worldX, worldY } from "../src/map/mercator.js";
import type { View } from "../src/map/mercator.js";
import { readTile } from "../src/map/tile.js";

const near = (actual: number, expected: number, error: number): void => {
  assert.ok(Math.abs(actual - expected) <= error, `${actual} is not ${expected}`);
};

/** All of the world in a square of 1,000 pixels. */
const world: View = { world: 1_000, left: 0, top: 0, width: 1_000, height: 1_000 };

const runner = (id: string, latitude: number, longitude: number, more: Partial<MapMarker> = {}): MapMarker => (
  { id, label: id, latitude, longitude, kind: "runner", ...more });

test("places lie in the world where maps on the web have them", () => {
  assert.equal(worldX(-180), 0);
  assert.equal(worldX(180), 1);
  near(worldY(0), 0.5, 1e-12);
  near(worldY(90), 0, 1e-6);
  near(worldY(-90), 1, 1e-6);
  // The cathedral of Milan, in the numbers of tiles of zoom 16 as OpenStreetMap computes them.
  assert.equal(Math.floor(worldX(9.1916) * 65_536), 34_441);
  assert.equal(Math.floor(worldY(45.4642) * 65_536), 23_454);
});

test("distances are those on the earth", () => {
  near(distanceM({ latitude: 45, longitude: 9 }, { latitude: 46, longitude: 9 }), 111_195, 1);
  near(distanceM({ latitude: 60, longitude: 9 }, { latitude: 60, longitude: 10 }), 55_597, 10);
  near(worldLength(40_075_016.7 / 2, 60), 1, 1e-6);
});

test("a box is around all places, and around none there is none", () => {
  assert.equal(boxAround([]), undefined);
  assert.deepEqual(
    boxAround([{ latitude: 1, longitude: 8 }, { latitude: 3, longitude: -2 }]),
    [{ latitude: 1, longitude: -2 }, { latitude: 3, longitude: 8 }]);
});

test("a tile is read as PostGIS writes lines", () => {
  // SELECT ST_AsTWKB('MULTILINESTRING((0 0, 1024 10), (1024 10, -3 700))'::geometry)
  const lines = [0x05, 0x00, 0x02, 0x02, 0x00, 0x00, 0x80, 0x10, 0x14, 0x02, 0x00, 0x00, 0x85, 0x10, 0xe4, 0x0a];
  assert.deepEqual(
    readTile(new Uint8Array([0, ...lines, 3, ...lines])).map(({ name, lines }) => [name, lines.map((line) => [...line])]),
    ["land", "roads"].map((name) => [name, [[0, 0, 1024, 10], [1024, 10, -3, 700]]]));
  assert.deepEqual(readTile(new Uint8Array()), []);
});

test("what is no tile is refused, and makes no array that is larger than itself", () => {
  const bad = [
    [0], [0, 5], [0, 5, 0], [9, 5, 0, 0], [0, 2, 0, 0], [0, 5, 1, 0], [0, 5, 0, 1, 2, 0, 0],
    [0, 5, 0, 1, 0xff, 0xff, 0xff, 0x7f], [0, 5, 0, 0xff, 0xff, 0xff, 0xff, 0xff],
  ];
  for (const bytes of bad) {
    assert.throws(() => readTile(new Uint8Array(bytes)), (error) => error instanceof RangeError);
  }
});

test("markers are drawn by kind, the highlighted above all", () => {
  const markers = new Markers();
  markers.set([
    runner("me", 0, 0, { isHighlighted: true }), runner("a", 0, 0), runner("gone", 0, 0, { kind: "out" }),
    runner("old", 0, 0, { kind: "stale" }), runner("done", 0, 0, { kind: "finished" }),
  ]);
  const drawn: string[] = [];
  markers.forEach(world, 0, ({ id }) => drawn.push(id));
  assert.deepEqual(drawn, ["gone", "old", "done", "a", "me"]);
  const [others, highlighted]: [string[], string[]] = [[], []];
  markers.forEachOther(world, 0, ({ id }) => others.push(id));
  markers.forEachHighlighted(world, 0, ({ id }) => highlighted.push(id));
  assert.deepEqual([others, highlighted], [["gone", "old", "done", "a"], ["me"]]);
});

test("markers out of view are left out, and those before are gone when others are set", () => {
  const markers = new Markers();
  markers.set([runner("a", 0, 0), runner("b", 0, 90), runner("c", 0, -90)]);
  const drawn: unknown[] = [];
  const east: View = { world: 1_000, left: 500, top: 0, width: 300, height: 1_000 };
  markers.forEach(east, 0, ({ id }, x, y) => drawn.push([id, x, y]));
  assert.deepEqual(drawn, [["a", 0, 500], ["b", 250, 500]]);
  markers.set([runner("c", 0, -90)]);
  assert.equal(markers.find("a"), undefined);
  drawn.length = 0;
  markers.forEach(world, 0, ({ id }) => drawn.push(id));
  assert.deepEqual(drawn, ["c"]);
});

test("a click finds the nearest marker within reach, and of two at one place the one on top", () => {
  const markers = new Markers();
  markers.set([runner("a", 0, 0), runner("b", 0, 3.6), runner("out", 0, 3.6, { kind: "out" })]);
  assert.equal(markers.nearest(world, 503, 500, 22)?.id, "a");
  assert.equal(markers.nearest(world, 508, 500, 22)?.id, "b");
  assert.equal(markers.nearest(world, 533, 500, 22), undefined);
});

test("of many markers of a kind at one spot one is drawn, and one of each other kind", () => {
  const spots = new DrawnSpots(3);
  spots.clear(world);
  assert.deepEqual(
    [spots.take("out", 10, 10), spots.take("out", 11, 11), spots.take("runner", 11, 11), spots.take("out", 40, 10)],
    [true, false, true, true]);
  spots.clear(world);
  assert.ok(spots.take("runner", 10, 10));
});

test("labels do not cover each other", () => {
  const cells = new LabelCells(20, 10);
  assert.ok(cells.take(100, 100));
  assert.ok(!cells.take(95, 101));
  assert.ok(!cells.take(115, 105));
  assert.ok(cells.take(150, 100));
  assert.ok(cells.take(100, 115));
  cells.clear();
  assert.ok(cells.take(95, 101));
});

test("a stop of a course is found near it", () => {
  const course = new DrawnCourse({
    line: [{ latitude: 0, longitude: 0 }],
    stops: [{ latitude: 0, longitude: 0, kind: "start", label: "S" }, { latitude: 0, longitude: 36, kind: "finish", label: "F" }],
  });
  assert.equal(course.stopAt(world, 505, 505, 22), 0);
  assert.equal(course.stopAt(world, 610, 500, 22), 1);
  assert.equal(course.stopAt(world, 550, 500, 22), undefined);
  assert.equal(course.places.length, 3);
});
