import type { Point } from "./shapes.js";
import { dragged, pinched, wheeled, whole } from "./viewport.js";
import type { Viewport } from "./viewport.js";

/** A pointer that has moved less, in pixels, was pressed and not drawn. */
const stillPixels = 5;

/** Moves the map by mouse, wheel, one finger and two. */
export class MapPointers {
  /** Whether the last press moved the map: the click that ends it picks nothing. */
  hasJustDragged = false;
  /** Where each pointer that is down began and is, in parts of the drawing. */
  private readonly down = new Map<number, { from: Point; to: Point; pixels: Point }>();
  private since: Viewport;

  constructor(
    private readonly image: SVGSVGElement, private readonly view: () => Viewport,
    private readonly show: (view: Viewport) => void, signal: AbortSignal,
  ) {
    this.since = view();
    image.addEventListener("pointerdown", (event) => this.pressed(event));
    image.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    // A link would be carried away by a mouse.
    image.addEventListener("dragstart", (event) => event.preventDefault());
    // Wherever a pointer has gone to meanwhile.
    document.addEventListener("pointermove", (event) => this.moved(event), { signal });
    for (const type of ["pointerup", "pointercancel"] as const) {
      document.addEventListener(type, (event) => this.released(event), { signal });
    }
  }

  private at({ clientX, clientY }: MouseEvent): Point {
    const { left, top, width, height } = this.image.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  private pressed(event: PointerEvent): void {
    if (event.button !== 0) return;
    // A first finger begins anew, whatever has become of those before.
    if (event.isPrimary) this.down.clear();
    if (this.down.size === 0) this.hasJustDragged = false;
    const at = this.at(event);
    this.down.set(event.pointerId, { from: at, to: at, pixels: { x: event.clientX, y: event.clientY } });
    this.begin();
  }

  /** From here on, as the fingers are now. */
  private begin(): void {
    this.since = this.view();
    for (const pointer of this.down.values()) pointer.from = pointer.to;
  }

  private moved(event: PointerEvent): void {
    const pointer = this.down.get(event.pointerId);
    if (!pointer) return;
    pointer.to = this.at(event);
    const { x, y } = pointer.pixels;
    if (Math.hypot(event.clientX - x, event.clientY - y) >= stillPixels) this.hasJustDragged = true;
    if (!this.hasJustDragged) return;
    const [one, other] = [...this.down.values()];
    if (one && other) this.show(pinched(this.since, [one.from, other.from], [one.to, other.to]));
    else if (one) this.show(dragged(this.since, one.from, one.to));
  }

  private released(event: PointerEvent): void {
    if (this.down.delete(event.pointerId)) this.begin();
  }

  private wheel(event: WheelEvent): void {
    const before = this.view();
    // All of Italy gets no smaller: then the page scrolls.
    if (event.deltaY > 0 && before.zoom <= whole(before.map).zoom) return;
    event.preventDefault();
    this.show(wheeled(before, event.deltaY, event.deltaMode, this.at(event)));
  }
}
