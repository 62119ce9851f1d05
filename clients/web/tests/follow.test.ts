import assert from "node:assert/strict";
import test from "node:test";
import { ConnectError } from "../src/connect/errors.js";
import type { Code } from "../src/connect/errors.js";
import { follow } from "../src/connect/follow.js";
import type { Followed } from "../src/connect/follow.js";
import type { ServerStream } from "../src/connect/methods.js";
import { Clock } from "./support/clock.js";
import { heldStreams } from "./support/streams.js";
import type { Ask, Frame, Opened } from "./support/streams.js";

/** Follows by streams that the test holds, and writes down what the listener hears. */
function start(
  clock: Clock, onMessage: (frame: Frame) => void = () => {}, onFreshness: (freshness: string) => void = () => {},
  more: Partial<Followed<Ask, Frame>> = {},
) {
  const heard: string[] = [];
  const { client, opened } = heldStreams();
  const following = follow<Ask, Frame>(
    client,
    {
      method: { kind: "stream", path: "/x" } as ServerStream<Ask, Frame>,
      request: (cursor) => (cursor === undefined ? {} : { cursor }),
      cursor: (frame) => frame.cursor,
      ...more,
    },
    {
      message(frame) {
        heard.push(`message ${frame.n ?? "none"}`);
        onMessage(frame);
      },
      freshness(freshness) {
        heard.push(freshness);
        onFreshness(freshness);
      },
      ended: (error) => heard.push(`ended ${error.code}`),
    },
    clock);
  /** What was heard since the last time. */
  const news = (): string[] => heard.splice(0);
  /** The newest stream. */
  const last = (): Opened => opened[opened.length - 1]!;
  return { following, opened, news, last };
}

const gone = new ConnectError("unavailable", "gone");

test("messages are handed on, and the first one makes it live", async () => {
  const { news, last, opened } = start(new Clock());
  assert.deepEqual(news(), ["connecting"]);
  assert.deepEqual(last().request, {});
  await last().put({ cursor: "c1", n: 1 });
  await last().put({ cursor: "c2" });
  assert.deepEqual(news(), ["live", "message 1", "message none"]);
  assert.equal(opened.length, 1);
});

test("a stream that breaks off is stale, and goes on after its last cursor", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock);
  await last().put({ cursor: "c1", n: 1 });
  await last().put({ n: 2 });
  await last().put(gone);
  assert.deepEqual(news(), ["connecting", "live", "message 1", "message 2", "stale"]);
  await clock.advance(249);
  assert.equal(opened.length, 1);
  await clock.advance(1);
  assert.equal(opened.length, 2);
  assert.deepEqual(last().request, { cursor: "c1" });
  assert.deepEqual(news(), []);
  await last().put({ cursor: "c3", n: 3 });
  assert.deepEqual(news(), ["live", "message 3"]);
});

test("a stream that the server ends in order is resumed too", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock);
  await last().put({ cursor: "c1" });
  await last().put("end");
  await clock.advance(500);
  assert.equal(opened.length, 2);
  assert.deepEqual(news(), ["connecting", "live", "message none", "stale"]);
});

test("pauses double up to half a minute, and have a random half", async () => {
  const clock = new Clock();
  const { last } = start(clock);
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 9; attempt++) {
    clock.chance = attempt % 2 === 0 ? 0 : 0.999_999_999;
    await last().put(gone);
    pauses.push(Math.round(clock.nextIn));
    await clock.advance(clock.nextIn);
  }
  assert.deepEqual(pauses, [250, 1000, 1000, 4000, 4000, 16_000, 15_000, 30_000, 15_000]);
});

test("after a stream that has held, pauses begin anew; after one that has not, they go on", async () => {
  const clock = new Clock();
  const { last } = start(clock);
  for (let attempt = 0; attempt < 4; attempt++) {
    await last().put(gone);
    await clock.advance(clock.nextIn);
  }
  await last().put({ cursor: "c1" });
  await last().put(gone);
  assert.equal(clock.nextIn, 4000);
  await clock.advance(4000);
  await last().put({ cursor: "c2" });
  await clock.advance(10_000);
  await last().put(gone);
  assert.equal(clock.nextIn, 250);
});

test("a silent stream is given up, and what the old one still brings is not heard", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock);
  await last().put({ cursor: "c1", n: 1 });
  await clock.advance(29_999);
  await last().put({ cursor: "c2", n: 2 });
  await clock.advance(29_999);
  assert.deepEqual(news(), ["connecting", "live", "message 1", "message 2"]);
  await clock.advance(1);
  assert.deepEqual(news(), ["stale"]);
  const old = last();
  assert.ok(old.isAborted);
  await clock.advance(1000);
  assert.equal(opened.length, 2);
  await old.put({ cursor: "c9", n: 9 });
  assert.deepEqual(news(), []);
  assert.deepEqual(last().request, { cursor: "c2" });
});

test("a stream that never says anything is given up too", async () => {
  const clock = new Clock();
  const { last, opened, news } = start(clock);
  await clock.advance(30_000);
  assert.ok(last().isAborted);
  await clock.advance(1000);
  assert.equal(opened.length, 2);
  assert.deepEqual(news(), ["connecting"]);
});

test("while the page is hidden nothing is open, and it goes on at once when it is shown", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock);
  await last().put({ cursor: "c1", n: 1 });
  await clock.hide(true);
  assert.ok(last().isAborted);
  assert.deepEqual(news(), ["connecting", "live", "message 1", "resting"]);
  await clock.advance(3_600_000);
  assert.equal(opened.length, 1);
  await clock.hide(false);
  assert.equal(opened.length, 2);
  assert.deepEqual(last().request, { cursor: "c1" });
  assert.deepEqual(news(), ["stale"]);
  await last().put({ cursor: "c2", n: 2 });
  assert.deepEqual(news(), ["live", "message 2"]);
});

test("a page that is hidden in a pause, or from the beginning, waits until it is shown", async () => {
  const clock = new Clock();
  await clock.hide(true);
  const { news, last, opened } = start(clock);
  assert.equal(opened.length, 0);
  assert.deepEqual(news(), ["resting"]);
  await clock.hide(false);
  await last().put(gone);
  await clock.hide(true);
  await clock.advance(100_000);
  assert.equal(opened.length, 1);
  await clock.hide(false);
  assert.equal(opened.length, 2);
  await clock.hide(false);
  assert.equal(opened.length, 2);
});

test("after a rest, pauses begin anew", async () => {
  const clock = new Clock();
  const { last } = start(clock);
  for (let attempt = 0; attempt < 6; attempt++) {
    await last().put(gone);
    await clock.advance(clock.nextIn);
  }
  await clock.hide(true);
  await clock.hide(false);
  await last().put(gone);
  assert.equal(clock.nextIn, 250);
});

test("an error that will not pass ends it", async () => {
  const final: Code[] = [
    "invalid_argument", "not_found", "already_exists", "permission_denied", "failed_precondition", "out_of_range",
    "unimplemented", "unauthenticated", "data_loss",
  ];
  for (const code of final) {
    const clock = new Clock();
    const { news, last, opened } = start(clock);
    await last().put(new ConnectError(code, ""));
    assert.deepEqual(news(), ["connecting", `ended ${code}`]);
    await clock.advance(100_000);
    assert.equal(opened.length, 1);
    assert.equal(clock.waiting, 0);
  }
});

test("a stream that ends with its token goes on with the next one at once, and nobody notices", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock);
  await last().put({ cursor: "c1", n: 1 });
  await clock.advance(10_000);
  await last().put(new ConnectError("unauthenticated", ""));
  assert.equal(opened.length, 2);
  assert.deepEqual(last().request, { cursor: "c1" });
  await last().put({ cursor: "c2", n: 2 });
  assert.deepEqual(news(), ["connecting", "live", "message 1", "message 2"]);
});

test("where the session has ended too, the next one is the last", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock);
  await last().put({ cursor: "c1", n: 1 });
  await last().put(new ConnectError("unauthenticated", ""));
  assert.equal(opened.length, 1);
  await clock.advance(250);
  await last().put(new ConnectError("unauthenticated", ""));
  assert.deepEqual(news(), ["connecting", "live", "message 1", "ended unauthenticated"]);
  assert.equal(opened.length, 2);
  assert.equal(clock.waiting, 0);
});

test("a stream that somebody has to hear goes on while the page is hidden, and does not wait long", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock, undefined, undefined, { isKeptWhileHidden: true, longestPauseMs: 2000 });
  await last().put({ cursor: "c1", n: 1 });
  await clock.hide(true);
  await last().put({ cursor: "c2", n: 2 });
  assert.deepEqual(news(), ["connecting", "live", "message 1", "message 2"]);
  clock.chance = 0.999_999_999;
  for (let attempt = 0; attempt < 6; attempt++) {
    await last().put(gone);
    assert.ok(clock.nextIn <= 2000);
    await clock.advance(clock.nextIn);
  }
  assert.equal(opened.length, 7);
});

test("an error that may pass does not end it", async () => {
  const passing: Code[] = [
    "canceled", "unknown", "deadline_exceeded", "resource_exhausted", "aborted", "internal", "unavailable",
  ];
  for (const code of passing) {
    const clock = new Clock();
    const { last, opened } = start(clock);
    await last().put(new ConnectError(code, ""));
    await clock.advance(500);
    assert.equal(opened.length, 2, code);
  }
});

test("whoever stops it hears nothing more and leaves nothing behind", async () => {
  const clock = new Clock();
  const { following, news, last, opened } = start(clock);
  await last().put({ cursor: "c1", n: 1 });
  news();
  following.stop();
  assert.ok(last().isAborted);
  await last().put({ cursor: "c2", n: 2 });
  await clock.hide(true);
  await clock.hide(false);
  await clock.advance(100_000);
  assert.deepEqual(news(), []);
  assert.equal(opened.length, 1);
  assert.equal(clock.waiting, 0);
});

test("it can be stopped within a message, and within a pause", async () => {
  const clock = new Clock();
  const begun = start(clock, () => begun.following.stop());
  // What came together with it is not heard either.
  void begun.last().put({ cursor: "c1", n: 1 });
  await begun.last().put({ cursor: "c2", n: 2 });
  assert.deepEqual(begun.news(), ["connecting", "live", "message 1"]);
  assert.equal(clock.waiting, 0);

  const live = start(clock, () => {}, (freshness) => { if (freshness === "live") live.following.stop(); });
  await live.last().put({ cursor: "c1", n: 1 });
  assert.deepEqual(live.news(), ["connecting", "live"]);
  assert.equal(clock.waiting, 0);

  const pausing = start(clock);
  await pausing.last().put(gone);
  pausing.following.stop();
  await clock.advance(100_000);
  assert.equal(pausing.opened.length, 1);
  assert.equal(clock.waiting, 0);
});

test("an error of the listener ends it, rather than being tried again for ever", async () => {
  const clock = new Clock();
  const { news, last, opened } = start(clock, () => { throw new Error("a mistake in the page"); });
  await last().put({ cursor: "c1", n: 1 });
  assert.deepEqual(news(), ["connecting", "live", "message 1", "ended internal"]);
  await clock.advance(100_000);
  assert.equal(opened.length, 1);
  assert.equal(clock.waiting, 0);
});
