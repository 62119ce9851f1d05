// A map for pages: streets and land of this server, a course with its stops, people as markers. Over Leaflet, which moves
// and zooms; everything that is seen is drawn here, on canvas, in the page's colours.
//
//   const map = new MapView(context, { label: t("map"), alternative: t("inTable"), onMarker: (id) => … });
//   content.push(map.node);                            // anywhere; it fills the width and has a height of its own
//   map.setCourse({ line, stops });                    // draws it, and shows all of it the first time
//   map.setMarkers(markers);                           // all of them, as often as they change; drawn with the next frame
//   map.follow("runner-7");                            // keeps one in view until somebody moves the map
//   map.show(places);                                  // moves so that all of them are in view
//   map.pick({ picked: (place) => …, moved: (stop, place) => …, selected: (stop) => … });    // for an editor
//
// It ends with the page's signal. Everything works by keyboard (arrows, plus, minus, 0; Enter where places are picked) and
// by buttons, so that nothing needs dragging. A map is no text: the page has a table or a list with the same, and
// `alternative` says where. Files beside this one that know nothing of a browser's window have tests in Node.

import { LatLng, LatLngBounds, Map as LeafletMap, Point } from "leaflet/leaflet.esm.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";
import { DrawnCourse, noCourse } from "./course.js";
import type { MapCourse } from "./course.js";
import { drawCourse } from "./course_canvas.js";
import { MapSource } from "./map_source.js";
import { MarkerCanvas } from "./marker_canvas.js";
import { Markers } from "./markers.js";
import type { MapMarker } from "./markers.js";
import { boxAround, worldX, worldY } from "./mercator.js";
import type { Place, View } from "./mercator.js";
import { Overlay } from "./overlay.js";
import { readPalette } from "./palette.js";
import type { Palette } from "./palette.js";
import { StreetLayer } from "./street_layer.js";
import { words } from "./words.js";

export interface MapOptions {
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** Where the same stands as text: "Everybody is also in the table below." */
  readonly alternative: string;
  /** Somebody has clicked on a marker. */
  onMarker?(id: string): void;
  /** Somebody has moved the map, so that it follows nobody any more. */
  onFollowEnd?(): void;
}

/** Who is told of places that are picked on the map. */
export interface Picker {
  /** Where somebody has clicked, or the cross was at Enter. */
  picked(place: Place): void;
  /** A stop of the course, by its index, has been dragged. Comes once, at the end. */
  moved?(stop: number, place: Place): void;
  /** A stop was clicked on. */
  selected?(stop: number): void;
}

/** How near a pointer must come: 44 pixels across, as for a button. */
const reach = 22;
const maxZoom = 19;
/** The nearest that the map goes by itself. */
const maxShownZoom = 17;
/** Pixels at one press of an arrow key or button, and with Shift. */
const step = 80;
const smallStep = 8;

type Direction = readonly [number, number];
const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export class MapView {
  readonly node: HTMLElement;
  private readonly map: LeafletMap;
  private readonly frame: HTMLElement;
  private readonly hint = element("p", { class: "unseen", id: "map-hint" });
  private readonly attribution = element("p", { class: "map-attribution" });
  private readonly note = element("p", { class: "problem" });
  private readonly markers = new Markers();
  private readonly markerCanvas = new MarkerCanvas(this.markers);
  private readonly overlays: { readonly course: Overlay; readonly markers: Overlay };
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");
  private course = new DrawnCourse(noCourse);
  private palette: Palette | undefined;
  private streets: StreetLayer | undefined;
  private source: MapSource | undefined;
  private picker: Picker | undefined;
  private followed: string | undefined;
  /** What is in view, however large the map is, until somebody moves it. */
  private shown: readonly Place[] = [];
  private isMoved = false;
  private hasSize = false;
  private dirty = { course: false, markers: false };
  private frameRequest = 0;
  /** A click that ends a drag picks nothing. */
  private ignoresClick = false;

  constructor(
    private readonly context: Pick<PageContext, "locale" | "signal">, private readonly options: MapOptions,
  ) {
    const { signal } = context;
    this.frame = element("div", {
      class: "map-frame", tabindex: "0", role: "application", "aria-label": options.label,
      "aria-describedby": this.hint.id,
    });
    this.node = element(
      "div", { class: "map" }, this.frame, this.hint, this.controls(), this.note, this.attribution);
    this.sayKeys();
    this.map = new LeafletMap(this.frame, {
      // Canvases are drawn anew at each zoom, which needs no scaled pictures in between.
      zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: !this.calm.matches,
      attributionControl: false, zoomControl: false, keyboard: false, tap: false, scrollWheelZoom: false,
      worldCopyJump: true, minZoom: 1, maxZoom,
    });
    this.map.setView(new LatLng(25, 0), 1);
    this.frame.append(element("div", { class: "map-cross", "aria-hidden": "true" }));
    this.overlays = { course: new Overlay(this.map, "overlayPane"), markers: new Overlay(this.map, "markerPane") };
    this.listen();
    void this.loadSource();
    signal.addEventListener("abort", () => this.end());
    if (signal.aborted) this.end();
  }

  /** Draws a course, or none. It is shown whole when it is the first. */
  setCourse(course: MapCourse = noCourse): void {
    const isFirst = this.course.places.length === 0;
    this.course = new DrawnCourse(course);
    if (isFirst && this.course.places.length > 0) this.show(this.course.places);
    this.change("course");
  }

  /** Draws these markers and no others. They stand where they are until they are set again: nothing glides. */
  setMarkers(markers: readonly MapMarker[]): void {
    this.markers.set(markers);
    this.keepInView();
    this.change("markers");
  }

  /** Keeps a marker in view, or none any more. */
  follow(id: string | undefined): void {
    this.followed = id;
    this.keepInView();
  }

  /** Moves so that all these places are in view, as near as that goes. */
  show(places: readonly Place[]): void {
    this.shown = places;
    this.isMoved = false;
    this.showShown();
  }

  /** Lets somebody pick places, or not any more. */
  pick(picker: Picker | undefined): void {
    this.picker = picker;
    this.node.dataset["picking"] = String(picker !== undefined);
    if (picker) this.map.doubleClickZoom.disable();
    else this.map.doubleClickZoom.enable();
    this.sayKeys();
  }

  /** The place in the middle of the view. */
  get centre(): Place {
    return rounded(this.map.getCenter());
  }

  // MARK: What is around the map

  private controls(): HTMLElement {
    const t = translator(words, this.context.locale.language);
    const button = (sign: string, label: string, act: () => void): HTMLElement => {
      const made = element("button", { type: "button", "aria-label": label, title: label }, sign);
      made.addEventListener("click", act);
      return made;
    };
    const move = (sign: string, label: string, direction: Direction): HTMLElement => (
      button(sign, label, () => this.move(direction, step)));
    return element(
      "div", { class: "map-controls", role: "group", "aria-label": t("controls") },
      button("+", t("zoomIn"), () => this.zoom(1)), button("−", t("zoomOut"), () => this.zoom(-1)),
      button("⤢", t("showAll"), () => this.showEverything()),
      move("←", t("left"), [-1, 0]), move("→", t("right"), [1, 0]), move("↑", t("up"), [0, -1]),
      move("↓", t("down"), [0, 1]));
  }

  private sayKeys(): void {
    const t = translator(words, this.context.locale.language);
    this.hint.textContent = [
      this.options.alternative, t("keys"), ...(this.picker ? [t("pickKeys")] : []),
    ].join(" ");
  }

  private async loadSource(): Promise<void> {
    try {
      this.source = await MapSource.ask(this.context.signal);
    } catch {
      if (!this.context.signal.aborted) this.sayStreetsAreMissing();
      return;
    }
    const { attribution, box } = this.source;
    this.attribution.replaceChildren(box
      ? element("a", { href: "https://www.openstreetmap.org/copyright", rel: "noreferrer" }, attribution) : attribution);
    if (this.shown.length === 0 && box) this.show(box);
    this.addStreets();
  }

  private sayStreetsAreMissing(): void {
    this.note.textContent = translator(words, this.context.locale.language)("streetsMissing");
  }

  /** Once it is known where they are from, and how large the map is. */
  private addStreets(): void {
    if (!this.source || !this.hasSize || this.streets || this.context.signal.aborted) return;
    this.streets = new StreetLayer(this.source, () => this.colours());
    this.streets.on("tileerror", () => this.sayStreetsAreMissing());
    this.streets.addTo(this.map);
  }

  // MARK: What somebody does

  private listen(): void {
    const { signal } = this.context;
    // With whatever it has in view, the map goes on at once; so canvases never show another scale than the streets.
    this.map.on("zoom viewreset", () => {
      this.dirty = { course: true, markers: true };
      this.drawNow();
    });
    this.map.on("move resize", () => {
      this.change("course");
      this.change("markers");
    });
    this.map.on("dragstart", () => this.takeOver());
    this.map.on("click", ({ containerPoint }) => this.clicked(containerPoint));
    this.frame.addEventListener("keydown", (event) => this.pressed(event));
    // A wheel over the map scrolls the page, unless somebody is at work on the map.
    this.frame.addEventListener("focus", () => this.map.scrollWheelZoom.enable());
    this.frame.addEventListener("wheel", () => { if (document.activeElement === this.frame) this.isMoved = true; });
    this.frame.addEventListener("blur", () => this.map.scrollWheelZoom.disable());
    this.frame.addEventListener("pointerdown", (event) => this.beginDrag(event), { capture: true });
    const resized = new ResizeObserver(() => this.resized());
    resized.observe(this.frame);
    signal.addEventListener("abort", () => resized.disconnect());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour(), { signal });
  }

  private clicked(point: Point): void {
    if (this.ignoresClick) {
      this.ignoresClick = false;
      return;
    }
    const view = this.view();
    if (this.picker) {
      const stop = this.picker.selected ? this.course.stopAt(view, point.x, point.y, reach) : undefined;
      if (stop === undefined) this.picker.picked(this.placeAt(point));
      else this.picker.selected?.(stop);
      return;
    }
    const marker = this.markers.nearest(view, point.x, point.y, reach);
    if (marker) this.options.onMarker?.(marker.id);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.target !== this.frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directions[event.key];
    if (direction) this.move(direction, event.shiftKey ? smallStep : step);
    else if (event.key === "+" || event.key === "=") this.zoom(1);
    else if (event.key === "-") this.zoom(-1);
    else if (event.key === "0") this.showEverything();
    else if (event.key === "Enter" && this.picker) this.picker.picked(this.centre);
    else return;
    event.preventDefault();
  }

  private move([x, y]: Direction, pixels: number): void {
    this.takeOver();
    this.map.panBy(new Point(x * pixels, y * pixels), { animate: !this.calm.matches });
  }

  private zoom(by: 1 | -1): void {
    this.isMoved = true;
    if (by > 0) this.map.zoomIn(1, { animate: false });
    else this.map.zoomOut(1, { animate: false });
  }

  private showEverything(): void {
    this.takeOver();
    const places = this.course.places.length > 0 ? this.course.places : this.shown;
    this.show(places.length > 0 ? places : this.source?.box ?? []);
  }

  private takeOver(): void {
    this.isMoved = true;
    if (this.followed === undefined) return;
    this.followed = undefined;
    this.options.onFollowEnd?.();
  }

  /** A pointer takes hold of a stop: it moves with the pointer, and the map stands still. */
  private beginDrag(event: PointerEvent): void {
    if (!this.picker?.moved || event.button !== 0) return;
    const begin = this.pointOf(event);
    const stop = this.course.stopAt(this.view(), begin.x, begin.y, reach);
    if (stop === undefined) return;
    this.map.dragging.disable();
    this.frame.setPointerCapture(event.pointerId);
    const before = this.course.course;
    const ended = new AbortController();
    let place: Place | undefined;
    const move = (moved: PointerEvent): void => {
      const point = this.pointOf(moved);
      // A hand that only clicks is never quite still.
      if (place === undefined && Math.hypot(point.x - begin.x, point.y - begin.y) < 4) return;
      place = this.placeAt(point);
      const stops = before.stops.map((each, index) => (index === stop ? { ...each, ...place } : each));
      this.course = new DrawnCourse({ ...before, stops });
      this.change("course");
    };
    const end = (isDone: boolean): void => {
      ended.abort();
      this.map.dragging.enable();
      if (place === undefined) return;
      this.ignoresClick = isDone;
      // Whatever becomes of it is for the page to draw.
      this.course = new DrawnCourse(before);
      this.change("course");
      if (isDone) this.picker?.moved?.(stop, place);
    };
    const { signal } = ended;
    this.frame.addEventListener("pointermove", move, { signal });
    this.frame.addEventListener("pointerup", () => end(true), { signal });
    this.frame.addEventListener("pointercancel", () => end(false), { signal });
  }

  private pointOf(event: PointerEvent): Point {
    const box = this.frame.getBoundingClientRect();
    return new Point(event.clientX - box.left - this.frame.clientLeft, event.clientY - box.top - this.frame.clientTop);
  }

  private placeAt(point: Point): Place {
    return rounded(this.map.containerPointToLatLng(point));
  }

  // MARK: What is in view

  private view(): View {
    const { min } = this.map.getPixelBounds();
    const size = this.map.getSize();
    return { world: 256 * 2 ** this.map.getZoom(), left: min.x, top: min.y, width: size.x, height: size.y };
  }

  private resized(): void {
    this.map.invalidateSize({ animate: false, pan: true });
    const size = this.map.getSize();
    this.hasSize = size.x > 0 && size.y > 0;
    if (!this.isMoved) this.showShown();
    this.addStreets();
    this.change("course");
    this.change("markers");
  }

  private showShown(): void {
    if (!this.hasSize) return;
    const box = boxAround(this.shown);
    if (!box) return;
    const [southWest, northEast] = box;
    this.map.fitBounds(
      new LatLngBounds(
        new LatLng(southWest.latitude, southWest.longitude), new LatLng(northEast.latitude, northEast.longitude)),
      { animate: false, padding: new Point(32, 32), maxZoom: maxShownZoom });
  }

  /** Moves when the one who is followed comes near an edge. */
  private keepInView(): void {
    const marker = this.followed === undefined ? undefined : this.markers.find(this.followed);
    if (!marker || !this.hasSize) return;
    const view = this.view();
    const x = worldX(marker.longitude) * view.world - view.left;
    const y = worldY(marker.latitude) * view.world - view.top;
    const edge = Math.min(view.width, view.height) / 5;
    const isInside = x >= edge && y >= edge && x <= view.width - edge && y <= view.height - edge;
    if (isInside) return;
    this.isMoved = true;
    this.map.panTo(new LatLng(marker.latitude, marker.longitude), { animate: !this.calm.matches });
  }

  // MARK: Drawing

  private change(what: "course" | "markers"): void {
    this.dirty[what] = true;
    if (this.frameRequest === 0) this.frameRequest = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    cancelAnimationFrame(this.frameRequest);
    this.frameRequest = 0;
    // Without a size it draws when it has one.
    if (!this.hasSize) return;
    const view = this.view();
    const scale = Math.min(window.devicePixelRatio, 2);
    const palette = this.colours();
    const { course, markers } = this.dirty;
    this.dirty = { course: false, markers: false };
    if (course) this.overlays.course.draw(view, scale, (context) => drawCourse(context, this.course, view, palette));
    if (markers) {
      this.overlays.markers.draw(view, scale, (context) => this.markerCanvas.draw(context, view, scale, palette));
    }
  }

  private colours(): Palette {
    return this.palette ??= readPalette(this.node);
  }

  private recolour(): void {
    this.palette = undefined;
    this.markerCanvas.forgetShapes();
    this.streets?.redraw();
    this.change("course");
    this.change("markers");
  }

  private end(): void {
    cancelAnimationFrame(this.frameRequest);
    this.map.remove();
  }
}

/** To a tenth of a metre. */
function rounded({ lat, lng }: LatLng): Place {
  const longitude = lng - 360 * Math.floor((lng + 180) / 360);
  return { latitude: Math.round(lat * 1e6) / 1e6, longitude: Math.round(longitude * 1e6) / 1e6 };
}
