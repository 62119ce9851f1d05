/** How wide and high a tile is, in the numbers of its points. Points may lie a little outside. */
export const tileExtent = 1024;

/** What a tile shows, in the order in which it is drawn. The server has the same numbers. */
export const tileLayers = ["land", "paths", "streets", "roads"] as const;

export type TileLayerName = typeof tileLayers[number];

/**
 * Lines of one kind: x and y of each point after each other. Those of land are closed, and what an odd number of them
 * encloses is land.
 */
export interface TileLayer {
  readonly name: TileLayerName;
  readonly lines: readonly Int32Array[];
}

const multiLineString = 5;

/**
 * Reads a tile: for each layer its number in a byte, then its lines as TWKB, PostGIS's "Tiny Well-known Binary", as a
 * MultiLineString without size, box or numbers.
 * @throws RangeError where it is none.
 */
export function readTile(bytes: Uint8Array): readonly TileLayer[] {
  const reader = new Reader(bytes);
  const layers: TileLayer[] = [];
  while (!reader.isAtEnd) {
    const name = tileLayers[reader.byte()];
    if (name === undefined || reader.byte() !== multiLineString || reader.byte() !== 0) throw new RangeError("no tile");
    layers.push({ name, lines: readLines(reader) });
  }
  return layers;
}

/** Each point is told by its distance from the one before, also from one line to the next. */
function readLines(reader: Reader): readonly Int32Array[] {
  const lines: Int32Array[] = [];
  let [x, y] = [0, 0];
  for (let left = reader.count(); left > 0; left -= 1) {
    const line = new Int32Array(2 * reader.count());
    for (let index = 0; index < line.length; index += 2) {
      line[index] = x += reader.signed();
      line[index + 1] = y += reader.signed();
    }
    lines.push(line);
  }
  return lines;
}

class Reader {
  private next = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.next === this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.next];
    if (byte === undefined) throw new RangeError("the tile is cut off");
    this.next += 1;
    return byte;
  }

  /** LEB128, of at most 28 bits. */
  private varint(): number {
    let number = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    throw new RangeError("a number in the tile is too large");
  }

  /** How many things follow: no more than there are bytes. */
  count(): number {
    const count = this.varint();
    if (count > this.bytes.length - this.next) throw new RangeError("the tile is cut off");
    return count;
  }

  /** Zigzag: 0, -1, 1, -2 … */
  signed(): number {
    const number = this.varint();
    return (number >>> 1) ^ -(number & 1);
  }
}
