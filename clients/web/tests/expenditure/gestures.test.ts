import assert from "node:assert/strict";
import test from "node:test";
import { Gestures } from "../../src/expenditure/gestures.js";
import type { Place } from "../../src/expenditure/gestures.js";
import { italyBox } from "../../src/expenditure/shapes.js";
import { placeAt, whole, zoomedBy } from "../../src/expenditure/viewport.js";
import type { Viewport } from "../../src/expenditure/viewport.js";

const near = zoomedBy(whole(italyBox), 3);

/** A place of a drawing of 400 to 500 pixels. */
const at = (x: number, y: number): Place => ({ at: { x: x / 400, y: y / 500 }, pixels: { x, y } });

/** Fingers on the map; `view` is what is seen. */
class Fingers {
  private readonly gestures: Gestures;

  constructor(public view: Viewport = near) {
    this.gestures = new Gestures(view);
  }

  /** The first finger is primary, others are not. */
  press(id: number, place: Place, isPrimary = id === 1): void {
    this.gestures.pressed(id, isPrimary, place, this.view);
  }

  move(id: number, place: Place): void {
    this.view = this.gestures.moved(id, place) ?? this.view;
  }

  release(id: number): void {
    this.gestures.released(id, this.view);
  }

  /** Whether a click of a pointer picks a region. */
  get picks(): boolean {
    return this.gestures.picks(1);
  }

  get picksByKey(): boolean {
    return this.gestures.picks(0);
  }
}

function pinch(map: Fingers): void {
  map.press(1, at(180, 250));
  map.press(2, at(220, 250));
  map.move(1, at(140, 250));
  map.move(2, at(260, 250));
}

test("S-UC1: a tap picks, also if the finger trembles", () => {
  const map = new Fingers();
  map.press(1, at(100, 100));
  map.move(1, at(103, 102));
  map.release(1);
  assert.ok(map.picks);
  assert.deepEqual(map.view, near);
});

test("S-UC1: a finger that moves the map picks nothing when it is lifted", () => {
  const map = new Fingers();
  map.press(1, at(100, 100));
  map.move(1, at(110, 130));
  map.release(1);
  assert.ok(!map.picks);
  assert.ok(map.view.x < near.x && map.view.y < near.y);
});

test("S-UC1: a tap after a pinch picks, whichever finger was lifted first", () => {
  for (const order of [[1, 2], [2, 1]]) {
    const map = new Fingers();
    pinch(map);
    for (const id of order) map.release(id);
    assert.ok(!map.picks);
    assert.ok(Math.abs(map.view.zoom - 3 * near.zoom) < 1e-9);
    const pinched = map.view;
    map.press(3, at(100, 100), true);
    map.release(3);
    assert.ok(map.picks);
    assert.deepEqual(map.view, pinched);
  }
});

test("S-UC1: a tap after a pinch picks, also if nobody was told that a finger was lifted", () => {
  for (const told of [[], [1], [2]]) {
    const map = new Fingers();
    pinch(map);
    for (const id of told) map.release(id);
    const pinched = map.view;
    map.press(3, at(100, 100), true);
    map.move(3, at(101, 100));
    map.release(3);
    assert.ok(map.picks, `told of ${told.join(" and ") || "none"}`);
    assert.deepEqual(map.view, pinched);
    // What moves then is drawn by one finger, and not zoomed by it and one that has gone.
    map.press(4, at(100, 100), true);
    map.move(4, at(140, 100));
    assert.equal(map.view.zoom, pinched.zoom);
    assert.ok(map.view.x < pinched.x);
  }
});

test("S-UC1: the finger that is left after a pinch goes on moving the map from where it is", () => {
  const map = new Fingers();
  pinch(map);
  map.release(1);
  const pinched = map.view;
  map.move(2, at(260, 250));
  assert.deepEqual(map.view, pinched);
  const below = placeAt(map.view, at(260, 250).at);
  map.move(2, at(280, 260));
  const now = placeAt(map.view, at(280, 260).at);
  assert.ok(Math.hypot(below.x - now.x, below.y - now.y) < 1e-6);
});

test("S-UC1: Enter opens a report after the map was drawn along, too", () => {
  const map = new Fingers();
  map.press(1, at(100, 100));
  map.move(1, at(200, 200));
  map.release(1);
  assert.ok(!map.picks && map.picksByKey);
});

test("S-UC1: pointers that were not pressed on the map do nothing", () => {
  const map = new Fingers();
  map.move(7, at(10, 10));
  map.release(7);
  assert.deepEqual(map.view, near);
  assert.ok(map.picks);
});
