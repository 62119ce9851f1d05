import assert from "node:assert/strict";
import test from "node:test";
import { ConnectError } from "../src/connect/errors.js";
import type { ServerStream } from "../src/connect/methods.js";
import { live } from "../src/parts/live.js";
import type { LiveListener } from "../src/parts/live.js";
import { Clock, settled } from "./support/clock.js";
import { FakePage } from "./support/dom.js";
import { heldStreams } from "./support/streams.js";
import type { Ask, Frame } from "./support/streams.js";

/** A live page with a stream that the test holds. */
function start(listener: LiveListener<Frame>, isLeft = false) {
  new FakePage("/status").install();
  const shown = new AbortController();
  if (isLeft) shown.abort();
  const { client, opened } = heldStreams();
  const state = live<Ask, Frame>(
    {
      client, surroundings: new Clock(), locale: { language: "en", tag: "en-GB" }, signal: shown.signal,
      announce: () => {},
    },
    {
      method: { kind: "stream", path: "/x" } as ServerStream<Ask, Frame>,
      request: (cursor) => (cursor === undefined ? {} : { cursor }), cursor: (frame) => frame.cursor,
    }, listener);
  const [stream] = opened;
  assert.ok(stream);
  return { stream, state, shown };
}

const away = () => Promise.reject(new ConnectError("unavailable", "x"));

test("what came before the stream is asked for with its first message, and once", async () => {
  const done: string[] = [];
  const { stream } = start({
    message: ({ n }) => { done.push(`message ${n}`); },
    async catchUp() { done.push("caught up"); },
  });
  await settled();
  assert.deepEqual(done, []);
  await stream.put({ n: 1 });
  await stream.put({ n: 2 });
  assert.deepEqual(done, ["caught up", "message 1", "message 2"]);
});

test("where it cannot be had, it is asked for with the next message, until it is there", async () => {
  let asked = 0;
  const { stream } = start({
    message: () => {},
    catchUp: () => (++asked < 3 ? away() : Promise.resolve()),
  });
  for (let n = 1; n <= 5; n++) await stream.put({ n });
  assert.equal(asked, 3);
});

test("where more of a message cannot be had, the page catches up with the next one", async () => {
  let asked = 0;
  const { stream, state } = start({
    message: ({ n }) => (n === 2 ? away() : undefined),
    async catchUp() { asked++; },
  });
  for (let n = 1; n <= 2; n++) await stream.put({ n });
  assert.equal(asked, 1);
  for (let n = 3; n <= 4; n++) await stream.put({ n });
  assert.equal(asked, 2);
  assert.equal(state.dataset["freshness"], "live");
});

test("a mistake of the page ends the stream, and is said", async () => {
  const { stream, state } = start({ message: () => { throw new Error("a mistake"); } });
  await stream.put({ n: 1 });
  assert.ok(stream.isAborted);
  assert.equal(state.dataset["freshness"], "stale");
});

test("who leaves the page ends its stream", async () => {
  const { stream, shown } = start({ message: () => {} });
  shown.abort();
  await settled();
  assert.ok(stream.isAborted);
});

test("a page that was left while it was made follows nothing", async () => {
  const { stream } = start({ message: () => {} }, true);
  await settled();
  assert.ok(stream.isAborted);
});
