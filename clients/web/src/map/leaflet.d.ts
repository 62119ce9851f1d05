// What the map uses of Leaflet 1.7: Debian's package has no types of it.

declare module "leaflet/leaflet.esm.js" {
  export class Point {
    x: number;
    y: number;
    constructor(x: number, y: number);
  }

  export class LatLng {
    lat: number;
    lng: number;
    constructor(latitude: number, longitude: number);
  }

  export class LatLngBounds {
    constructor(corner: LatLng, opposite: LatLng);
  }

  export interface MouseEventOfMap {
    readonly containerPoint: Point;
    readonly latlng: LatLng;
  }

  export interface Switch {
    enable(): void;
    disable(): void;
  }

  export interface MoveOptions {
    animate?: boolean;
  }

  export class Map {
    readonly dragging: Switch;
    readonly doubleClickZoom: Switch;
    readonly scrollWheelZoom: Switch;
    constructor(container: HTMLElement, options: Readonly<Record<string, unknown>>);
    setView(center: LatLng, zoom: number, options?: MoveOptions): this;
    fitBounds(bounds: LatLngBounds, options: MoveOptions & { padding: Point; maxZoom: number }): this;
    panBy(offset: Point, options: MoveOptions): this;
    panTo(center: LatLng, options: MoveOptions): this;
    zoomIn(delta: number, options: MoveOptions): this;
    zoomOut(delta: number, options: MoveOptions): this;
    getZoom(): number;
    getMinZoom(): number;
    getMaxZoom(): number;
    getCenter(): LatLng;
    getSize(): Point;
    getPixelBounds(): { readonly min: Point };
    getPane(name: string): HTMLElement;
    containerPointToLayerPoint(point: Point): Point;
    containerPointToLatLng(point: Point): LatLng;
    invalidateSize(options: { animate: boolean; pan: boolean }): this;
    on(types: string, listener: () => void): this;
    on(type: "click", listener: (event: MouseEventOfMap) => void): this;
    remove(): this;
  }

  export interface TileCoordinates {
    readonly x: number;
    readonly y: number;
    readonly z: number;
  }

  export class GridLayer {
    constructor(options: Readonly<Record<string, unknown>>);
    protected createTile(
      coordinates: TileCoordinates, done: (error: unknown, tile: HTMLElement) => void): HTMLElement;
    getTileSize(): Point;
    addTo(map: Map): this;
    redraw(): this;
    on(type: "tileunload", listener: (event: { readonly tile: HTMLElement }) => void): this;
    on(types: string, listener: () => void): this;
  }

  export const DomUtil: { setPosition(element: HTMLElement, point: Point): void };
}
