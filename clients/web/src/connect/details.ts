import type { ErrorFacts } from "./errors.js";

// Details of errors are protobuf messages in base64, also where everything else is JSON. Pages need two of them,
// ErrorInfo and BadRequest of google.rpc, and these hold nothing but texts and messages. What cannot be read is left
// out: an error is shown without its details rather than not at all.

/** What the details of an error say, as the Connect protocol has them: `{type, value}`. */
export function readDetails(details: readonly unknown[]): ErrorFacts {
  let reason = "";
  const metadata: Record<string, string> = {};
  const violations = new Map<string, string>();
  for (const detail of details) {
    const { type, value } = (detail ?? {}) as { type?: unknown; value?: unknown };
    if (typeof value !== "string") continue;
    if (type === "google.rpc.ErrorInfo") {
      for (const [number, bytes] of fields(base64(value))) {
        if (number === 1) reason = text(bytes);
        if (number === 3) {
          const [key, entry] = pair(bytes);
          metadata[key] = entry;
        }
      }
    } else if (type === "google.rpc.BadRequest") {
      for (const [number, bytes] of fields(base64(value))) {
        if (number !== 1) continue;
        const [field, problem] = pair(bytes);
        if (!violations.has(field)) violations.set(field, problem);
      }
    }
  }
  return { reason, metadata, violations };
}

/** The texts of the fields 1 and 2. */
function pair(message: Uint8Array): [string, string] {
  const texts: [string, string] = ["", ""];
  for (const [number, bytes] of fields(message)) {
    if (number === 1) texts[0] = text(bytes);
    if (number === 2) texts[1] = text(bytes);
  }
  return texts;
}

/** The fields of a message that have a length, with their numbers. Others are passed over; broken bytes end it. */
function* fields(message: Uint8Array): Generator<[number, Uint8Array]> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) return NaN;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return NaN;
  };
  while (at < message.length) {
    const tag = varint();
    switch (tag % 8) {
      case 0: varint(); break;
      case 1: at += 8; break;
      case 5: at += 4; break;
      case 2: {
        const length = varint();
        if (!(at + length <= message.length)) return;
        yield [Math.floor(tag / 8), message.subarray(at, at + length)];
        at += length;
        break;
      }
      default: return;
    }
  }
}

/** Connect writes base64 without padding, and reads both. */
function base64(value: string): Uint8Array {
  try {
    return Uint8Array.from(atob(value.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
