import assert from "node:assert/strict";
import test from "node:test";
import type { Notification, WatchNotificationsResponse } from "../src/api/notifications_v1.js";
import type { CallOptions } from "../src/connect/client.js";
import { ConnectError } from "../src/connect/errors.js";
import { words as kinds } from "../src/notifications/words.js";
import { messageOf, placeOf, sentenceOf } from "../src/notifications/describe.js";
import { Inbox } from "../src/notifications/inbox.js";
import type { Tabs } from "../src/notifications/tabs.js";
import { Clock, settled } from "./support/clock.js";

/** The pages of one browser: who leads, who waits for it, and what they say to each other. */
class Browser {
  private readonly waiting: Array<{ readonly signal: AbortSignal; readonly lead: () => void }> = [];
  private readonly heard = new Set<(message: unknown) => void>();
  leaders = 0;

  tabs(): Tabs {
    return {
      lead: (_, signal, lead) => {
        this.waiting.push({ signal, lead });
        signal.addEventListener("abort", () => {
          const index = this.waiting.findIndex((other) => other.signal === signal);
          if (index >= 0) this.waiting.splice(index, 1);
          else this.leaders -= 1;
          this.next();
        });
        this.next();
      },
      channel: (_, hear) => {
        this.heard.add(hear);
        return {
          say: (message) => { for (const other of this.heard) if (other !== hear) other(message); },
          close: () => this.heard.delete(hear),
        };
      },
    };
  }

  private next(): void {
    if (this.leaders > 0) return;
    const next = this.waiting.shift();
    if (!next) return;
    this.leaders += 1;
    next.lead();
  }
}

/** The server's inbox, and the streams that are open. */
class Server {
  readonly streams: Array<{ readonly cursor: string; put(frame: WatchNotificationsResponse): Promise<void>; isOpen: boolean }> = [];
  unread = 0;
  counted = 0;
  marked: string[][] = [];
  /** Before it no count is answered. */
  gate: Promise<void> = Promise.resolve();

  get open(): number {
    return this.streams.filter(({ isOpen }) => isOpen).length;
  }

  readonly client = {
    unary: async (method: { path: string }, request: { notificationIds?: string[] }) => {
      if (method.path.endsWith("/MarkRead")) {
        this.marked.push(request.notificationIds ?? []);
        this.unread -= request.notificationIds?.length ?? 0;
        return {};
      }
      this.counted += 1;
      await this.gate;
      return { unreadCount: String(this.unread) };
    },
    stream: (_: unknown, { cursor }: { cursor: string }, options: CallOptions) => this.stream(cursor, options),
  } as never;

  private async *stream(cursor: string, { signal }: CallOptions): AsyncGenerator<WatchNotificationsResponse> {
    const waiting: WatchNotificationsResponse[] = [];
    let wake = (): void => {};
    const stream = {
      cursor, isOpen: true,
      put: (frame: WatchNotificationsResponse) => { waiting.push(frame); wake(); return settled(); },
    };
    this.streams.push(stream);
    signal?.addEventListener("abort", () => { stream.isOpen = false; wake(); });
    for (;;) {
      if (!stream.isOpen) throw new ConnectError("canceled", "by the caller");
      const next = waiting.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => { wake = resolve; });
    }
  }
}

/** A page of the browser, and what its inbox tells. */
function page(browser: Browser, server: Server) {
  const clock = new Clock();
  const told: string[] = [];
  const inbox = new Inbox(server.client, "7", clock, browser.tabs());
  inbox.listen({
    arrived: ({ notificationId }) => told.push(`arrived ${notificationId}`),
    read: (ids) => told.push(`read ${ids.join()}`),
    counted: (unread) => told.push(`${unread} unread`),
  }, new AbortController().signal);
  return { clock, inbox, told };
}

const frame = (cursor: string, notificationId?: string): WatchNotificationsResponse => (
  { cursor, ...(notificationId ? { notification: { notificationId } } : {}) });

test("all pages of a browser hear by one stream, each notification once, and how many are not read", async () => {
  const [browser, server] = [new Browser(), new Server()];
  const pages = [page(browser, server), page(browser, server), page(browser, server)];
  await settled();
  assert.equal(server.streams.length, 1);
  server.unread = 4;
  await server.streams[0]?.put(frame("a"));
  server.unread = 5;
  await server.streams[0]?.put(frame("b", "41"));
  for (const { told, inbox } of pages) {
    assert.deepEqual(told, ["4 unread", "arrived 41", "5 unread"]);
    assert.equal(inbox.unread, 5);
  }
  assert.equal(server.streams.length, 1);
  const late = page(browser, server);
  await settled();
  assert.equal(late.inbox.unread, 5);
  assert.equal(server.counted, 2);
});

test("a page that is hidden or left gives the stream to one that is looked at, which goes on after its cursor", async () => {
  const [browser, server] = [new Browser(), new Server()];
  const [one, two] = [page(browser, server), page(browser, server)];
  await settled();
  await server.streams[0]?.put(frame("a", "41"));
  await one.clock.hide(true);
  assert.deepEqual(server.streams.map(({ isOpen, cursor }) => [isOpen, cursor]), [[false, ""], [true, "a"]]);
  // What had reached the first page when it let go comes again, and is told once.
  await server.streams[1]?.put(frame("a", "41"));
  await server.streams[1]?.put(frame("b", "42"));
  for (const { told } of [one, two]) {
    assert.deepEqual(told.filter((text) => text.startsWith("arrived")), ["arrived 41", "arrived 42"]);
  }
  await two.clock.hide(true);
  assert.equal(server.open, 0);
  await one.clock.hide(false);
  assert.equal(server.streams[2]?.cursor, "b");
  two.inbox.stop();
  one.inbox.stop();
  await settled();
  assert.equal(server.open, 0);
  assert.equal(one.clock.waiting + two.clock.waiting, 0);
  assert.equal(browser.leaders, 0);
});

test("what is read on one page is read on all of them", async () => {
  const [browser, server] = [new Browser(), new Server()];
  const [one, two] = [page(browser, server), page(browser, server)];
  server.unread = 1200;
  await settled();
  await server.streams[0]?.put(frame("a"));
  await two.inbox.markRead(Array.from({ length: 1001 }, (_, index) => String(index)));
  assert.deepEqual(server.marked.map(({ length }) => length), [1000, 1]);
  assert.deepEqual(one.told, two.told);
  assert.equal(one.told[one.told.length - 1], "199 unread");
  assert.equal(one.told.filter((text) => text.startsWith("read")).length, 2);
});

test("what comes while it is counted is counted once more, by one call", async () => {
  const [browser, server] = [new Browser(), new Server()];
  const { inbox } = page(browser, server);
  await settled();
  let answer = (): void => {};
  server.gate = new Promise((resolve) => { answer = resolve; });
  for (let id = 1; id <= 50; id++) await server.streams[0]?.put(frame("c", String(id)));
  assert.equal(server.counted, 1);
  server.unread = 50;
  answer();
  await settled();
  assert.equal(server.counted, 2);
  assert.equal(inbox.unread, 50);
});

test("each kind of notification has its sentence, and leads to a page of the account or nowhere", () => {
  const notification = (kind: string): Notification => ({
    kind, subject: "In English", subjectItalian: "In italiano", raceId: "7",
  } as Notification);
  assert.match(sentenceOf(notification("NOTIFICATION_KIND_DEVICE_ADDED"), "it"), /dispositivo/);
  assert.equal(sentenceOf(notification("NOTIFICATION_KIND_OF_TOMORROW"), "it"), "In italiano");
  assert.equal(sentenceOf(notification("NOTIFICATION_KIND_OF_TOMORROW"), "en"), "In English");
  assert.equal(sentenceOf(notification("NOTIFICATION_KIND_UNSPECIFIED"), "it"), "In italiano");
  assert.equal(sentenceOf({}, "en"), "");
  assert.equal(sentenceOf(notification("NOTIFICATION_KIND_ACCESS_REQUESTED"), "it"), "In italiano");
  assert.equal(sentenceOf(notification("NOTIFICATION_KIND_ACCESS_WITHDRAWN"), "en"), "In English");
  assert.match(sentenceOf({ kind: "NOTIFICATION_KIND_ACCESS_REQUESTED" }, "en"), /asks/);
  const both = { text: "A text", textItalian: "Un testo" };
  assert.deepEqual([messageOf(both, "en"), messageOf(both, "it"), messageOf({}, "it")], ["A text", "Un testo", ""]);
  const nowhere = ["MAINTENANCE", "REGISTERED_AGAIN", "ACCOUNT_DISABLED", "ACCOUNT_ENABLED"];
  const places = { ACCESS_REQUESTED: "/requests", ACCESS_EXPIRED: "/grants", SILENCE: "/sos", RACE_INVITED: "/races/7" };
  for (const kind of Object.keys(kinds)) {
    const name = kind.slice("NOTIFICATION_KIND_".length);
    const place = placeOf(notification(kind), "person");
    assert.equal(place === undefined, nowhere.includes(name), `${name} leads to ${place}`);
    if (name in places) assert.equal(place, places[name as keyof typeof places]);
  }
  const asked = { ...notification("NOTIFICATION_KIND_ACCESS_REVOKED"), accessRequestId: "12" };
  assert.equal(placeOf(asked, "thirdParty"), "/asked/12");
  // Not a page of theirs.
  assert.equal(placeOf(notification("NOTIFICATION_KIND_DEVICE_ADDED"), "administrator"), undefined);
});
