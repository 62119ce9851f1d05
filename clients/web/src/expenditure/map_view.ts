import { svg } from "../charts/svg.js";
import { MapPointers } from "./map_pointers.js";
import { directionOf, italyBox, neighbour, shapeOf, shapes } from "./shapes.js";
import { keyed, showing, viewBoxOf, whole, zoomedBy } from "./viewport.js";
import type { Viewport } from "./viewport.js";

/** How a region is drawn. */
export interface Painted {
  readonly fill: string;
  /** Its name and value, or why there is none. */
  readonly label: string;
  /** Where it leads. */
  readonly address: string;
  /** Others are picked out, and this one is not. */
  readonly isQuiet: boolean;
  /** It is one of those that are to be compared. */
  readonly isChosen: boolean;
}

export interface MapListener {
  /** A region was picked: its report is wanted. */
  open(address: string): void;
  /** A pointer or the focus is on a region, or on none any more. */
  pointed(code: string | undefined): void;
}

const zoomStep = 1.5;
/** What missing values are filled with, on the map and in its legend. */
export const hatchFill = "url(#hatch)";
export const smallHatchFill = "url(#hatch-small)";

/**
 * The 21 accounts as shapes to look at, move, zoom and pick (S-UC1). Each is a link, of which one at a time is reached
 * by Tab; arrow keys go from one to the next. What is seen never leaves Italy.
 */
export class MapView {
  readonly image: SVGSVGElement;
  private view: Viewport = whole(italyBox);
  private readonly links = new Map<string, SVGAElement>();
  /** The same shape on top of its neighbours, for the outline of what has the focus or a pointer. */
  private readonly ring = [svg("path", { class: "ring-outer" }), svg("path", { class: "ring" })] as const;
  private readonly chosen = svg("g", { class: "chosen-shapes" });
  private readonly pointers: MapPointers;

  /** @param first which region Tab leads to at first. */
  constructor(label: string, first: string, private readonly listener: MapListener, signal: AbortSignal) {
    const links = shapes.map(({ code, path }) => {
      const attributes = { class: "region", "data-code": code, tabindex: code === first ? 0 : -1 };
      const link = svg("a", attributes, svg("path", { d: path }));
      this.links.set(code, link);
      return link;
    });
    this.image = svg(
      "svg", { class: "italy", role: "group", "aria-label": label },
      svg("defs", {}, hatch("hatch", 1), hatch("hatch-small", 0.18)),
      svg("path", { class: "casing", d: shapes.map(({ path }) => path).join(""), "aria-hidden": "true" }),
      svg("g", {}, ...links), this.chosen, svg("g", { class: "rings", "aria-hidden": "true" }, ...this.ring));
    this.pointers = new MapPointers(this.image, () => this.view, (view) => this.show(view), signal);
    this.show(this.view);
    this.image.addEventListener("keydown", (event) => this.key(event));
    this.image.addEventListener("focusin", (event) => this.focused(codeOf(event.target)));
    this.image.addEventListener("focusout", () => this.outline(undefined));
    this.image.addEventListener("pointerover", (event) => (
      this.outline(codeOf(event.target) ?? codeOf(document.activeElement))));
    this.image.addEventListener("pointerleave", () => this.outline(codeOf(document.activeElement)));
    this.image.addEventListener("click", (event) => this.click(event));
  }

  /** Draws the regions by their codes. */
  paint(regions: ReadonlyMap<string, Painted>): void {
    const chosen: SVGPathElement[] = [];
    for (const [code, link] of this.links) {
      const painted = regions.get(code);
      if (!painted) continue;
      link.setAttribute("href", painted.address);
      link.setAttribute("aria-label", painted.label);
      link.classList.toggle("quiet", painted.isQuiet);
      link.firstElementChild?.setAttribute("fill", painted.fill);
      if (painted.isChosen) chosen.push(svg("path", { d: shapeOf(code)?.path ?? "" }));
    }
    this.chosen.replaceChildren(...chosen);
  }

  zoom(by: "in" | "out" | "whole"): void {
    if (by === "whole") this.show(whole(italyBox));
    else this.show(zoomedBy(this.view, by === "in" ? zoomStep : 1 / zoomStep));
  }

  private show(view: Viewport): void {
    this.view = view;
    this.image.setAttribute("viewBox", viewBoxOf(view));
    // All of Italy moves nowhere: a finger then scrolls the page.
    this.image.classList.toggle("zoomed", view.zoom > 1);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const view = keyed(this.view, event.key, event.shiftKey);
    const direction = directionOf(event.key);
    if (view) {
      this.show(view);
    } else if (direction) {
      const next = neighbour(codeOf(event.target) ?? "", direction);
      if (next !== undefined) this.links.get(next)?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  private focused(code: string | undefined): void {
    if (code === undefined) return;
    for (const [own, link] of this.links) link.setAttribute("tabindex", own === code ? "0" : "-1");
    const shape = shapeOf(code);
    // Below a mouse nothing moves away.
    if (shape && this.links.get(code)?.matches(":focus-visible")) this.show(showing(this.view, shape.box));
    this.outline(code);
  }

  private outline(code: string | undefined): void {
    const path = code === undefined ? "" : shapeOf(code)?.path ?? "";
    for (const ring of this.ring) ring.setAttribute("d", path);
    this.listener.pointed(code);
  }

  private click(event: MouseEvent): void {
    const address = event.target instanceof Element ? event.target.closest("a")?.getAttribute("href") : undefined;
    if (!this.pointers.picks(event)) event.preventDefault();
    if (!address || event.defaultPrevented) return;
    // With these keys the browser opens a window, as for any link.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.listener.open(address);
  }
}

function codeOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest("a.region")?.getAttribute("data-code") ?? undefined : undefined;
}

/** Lines across: for values that are missing. */
function hatch(id: string, scale: number): SVGElement {
  const patternTransform = `rotate(45) scale(${scale})`;
  return svg(
    "pattern", { id, patternUnits: "userSpaceOnUse", width: 36, height: 36, patternTransform },
    svg("rect", { class: "hatch-ground", width: 36, height: 36 }),
    svg("rect", { class: "hatch-line", width: 14, height: 36 }));
}
