import type { Point } from "./shapes.js";
import { dragged, pinched } from "./viewport.js";
import type { Viewport } from "./viewport.js";

/** A pointer that has moved less, in pixels, was pressed and not drawn. */
const stillPixels = 5;

/** Where a pointer is: in parts of the drawing, and in pixels of the window. */
export interface Place {
  readonly at: Point;
  readonly pixels: Point;
}

/** What mouse, pen and fingers that are down make of the map. */
export class Gestures {
  /** Whether the last press moved the map. */
  private hasDragged = false;
  /** Where each pointer that is down began and is, and where it was pressed in pixels. */
  private readonly down = new Map<number, { from: Point; to: Point; pixels: Point }>();

  /** @param since what was seen when the pointers that are down began. */
  constructor(private since: Viewport) {}

  /** @param isPrimary whether no other pointer of its kind is down, as far as the browser knows. */
  pressed(id: number, isPrimary: boolean, { at, pixels }: Place, view: Viewport): void {
    // A first finger begins anew: that an earlier one was lifted may never have been told.
    if (isPrimary) this.down.clear();
    if (this.down.size === 0) this.hasDragged = false;
    this.down.set(id, { from: at, to: at, pixels });
    this.begin(view);
  }

  /** What is seen now that a pointer has moved; undefined where it stays. */
  moved(id: number, { at, pixels }: Place): Viewport | undefined {
    const pointer = this.down.get(id);
    if (!pointer) return undefined;
    pointer.to = at;
    if (Math.hypot(pixels.x - pointer.pixels.x, pixels.y - pointer.pixels.y) >= stillPixels) this.hasDragged = true;
    if (!this.hasDragged) return undefined;
    const [one, other] = [...this.down.values()];
    if (one && other) return pinched(this.since, [one.from, other.from], [one.to, other.to]);
    return one && dragged(this.since, one.from, one.to);
  }

  released(id: number, view: Viewport): void {
    if (this.down.delete(id)) this.begin(view);
  }

  /**
   * Whether a click picks what is below it: one that ends a drag or a pinch does not.
   * @param presses `detail` of its event: 0 where no pointer has made it, but a key or assistive technology.
   */
  picks(presses: number): boolean {
    return presses === 0 || !this.hasDragged;
  }

  /** From here on, as the fingers are now. */
  private begin(view: Viewport): void {
    this.since = view;
    for (const pointer of this.down.values()) pointer.from = pointer.to;
  }
}
