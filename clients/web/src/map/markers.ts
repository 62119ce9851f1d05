import { worldX, worldY } from "./mercator.js";
import type { Place, View } from "./mercator.js";

/** How a marker looks, by colour and by shape. Those that come first are drawn below the others. */
export const markerKinds = ["out", "stale", "finished", "runner"] as const;

/**
 * "runner": somebody whose position is fresh; "stale": whose position is old; "finished"; "out": disqualified, withdrawn,
 * or no longer taken into account.
 */
export type MarkerKind = typeof markerKinds[number];

/** Somebody on the map. */
export interface MapMarker extends Place {
  readonly id: string;
  /** A bib number, or a few letters. */
  readonly label: string;
  readonly kind: MarkerKind;
  /** Oneself, or whom one follows: larger, above all others, with the circle of its accuracy. */
  readonly isHighlighted?: boolean;
  /** Metres around the place, where it really is. */
  readonly accuracyM?: number;
}

/** Markers, ready to be drawn again and again, and to be found. */
export class Markers {
  private list: readonly MapMarker[] = [];
  /** x and y in the world of each, in the order of `drawn`. */
  private world = new Float64Array(0);
  /** In the order in which they are drawn; the highlighted are the last. */
  private drawn: MapMarker[] = [];
  private firstHighlighted = 0;

  get count(): number {
    return this.list.length;
  }

  find(id: string): MapMarker | undefined {
    return this.list.find((marker) => marker.id === id);
  }

  set(markers: readonly MapMarker[]): void {
    this.list = markers;
    this.drawn.length = 0;
    for (const kind of markerKinds) {
      for (const marker of markers) if (marker.kind === kind && !marker.isHighlighted) this.drawn.push(marker);
    }
    this.firstHighlighted = this.drawn.length;
    for (const marker of markers) if (marker.isHighlighted) this.drawn.push(marker);
    if (this.world.length < 2 * markers.length) this.world = new Float64Array(2 * markers.length);
    for (const [index, { latitude, longitude }] of this.drawn.entries()) {
      this.world[2 * index] = worldX(longitude);
      this.world[2 * index + 1] = worldY(latitude);
    }
  }

  /** Calls for each that is in view, or less than `margin` pixels beside it, with its place in the view. */
  forEach(view: View, margin: number, call: (marker: MapMarker, x: number, y: number) => void): void {
    this.forEachOf(0, this.drawn.length, view, margin, call);
  }

  /** The same for the highlighted alone. */
  forEachHighlighted(view: View, margin: number, call: (marker: MapMarker, x: number, y: number) => void): void {
    this.forEachOf(this.firstHighlighted, this.drawn.length, view, margin, call);
  }

  /** The same for all others. */
  forEachOther(view: View, margin: number, call: (marker: MapMarker, x: number, y: number) => void): void {
    this.forEachOf(0, this.firstHighlighted, view, margin, call);
  }

  private forEachOf(
    from: number, to: number, view: View, margin: number, call: (marker: MapMarker, x: number, y: number) => void,
  ): void {
    for (let index = from; index < to; index += 1) {
      const x = (this.world[2 * index] ?? 0) * view.world - view.left;
      const y = (this.world[2 * index + 1] ?? 0) * view.world - view.top;
      if (x < -margin || y < -margin || x > view.width + margin || y > view.height + margin) continue;
      const marker = this.drawn[index];
      if (marker) call(marker, x, y);
    }
  }

  /** The nearest to a point of the view, at most `reach` pixels away; of several there, the one on top. */
  nearest(view: View, pointX: number, pointY: number, reach: number): MapMarker | undefined {
    let found: MapMarker | undefined;
    let least = reach;
    this.forEach(view, reach, (marker, x, y) => {
      const distance = Math.hypot(x - pointX, y - pointY);
      if (distance > least) return;
      least = distance;
      found = marker;
    });
    return found;
  }
}

/** Tells where a marker would cover one of the same kind almost wholly: of thousands in one street few need be drawn. */
export class DrawnSpots {
  private columns = 0;
  private rows = 0;
  private kinds = new Uint8Array(0);

  /** @param size pixels within which two markers look like one. */
  constructor(private readonly size: number) {}

  /** Forgets every spot. */
  clear({ width, height }: View): void {
    // One more on each side, for those that reach into the view.
    this.columns = Math.ceil(width / this.size) + 16;
    this.rows = Math.ceil(height / this.size) + 16;
    const count = this.columns * this.rows;
    if (this.kinds.length < count) this.kinds = new Uint8Array(count);
    else this.kinds.fill(0, 0, count);
  }

  /** Whether none of this kind is there yet; then it is. */
  take(kind: MarkerKind, x: number, y: number): boolean {
    const column = Math.floor(x / this.size) + 8;
    const row = Math.floor(y / this.size) + 8;
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return true;
    const spot = row * this.columns + column;
    const number = markerKinds.indexOf(kind) + 1;
    if (this.kinds[spot] === number) return false;
    this.kinds[spot] = number;
    return true;
  }
}

/** Keeps labels from covering each other: a grid of cells, each taken once in a drawing. */
export class LabelCells {
  private readonly taken = new Set<number>();

  constructor(private readonly width: number, private readonly height: number) {}

  clear(): void {
    this.taken.clear();
  }

  /** Whether there is room for one around a point, which it then takes. */
  take(x: number, y: number): boolean {
    const column = Math.floor(x / this.width);
    const row = Math.floor(y / this.height);
    for (let across = column - 1; across <= column + 1; across += 1) {
      if (this.taken.has(key(across, row))) return false;
    }
    this.taken.add(key(column, row));
    return true;
  }
}

const key = (column: number, row: number): number => (row + 1000) * 100_000 + column + 1000;
