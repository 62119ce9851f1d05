import assert from "node:assert/strict";
import test from "node:test";
import { italyBox, shapeOf, shapes } from "../../src/expenditure/shapes.js";
import type { Point } from "../../src/expenditure/shapes.js";
import {
  dragged, keyed, mostZoom, moved, pinched, placeAt, seenOf, showing, viewBoxOf, wheeled, whole, zoomedBy,
} from "../../src/expenditure/viewport.js";
import type { Viewport } from "../../src/expenditure/viewport.js";
import { numbersOf } from "./support.js";

const all = whole(italyBox);
const centre: Point = { x: 0.5, y: 0.5 };

function isNear(one: Point, other: Point): void {
  assert.ok(Math.hypot(one.x - other.x, one.y - other.y) < 1e-6, `${one.x},${one.y} is not ${other.x},${other.y}`);
}

/** Whether nothing but the map is seen. */
function assertWithin(view: Viewport): void {
  const { x, y, width, height } = seenOf(view);
  assert.ok(view.zoom >= 1 && view.zoom <= mostZoom, String(view.zoom));
  const right = x + width, bottom = y + height;
  assert.ok(x >= 0 && y >= 0 && right <= italyBox.width + 1e-6 && bottom <= italyBox.height + 1e-6, viewBoxOf(view));
}

test("S-NFR3: whatever wheel, pointers and keys do, nothing beyond Italy is seen", () => {
  const random = numbersOf(3);
  const point = (): Point => ({ x: random() * 3 - 1, y: random() * 3 - 1 });
  const strange = [0, Infinity, -Infinity, NaN, 1e300, -1e300];
  const keys = ["+", "-", "=", "_", "0", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const ways: Array<(view: Viewport) => Viewport> = [
    (view) => wheeled(view, random() * 2000 - 1000, Math.floor(random() * 4), point()),
    (view) => wheeled(view, pick(strange), 0, point()),
    (view) => zoomedBy(view, pick([...strange, random() * 4]), point()),
    (view) => dragged(view, point(), point()),
    (view) => dragged(view, { x: pick(strange), y: 0 }, point()),
    (view) => pinched(view, [point(), point()], [point(), point()]),
    (view) => pinched(view, [centre, centre], [point(), centre]),
    (view) => keyed(view, pick(keys), random() < 0.8) ?? view,
    (view) => moved(view, random() * 4 - 2, random() * 4 - 2),
    (view) => showing(view, pick(shapes).box),
  ];
  let view = all;
  for (let round = 0; round < 20_000; round++) {
    view = pick(ways)(view);
    assertWithin(view);
  }
});

test("S-UC1: the place below the pointer stays there while the wheel zooms", () => {
  const pointer = { x: 0.4, y: 0.3 };
  const place = placeAt(all, pointer);
  let view = all;
  for (let turn = 0; turn < 5; turn++) {
    view = wheeled(view, -100, 0, pointer);
    isNear(placeAt(view, pointer), place);
  }
  assert.ok(view.zoom > 3);
  assert.equal(wheeled(all, -1, 1, pointer).zoom, wheeled(all, -16, 0, pointer).zoom);
  assert.deepEqual(wheeled(all, 100, 0, pointer), all);
  assert.equal(zoomedBy(all, 1000, pointer).zoom, mostZoom);
});

test("S-UC1: what is drawn along stays below the pointer, and stops at the edge", () => {
  const near = zoomedBy(all, 4);
  const from = { x: 0.6, y: 0.6 }, to = { x: 0.5, y: 0.7 };
  isNear(placeAt(dragged(near, from, to), to), placeAt(near, from));
  assert.deepEqual(dragged(all, from, to), all);
  assert.equal(dragged(near, { x: 0, y: 0.5 }, { x: 50, y: 0.5 }).x, 0);
});

test("S-UC1: two fingers zoom by their distance, around the place between them", () => {
  const from: [Point, Point] = [{ x: 0.4, y: 0.5 }, { x: 0.6, y: 0.5 }];
  const to: [Point, Point] = [{ x: 0.2, y: 0.5 }, { x: 0.8, y: 0.5 }];
  const near = pinched(all, from, to);
  assert.ok(Math.abs(near.zoom - 3) < 1e-9);
  isNear(placeAt(near, centre), placeAt(all, centre));
  const back = pinched(near, to, from);
  assert.ok(Math.abs(back.zoom - 1) < 1e-9);
  isNear(back, all);
});

test("S-UC1: plus and minus zoom around the middle, Shift and arrows move, other keys are left alone", () => {
  const near = keyed(all, "+", false) as Viewport;
  assert.equal(near.zoom, 1.5);
  isNear(placeAt(near, centre), placeAt(all, centre));
  assert.equal(keyed(near, "-", false)?.zoom, 1);
  assert.deepEqual(keyed(near, "0", false), all);
  const right = keyed(near, "ArrowRight", true) as Viewport;
  assert.ok(right.x > near.x && right.y === near.y);
  for (const key of ["ArrowRight", "Enter", "a"]) assert.equal(keyed(near, key, false), undefined);
  assert.equal(keyed(near, "Enter", true), undefined);
});

test("S-UC1: a region that gets the focus is brought into sight", () => {
  for (const { box, label } of shapes) {
    for (const zoom of [1, 2, 3, mostZoom]) {
      const view = showing(zoomedBy(all, zoom, { x: 0, y: 1 }), box);
      const seen = seenOf(view);
      const isWhole = box.width <= seen.width && box.height <= seen.height;
      const holds = (x: number, y: number): boolean => (
        x >= seen.x - 1e-6 && y >= seen.y - 1e-6
        && x <= seen.x + seen.width + 1e-6 && y <= seen.y + seen.height + 1e-6);
      if (isWhole) assert.ok(holds(box.x, box.y) && holds(box.x + box.width, box.y + box.height));
      if (zoom <= 3) assert.ok(holds(label.x, label.y));
      assert.equal(view.zoom, zoom);
    }
  }
  const there = zoomedBy(all, 2, { x: 0, y: 0 });
  assert.deepEqual(showing(there, shapeOf("020")?.box ?? italyBox), there);
});

test("a view box is written briefly", () => {
  assert.equal(viewBoxOf(all), `0 0 ${italyBox.width} ${italyBox.height}`);
  assert.match(viewBoxOf(zoomedBy(all, 3.3)), /^[\d.]+ [\d.]+ [\d.]+ [\d.]+$/);
});
