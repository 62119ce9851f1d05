import { GridLayer } from "leaflet/leaflet.esm.js";
import type { TileCoordinates } from "leaflet/leaflet.esm.js";
import type { MapSource } from "./map_source.js";
import type { Palette } from "./palette.js";
import { readTile } from "./tile.js";
import { drawTile } from "./tile_canvas.js";

/** Streets and land below everything else, in tiles that are drawn here: so they have the page's colours at every size. */
export class StreetLayer extends GridLayer {
  /** What is being asked for, by the tile that waits for it. */
  private readonly asked = new Map<HTMLElement, AbortController>();

  constructor(private readonly source: MapSource, private readonly palette: () => Palette) {
    super({ maxNativeZoom: source.maxZoom, className: "map-streets" });
    this.on("tileunload", ({ tile }) => {
      this.asked.get(tile)?.abort();
      this.asked.delete(tile);
    });
  }

  protected override createTile(
    { x, y, z }: TileCoordinates, done: (error: unknown, tile: HTMLElement) => void,
  ): HTMLElement {
    const canvas = document.createElement("canvas");
    // Beyond the nearest tiles there are, each is drawn larger.
    const size = this.getTileSize().x;
    const scale = Math.min(window.devicePixelRatio, 2);
    const asked = new AbortController();
    this.asked.set(canvas, asked);
    const draw = async (): Promise<void> => {
      const layers = readTile(await this.source.tile(x, y, z, asked.signal));
      canvas.width = canvas.height = Math.min(Math.round(size * scale), 4096);
      const context = canvas.getContext("2d");
      if (context) drawTile(context, layers, z + Math.log2(size / 256), canvas.width, scale, this.palette());
    };
    draw().then(() => done(undefined, canvas), (failure: unknown) => {
      if (!asked.signal.aborted) done(failure, canvas);
    }).finally(() => this.asked.delete(canvas));
    return canvas;
  }
}
