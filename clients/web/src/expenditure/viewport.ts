import type { Box, Point } from "./shapes.js";

/** What of a map is seen: 1 is all of it; x and y are the upper left corner in the map's units. */
export interface Viewport {
  readonly map: Pick<Box, "width" | "height">;
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

// Pointers are told as parts of the drawing, 0 to 1 from its left and its top: it has the proportions of the map.

export const mostZoom = 12;
const keyZoom = 1.5;
/** By how much of what is seen a key moves it. */
const keyStep = 0.2;
/** How many pixels a line and a page of a wheel are. */
const wheelPixels: Readonly<Record<number, number>> = { 0: 1, 1: 16, 2: 400 };

/** All of a map. */
export function whole(map: Viewport["map"]): Viewport {
  return { map: { width: map.width, height: map.height }, zoom: 1, x: 0, y: 0 };
}

const within = (value: number, least: number, most: number): number => (
  Number.isFinite(value) ? Math.min(Math.max(value, least), most) : least);

/** Never beyond the map's edges (S-NFR3). */
function clamped({ map, zoom, x, y }: Viewport): Viewport {
  const allowed = within(zoom, 1, mostZoom);
  return {
    map, zoom: allowed,
    x: within(x, 0, map.width - map.width / allowed), y: within(y, 0, map.height - map.height / allowed),
  };
}

/** The part of the map that is seen, in its units. */
export function seenOf({ map, zoom, x, y }: Viewport): Box {
  return { x, y, width: map.width / zoom, height: map.height / zoom };
}

/** For the `viewBox` of an element of SVG. */
export function viewBoxOf(view: Viewport): string {
  const { x, y, width, height } = seenOf(view);
  return [x, y, width, height].map((value) => Number(value.toFixed(3))).join(" ");
}

/** The place of the map below a pointer. */
export function placeAt(view: Viewport, pointer: Point): Point {
  const { x, y, width, height } = seenOf(view);
  return { x: x + pointer.x * width, y: y + pointer.y * height };
}

/** Another zoom, with a place of the map below a pointer, as far as the edges let it. */
function withPlaceAt(view: Viewport, zoom: number, place: Point, pointer: Point): Viewport {
  const allowed = within(zoom, 1, mostZoom);
  return clamped({
    map: view.map, zoom: allowed,
    x: place.x - (pointer.x * view.map.width) / allowed, y: place.y - (pointer.y * view.map.height) / allowed,
  });
}

const middle: Point = { x: 0.5, y: 0.5 };

/** So many times larger, with what is below the pointer staying there. */
export function zoomedBy(view: Viewport, factor: number, pointer: Point = middle): Viewport {
  return withPlaceAt(view, view.zoom * factor, placeAt(view, pointer), pointer);
}

/** What a turn of the wheel gives: `deltaY` and `deltaMode` of its event. */
export function wheeled(view: Viewport, deltaY: number, deltaMode: number, pointer: Point): Viewport {
  const pixels = within(deltaY * (wheelPixels[deltaMode] ?? 1), -400, 400);
  return zoomedBy(view, Math.exp(-pixels / 400), pointer);
}

/** Drawn along by a pointer from one place to another, both since `view`. */
export function dragged(view: Viewport, from: Point, to: Point): Viewport {
  return withPlaceAt(view, view.zoom, placeAt(view, from), to);
}

/** Drawn by two pointers, from where they were in `view` to where they are. */
export function pinched(view: Viewport, from: readonly [Point, Point], to: readonly [Point, Point]): Viewport {
  const { width, height } = view.map;
  const apart = ([one, other]: readonly [Point, Point]): number => (
    Math.hypot((one.x - other.x) * width, (one.y - other.y) * height));
  const between = ([one, other]: readonly [Point, Point]): Point => (
    { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  const before = apart(from);
  const factor = before > 0 ? apart(to) / before : 1;
  return withPlaceAt(view, view.zoom * factor, placeAt(view, between(from)), between(to));
}

/** Moved by parts of what is seen: 1 to the right shows what was beside it. */
export function moved(view: Viewport, right: number, down: number): Viewport {
  const { width, height } = seenOf(view);
  return clamped({ ...view, x: view.x + right * width, y: view.y + down * height });
}

/** What a key gives: plus, minus, 0 for all of it, and arrows with Shift; undefined for keys that do something else. */
export function keyed(view: Viewport, key: string, isShift: boolean): Viewport | undefined {
  switch (key) {
    case "+": case "=": return zoomedBy(view, keyZoom);
    case "-": case "_": return zoomedBy(view, 1 / keyZoom);
    case "0": return whole(view.map);
    default:
  }
  if (!isShift) return undefined;
  switch (key) {
    case "ArrowLeft": return moved(view, -keyStep, 0);
    case "ArrowRight": return moved(view, keyStep, 0);
    case "ArrowUp": return moved(view, 0, -keyStep);
    case "ArrowDown": return moved(view, 0, keyStep);
    default: return undefined;
  }
}

/** Moved as little as brings a box into sight, such as a region with the focus; its middle, if it is too large. */
export function showing(view: Viewport, box: Box): Viewport {
  const seen = seenOf(view);
  const along = (start: number, size: number, from: number, length: number): number => {
    if (length > size) return from + length / 2 - size / 2;
    return within(start, from + length - size, from);
  };
  return clamped({
    ...view, x: along(seen.x, seen.width, box.x, box.width), y: along(seen.y, seen.height, box.y, box.height),
  });
}
