import type { Place } from "./mercator.js";

/** What the server says of its map at /map. */
interface MapAnswer {
  readonly version: string;
  readonly maxZoom: number;
  readonly attribution: string;
  /** Around all streets: west, south, east, north. Missing where no streets have been imported. */
  readonly box?: readonly [number, number, number, number];
}

/** The server's streets as they were imported last. */
export class MapSource {
  /** From here on tiles show nothing more. */
  readonly maxZoom: number;
  /** Whose streets and outlines they are: to be shown with them. */
  readonly attribution: string;
  /** The corners of what has streets, south-west first; undefined where nothing has. */
  readonly box: readonly [Place, Place] | undefined;
  private readonly version: string;

  private constructor(answer: MapAnswer) {
    this.maxZoom = answer.maxZoom;
    this.attribution = answer.attribution;
    this.version = answer.version;
    if (answer.box) {
      const [west, south, east, north] = answer.box;
      this.box = [{ latitude: south, longitude: west }, { latitude: north, longitude: east }];
    }
  }

  /** @throws Error where the server has no answer. */
  static async ask(signal: AbortSignal): Promise<MapSource> {
    const answer = await fetch("/map", { signal });
    if (!answer.ok) throw new Error(`/map: ${answer.status}`);
    return new MapSource(await answer.json() as MapAnswer);
  }

  /**
   * The bytes of a tile. The address says of which import it is: the browser asks for each once.
   * @throws Error where the server has no answer.
   */
  async tile(x: number, y: number, zoom: number, signal: AbortSignal): Promise<Uint8Array> {
    const answer = await fetch(`/map/${zoom}/${x}/${y}?v=${this.version}`, { signal });
    if (!answer.ok) throw new Error(`tile ${zoom}/${x}/${y}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}
