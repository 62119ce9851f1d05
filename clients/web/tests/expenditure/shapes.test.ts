import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { regionName, officialName } from "../../src/expenditure/regions/names.js";
import { boxAround, directionOf, italyBox, neighbour, ringsOf, shapeOf, shapes } from "../../src/expenditure/shapes.js";
import type { Direction, Point } from "../../src/expenditure/shapes.js";
import { english, italian } from "./support.js";

const directions: readonly Direction[] = ["up", "down", "left", "right"];
const key = ({ x, y }: Point): string => `${x},${y}`;

/** Each side of a ring, as it goes. */
const sidesOf = (ring: readonly Point[]): Array<[Point, Point]> => (
  ring.map((point, index) => [point, ring[(index + 1) % ring.length] as Point]));

const areaOf = (ring: readonly Point[]): number => (
  sidesOf(ring).reduce((sum, [one, other]) => sum + one.x * other.y - other.x * one.y, 0) / 2);

/** How often a line to the right crosses rings: odd inside. */
const isWithin = ({ x, y }: Point, rings: readonly Point[][]): boolean => rings.flatMap(sidesOf).filter(([one, other]) => (
  (one.y > y) !== (other.y > y) && x < ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x)).length % 2 === 1;

test("S-UC1: the map has the 21 accounts, Bolzano and Trento apart, and names them", () => {
  const codes = [
    "010", "020", "030", "041", "042", "050", "060", "070", "080", "090", "100", "110", "120", "130", "140", "150", "160",
    "170", "180", "190", "200",
  ];
  assert.deepEqual(shapes.map(({ code }) => code), codes);
  for (const code of codes) assert.ok(shapeOf(code) && regionName(code, english) && officialName(code));
  assert.equal(shapeOf("040"), undefined);
  assert.equal(regionName("090", english), "Tuscany");
  assert.equal(regionName("090", italian), officialName("090"));
  assert.equal(regionName("999", english), undefined);
});

test("neighbours share their border side by side, and no two shapes have a side in the same direction", () => {
  const users = new Map<string, string>();
  for (const { code, path } of shapes) {
    for (const [from, to] of ringsOf(path).flatMap(sidesOf)) {
      const side = `${key(from)} ${key(to)}`;
      assert.ok(!users.has(side), `${code} overlaps ${users.get(side)} at ${side}`);
      users.set(side, code);
    }
  }
  for (const { code, neighbours } of shapes) {
    const shared = new Set([...users].filter(([, user]) => user === code).flatMap(([side]) => (
      users.get(side.split(" ").reverse().join(" ")) ?? [])));
    assert.deepEqual([...shared].sort(), [...neighbours]);
    for (const other of neighbours) assert.ok(shapeOf(other)?.neighbours.includes(code));
  }
  assert.deepEqual(shapeOf("041")?.neighbours, ["030", "042", "050"]);
  assert.deepEqual(shapeOf("200")?.neighbours, []);
});

test("no side of a shape crosses another one: there are neither slivers nor overlaps", () => {
  const turn = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  const sides = shapes.flatMap(({ path }) => ringsOf(path).flatMap(sidesOf));
  sides.forEach(([a, b], index) => {
    for (const [c, d] of sides.slice(index + 1)) {
      const isCrossed = turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
      assert.ok(!isCrossed, `${key(a)} ${key(b)} crosses ${key(c)} ${key(d)}`);
    }
  });
});

test("areas are those of the regions, within two per cent", () => {
  // In square kilometres, from ISTAT; a unit of the map is 500 m.
  const known: Readonly<Record<string, number>> = {
    "010": 25_387, "020": 3_261, "030": 23_864, "041": 7_398, "042": 6_207, "120": 17_232, "190": 25_832, "200": 24_100,
  };
  for (const [code, square] of Object.entries(known)) {
    const drawn = ringsOf(shapeOf(code)?.path ?? "").reduce((sum, ring) => sum + areaOf(ring), 0) / 4;
    assert.ok(Math.abs(Math.abs(drawn) / square - 1) < 0.02, `${code}: ${drawn} km²`);
  }
});

test("labels lie within their shapes, and shapes within the map", () => {
  for (const { label, path, box } of shapes) {
    assert.ok(isWithin(label, ringsOf(path)));
    assert.deepEqual(box, boxAround(ringsOf(path).flat()));
    assert.ok(box.x > 0 && box.y > 0);
    assert.ok(box.x + box.width < italyBox.width && box.y + box.height < italyBox.height);
  }
});

test("S-UC1: arrow keys lead from every region to every other one, at most six keys away", () => {
  for (const { code } of shapes) {
    const reached = new Map([[code, 0]]);
    for (const [here, keys] of reached) {
      for (const direction of directions) {
        const next = neighbour(here, direction);
        if (next !== undefined && !reached.has(next)) reached.set(next, keys + 1);
      }
    }
    assert.equal(reached.size, shapes.length, `from ${code}`);
    assert.ok(Math.max(...reached.values()) <= 6);
  }
});

test("an arrow key leads to what lies there", () => {
  const expected: Array<[string, Direction, string | undefined]> = [
    ["010", "up", "020"], ["010", "left", undefined], ["041", "down", "042"], ["030", "right", "042"],
    ["120", "left", "200"], ["180", "down", "190"], ["190", "up", "180"], ["200", "right", "120"], ["999", "up", undefined],
  ];
  for (const [from, direction, to] of expected) assert.equal(neighbour(from, direction), to, `${from} ${direction}`);
  assert.equal(directionOf("ArrowLeft"), "left");
  assert.equal(directionOf("Enter"), undefined);
});

test("the map's file is small and names whom the boundaries are of, in what a browser loads too", () => {
  const text = readFileSync("src/expenditure/italy.ts", "utf8");
  assert.ok(text.length <= 14 * 1024);
  assert.match(text, /^\/\*! .*© ISTAT, openpolis, CC BY 4\.0/);
});
