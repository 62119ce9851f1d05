import assert from "node:assert/strict";
import test from "node:test";
import { envelope, EnvelopeReader } from "../src/connect/envelopes.js";
import { ConnectError } from "../src/connect/errors.js";
import { frame, joined } from "./support/server.js";

function read(reader: EnvelopeReader, parts: Iterable<Uint8Array>): string[] {
  const found: string[] = [];
  for (const part of parts) {
    for (const { flags, data } of reader.push(part)) found.push(`${flags}:${new TextDecoder().decode(data)}`);
  }
  return found;
}

test("a message is framed by its flags and length", () => {
  assert.deepEqual([...envelope(Uint8Array.of(7, 8))], [0, 0, 0, 0, 2, 7, 8]);
});

test("frames come out whole whatever the parts they came in", () => {
  const long = "x".repeat(20_000);
  const bytes = joined([frame("a"), frame(""), frame(long, 1), frame("end", 2)]);
  for (const size of [1, 2, 3, 4, 5, 6, 7, 4096, 9999, bytes.length]) {
    const reader = new EnvelopeReader(1 << 20);
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
    assert.deepEqual(read(reader, parts), ["0:a", "0:", `1:${long}`, "2:end"], `parts of ${size} bytes`);
    assert.equal(reader.isWithinFrame, false);
  }
});

test("a frame's data does not change with what comes later", () => {
  const reader = new EnvelopeReader(100);
  const [first] = [...reader.push(frame("first"))];
  for (let round = 0; round < 2000; round++) read(reader, [frame("other")]);
  assert.equal(new TextDecoder().decode(first?.data), "first");
});

test("a frame that is too long is refused by its length", () => {
  const reader = new EnvelopeReader(10);
  assert.deepEqual(read(reader, [frame("x".repeat(10))]).length, 1);
  assert.throws(
    () => read(reader, [Uint8Array.of(0, 0, 0, 0, 11)]),
    (error) => error instanceof ConnectError && error.code === "resource_exhausted");
  assert.throws(() => read(new EnvelopeReader(10), [Uint8Array.of(0, 255, 255, 255, 255)]), () => true);
});

test("a long frame in small parts is not copied for each of them", (context) => {
  const bytes = frame("y".repeat(1_000_000));
  const set = Uint8Array.prototype.set;
  let copied = 0;
  Uint8Array.prototype.set = function (from: ArrayLike<number>, at?: number) {
    copied += from.length;
    set.call(this, from, at);
  };
  context.after(() => { Uint8Array.prototype.set = set; });
  const reader = new EnvelopeReader(1 << 24);
  let frames = 0;
  for (let at = 0; at < bytes.length; at += 1024) frames += read(reader, [bytes.subarray(at, at + 1024)]).length;
  assert.equal(frames, 1);
  assert.ok(copied < 3 * bytes.length, `${copied} bytes were copied`);
});
