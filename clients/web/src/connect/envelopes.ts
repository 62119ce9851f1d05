import { ConnectError } from "./errors.js";

/** A frame of a stream: five bytes, flags and length, before its data. */
export interface Envelope {
  readonly flags: number;
  readonly data: Uint8Array;
}

/** The data is compressed. Nothing here asks for that. */
export const compressedFlag = 1;
/** The data is the end of the stream, with its error and metadata. */
export const endFlag = 2;

const headBytes = 5;

/** One message in its frame, as a request has it. */
export function envelope(data: Uint8Array): Uint8Array {
  const frame = new Uint8Array(headBytes + data.length);
  new DataView(frame.buffer).setUint32(1, data.length);
  frame.set(data, headBytes);
  return frame;
}

/** Cuts frames out of bytes that come in parts of any size. */
export class EnvelopeReader {
  private buffer = new Uint8Array(4096);
  private start = 0;
  private end = 0;

  /** @param maxBytes the most data that a frame may have. */
  constructor(private readonly maxBytes: number) {}

  /** Whether bytes of an unfinished frame are waiting for the rest. */
  get isWithinFrame(): boolean {
    return this.end > this.start;
  }

  /**
   * The frames that are whole with these bytes. Their data is the caller's.
   * @throws ConnectError "resource_exhausted" for a frame that is too long, as soon as its length is known.
   */
  *push(bytes: Uint8Array): Generator<Envelope> {
    this.append(bytes);
    while (this.end - this.start >= headBytes) {
      const length = new DataView(this.buffer.buffer, this.start + 1, 4).getUint32(0);
      if (length > this.maxBytes) {
        throw new ConnectError("resource_exhausted", `a message of ${length} bytes is longer than ${this.maxBytes}`);
      }
      const next = this.start + headBytes + length;
      if (next > this.end) return;
      const flags = this.buffer[this.start] ?? 0;
      const data = this.buffer.slice(this.start + headBytes, next);
      this.start = next;
      yield { flags, data };
    }
  }

  /** Grows by doubling, so that a long frame in small parts is not copied for each of them. */
  private append(bytes: Uint8Array): void {
    const waiting = this.end - this.start;
    if (this.end + bytes.length > this.buffer.length) {
      const room = waiting + bytes.length;
      const target = room > this.buffer.length / 2 ? new Uint8Array(2 * room) : this.buffer;
      target.set(this.buffer.subarray(this.start, this.end));
      this.buffer = target;
      this.start = 0;
      this.end = waiting;
    }
    this.buffer.set(bytes, this.end);
    this.end += bytes.length;
  }
}
