import { italy, italySize } from "./italy.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** A region or autonomous province on the map, in the map's units. */
export interface Shape {
  /** Of its account: "041" is Bolzano. */
  readonly code: string;
  /** For the `d` of a path of SVG. */
  readonly path: string;
  /** Where a label has most room. */
  readonly label: Point;
  readonly box: Box;
  /** The codes of those that it has a border with. */
  readonly neighbours: readonly string[];
}

export type Direction = "up" | "down" | "left" | "right";

/** All that there is of the map: nothing lies outside. */
export const italyBox: Box = { x: 0, y: 0, ...italySize };

/** The rings of a path of this map: a place, and steps from there. */
export function ringsOf(path: string): Point[][] {
  return path.split("z").filter((part) => part !== "").map((part) => {
    const numbers = (part.match(/-?\d+/g) ?? []).map(Number);
    let x = 0, y = 0;
    return Array.from({ length: numbers.length / 2 }, (_, index) => {
      x += numbers[2 * index] as number;
      y += numbers[2 * index + 1] as number;
      return { x, y };
    });
  });
}

/** The smallest box around points. */
export function boxAround(points: readonly Point[]): Box {
  const xs = points.map(({ x }) => x), ys = points.map(({ y }) => y);
  const x = Math.min(...xs), y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** The 21 shapes, by code. */
export const shapes: readonly Shape[] = italy.map(({ code, path, label: [x, y], neighbours }) => (
  { code, path, label: { x, y }, neighbours, box: boxAround(ringsOf(path).flat()) }));

const byCode = new Map(shapes.map((shape) => [shape.code, shape]));

/** The shape of an account; Italy as a whole and bodies have none. */
export function shapeOf(code: string): Shape | undefined {
  return byCode.get(code);
}

/** How far one lies from another in a direction, and how far beside it. */
const distances: Readonly<Record<Direction, (dx: number, dy: number) => readonly [ahead: number, aside: number]>> = {
  up: (dx, dy) => [-dy, Math.abs(dx)],
  down: (dx, dy) => [dy, Math.abs(dx)],
  left: (dx, dy) => [-dx, Math.abs(dy)],
  right: (dx, dy) => [dx, Math.abs(dy)],
};

/** Where an arrow key leads: to the nearest within 45° on both sides of the direction, if there is one. */
export function neighbour(code: string, direction: Direction): string | undefined {
  const from = byCode.get(code);
  if (!from) return undefined;
  let nearest: string | undefined, least = Infinity;
  for (const shape of shapes) {
    const [ahead, aside] = distances[direction](shape.label.x - from.label.x, shape.label.y - from.label.y);
    const distance = Math.hypot(ahead, aside);
    if (ahead <= 0 || aside > ahead || distance >= least) continue;
    nearest = shape.code;
    least = distance;
  }
  return nearest;
}

/** The direction of an arrow key. */
export function directionOf(key: string): Direction | undefined {
  const directions: Readonly<Record<string, Direction>> = {
    ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  };
  return directions[key];
}
