import { Gestures } from "./gestures.js";
import type { Place } from "./gestures.js";
import { wheeled, whole } from "./viewport.js";
import type { Viewport } from "./viewport.js";

/** Moves the map by mouse, wheel, one finger and two. */
export class MapPointers {
  private readonly gestures: Gestures;

  constructor(
    private readonly image: SVGSVGElement, private readonly view: () => Viewport,
    private readonly show: (view: Viewport) => void, signal: AbortSignal,
  ) {
    const gestures = this.gestures = new Gestures(view());
    image.addEventListener("pointerdown", (event) => {
      if (event.button === 0) gestures.pressed(event.pointerId, event.isPrimary, this.placeOf(event), view());
    });
    image.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    // A link would be carried away by a mouse.
    image.addEventListener("dragstart", (event) => event.preventDefault());
    // Wherever a pointer has gone to meanwhile.
    document.addEventListener("pointermove", (event) => {
      const moved = gestures.moved(event.pointerId, this.placeOf(event));
      if (moved) show(moved);
    }, { signal });
    for (const type of ["pointerup", "pointercancel"] as const) {
      document.addEventListener(type, ({ pointerId }) => gestures.released(pointerId, view()), { signal });
    }
  }

  /** Whether a click picks the region below it. */
  picks({ detail }: MouseEvent): boolean {
    return this.gestures.picks(detail);
  }

  private placeOf({ clientX, clientY }: MouseEvent): Place {
    const { left, top, width, height } = this.image.getBoundingClientRect();
    return { at: { x: (clientX - left) / width, y: (clientY - top) / height }, pixels: { x: clientX, y: clientY } };
  }

  private wheel(event: WheelEvent): void {
    const before = this.view();
    // All of Italy gets no smaller: then the page scrolls.
    if (event.deltaY > 0 && before.zoom <= whole(before.map).zoom) return;
    event.preventDefault();
    this.show(wheeled(before, event.deltaY, event.deltaMode, this.placeOf(event).at));
  }
}
