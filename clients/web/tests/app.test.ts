import assert from "node:assert/strict";
import test from "node:test";
import { App } from "../src/shell/app.js";
import type { AppPlaces } from "../src/shell/app.js";
import { Clock } from "./support/clock.js";
import { FakePage, until } from "./support/dom.js";

/** What the server answers, by path: a status and JSON, or words for what cannot be answered. */
type Answers = Record<string, () => [number, unknown] | Promise<[number, unknown]> | "nothing yet">;

const ada = { kind: "ACCOUNT_KIND_PERSON", accountId: "7", username: "ada" };
const nobody = { code: "unauthenticated" };
const account = "/web/session";
const readings = "/trackme.readings.v1.ReadingService";

/** An app that begins at an address, with a server of its own. */
function start(address: string, answers: Answers, languages: readonly string[] = ["en"]) {
  const page = new FakePage(address);
  page.install(languages);
  const clock = new Clock();
  const asked: string[] = [];
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path}`);
    if (path === "/web/session/log-in") asked.push(String(init.body));
    const answer = answers[path]?.() ?? [404, { code: "unimplemented" }];
    if (answer === "nothing yet") {
      return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    }
    const [status, json] = await answer;
    if (status === 204) return new Response(null, { status });
    return new Response(JSON.stringify(json), { status, headers: { "Content-Type": "application/json" } });
  }) as typeof fetch;
  const tabs = { lead: () => {}, channel: () => ({ say: () => {}, close: () => {} }) };
  new App(page.places as unknown as AppPlaces, clock, tabs).start();
  return { page, asked, clock };
}

/** A server where somebody is signed in, or nobody until they sign in. */
function server(session: { who: unknown }): Answers {
  return {
    [account]: () => [200, session.who ? { account: session.who } : {}],
    "/web/session/log-in": () => { session.who = ada; return [204, undefined]; },
    "/web/session/log-out": () => { session.who = undefined; return [204, undefined]; },
    [`${readings}/ListMetrics`]: () => [200, { metrics: [{ name: "heart_rate", unit: "/min" }] }],
    [`${readings}/GetCurrentStatus`]: () => [
      200, { readings: [{ metric: "heart_rate", timeUs: "1000000", scalar: 72 }] },
    ],
    [`${readings}/WatchReadings`]: () => "nothing yet",
  };
}

const shows = (page: FakePage, heading: string) => until(() => page.heading === heading, `the page ${heading}`);

test("the first page is drawn without moving the focus", async () => {
  const { page, asked } = start("/", server({ who: undefined }), ["fr", "it-IT"]);
  await shows(page, "TrackMe");
  assert.equal(page.documentElement.lang, "it");
  assert.equal(page.title, "TrackMe – TrackMe");
  assert.equal(page.focused, undefined);
  assert.equal(page.places.main.getAttribute("aria-busy"), null);
  assert.equal(page.places.skip.textContent, "Vai al contenuto");
  assert.equal(page.find("a", "Inizio").getAttribute("aria-current"), "page");
  assert.deepEqual(asked, [`GET ${account}`]);
});

test("a link shows its page, and brings to its heading", async () => {
  const { page } = start("/", server({ who: undefined }));
  await shows(page, "TrackMe");
  assert.ok(page.find("a", "Sign in").dispatch("click").defaultPrevented);
  await shows(page, "Sign in");
  assert.equal(page.url.pathname, "/sign-in");
  assert.equal(page.title, "Sign in – TrackMe");
  assert.equal(page.focused?.name, "h1");
  assert.equal(page.focused?.getAttribute("tabindex"), "-1");
  page.back();
  await shows(page, "TrackMe");
  assert.equal(page.url.pathname, "/");
});

test("a link that is opened elsewhere, or leads elsewhere, is the browser's", async () => {
  const { page } = start("/", server({ who: undefined }));
  await shows(page, "TrackMe");
  const link = page.find("a", "Sign in");
  assert.ok(!link.dispatch("click", true).defaultPrevented);
  for (const href of ["https://other.example/sign-in", "/nowhere", "#main", "/sign-in#x"]) {
    link.setAttribute("href", href);
    assert.ok(!link.dispatch("click").defaultPrevented, href);
  }
  link.setAttribute("href", "/sign-in");
  link.setAttribute("target", "_blank");
  assert.ok(!link.dispatch("click").defaultPrevented);
});

test("a place on the same page does not draw it anew", async () => {
  const { page } = start("/sign-in", server({ who: undefined }));
  await shows(page, "Sign in");
  const input = page.byId("username");
  page.url = new URL("#main", page.url);
  page.moved();
  await until(() => page.places.main.getAttribute("aria-busy") === null, "drawn");
  assert.equal(page.byId("username"), input);
});

test("a page of persons asks for the sign-in, and comes after it", async () => {
  const session = { who: undefined as unknown };
  const { page, asked } = start("/status?x=1", server(session));
  await shows(page, "Sign in");
  assert.equal(page.url.pathname + page.url.search, "/sign-in?next=%2Fstatus%3Fx%3D1");
  page.byId("username").value = " ada ";
  page.byId("password").value = "a secret";
  page.places.main.all().find(({ name }) => name === "form")?.dispatch("submit");
  await shows(page, "Current status");
  assert.ok(asked.includes('{"name":"ada","password":"a secret"}'));
  assert.equal(page.url.pathname + page.url.search, "/status?x=1");
  assert.equal(page.focused?.textContent, "Current status");
  page.find("td", "72 per minute");
  assert.ok(asked.includes(`POST ${readings}/WatchReadings`));
  assert.equal(page.find("a", "Signed in as ada").name, "a");
});

test("errors of the form stand at their fields, and the first one has the focus", async () => {
  const { page, asked } = start("/sign-in", server({ who: undefined }));
  await shows(page, "Sign in");
  const form = page.places.main.all().find(({ name }) => name === "form");
  form?.dispatch("submit");
  const [username, password] = [page.byId("username"), page.byId("password")];
  assert.equal(username.getAttribute("aria-invalid"), "true");
  const described = page.byId(username.getAttribute("aria-describedby") ?? "");
  assert.equal(described.textContent, "Enter your username or e-mail address.");
  assert.equal(password.getAttribute("aria-describedby"), "password-problem");
  assert.equal(page.focused, username);
  username.value = "ada";
  form?.dispatch("submit");
  assert.equal(username.getAttribute("aria-invalid"), null);
  assert.equal(page.byId("username-problem").textContent, "");
  assert.equal(page.focused, password);
  assert.ok(!asked.includes("POST /web/session/log-in"), "nothing was sent");
});

test("a wrong password is said to the whole form, and is not kept", async () => {
  const answers = { ...server({ who: undefined }), "/web/session/log-in": (): [number, unknown] => [401, nobody] };
  const { page } = start("/sign-in", answers);
  await shows(page, "Sign in");
  page.byId("username").value = "ada";
  page.byId("password").value = "wrong";
  page.places.main.all().find(({ name }) => name === "form")?.dispatch("submit");
  const alert = page.places.main.all().find((element) => element.getAttribute("role") === "alert");
  await until(() => alert?.textContent === "The name or the password is wrong.", "the problem");
  assert.equal(page.byId("password").value, "");
  assert.equal(page.byId("username").value, "ada");
  assert.ok(!page.find("button", "Sign in").disabled);
});

test("a browser that keeps no session is told so", async () => {
  const answers = { ...server({ who: undefined }), "/web/session/log-in": (): [number, unknown] => [204, undefined] };
  const { page } = start("/sign-in", answers);
  await shows(page, "Sign in");
  page.byId("username").value = "ada";
  page.byId("password").value = "x";
  page.places.main.all().find(({ name }) => name === "form")?.dispatch("submit");
  const alert = page.places.main.all().find((element) => element.getAttribute("role") === "alert");
  await until(() => alert?.textContent.includes("cookies") === true, "the problem");
});

test("what a page has begun ends when it is left", async () => {
  const { page, clock } = start("/", server({ who: ada }));
  await shows(page, "TrackMe");
  // The notifications belong to all pages.
  const always = clock.waiting;
  page.find("a", "Current status").dispatch("click");
  await shows(page, "Current status");
  assert.ok(clock.waiting > always);
  page.find("a", "Home").dispatch("click");
  await shows(page, "TrackMe");
  await until(() => clock.waiting === always, "nothing waits any more");
});

test("signing out leads to the sign-in, and is said", async () => {
  const { page, asked } = start("/status", server({ who: ada }));
  await shows(page, "Current status");
  page.find("button", "Sign out").dispatch("click");
  await shows(page, "Sign in");
  assert.ok(asked.includes("POST /web/session/log-out"));
  assert.equal(page.places.live.textContent, "You are signed out.");
});

test("a session that has ended meanwhile leads to the sign-in", async () => {
  const answers = server({ who: ada });
  answers[`${readings}/WatchReadings`] = () => [401, nobody];
  const { page } = start("/status", answers);
  await shows(page, "Sign in");
  assert.equal(page.url.search, "?next=%2Fstatus");
});

test("an address without a page, and a page of others, say so", async () => {
  const lost = start("/nowhere", server({ who: ada }));
  await shows(lost.page, "Page not found");
  const other = start("/status", server({ who: { ...ada, kind: "ACCOUNT_KIND_THIRD_PARTY" } }));
  await shows(other.page, "Not a page of your account");
  assert.ok(!other.asked.some((asked) => asked.includes(readings)));
});

test("a page that fails says why, and is tried again", async () => {
  const answers = server({ who: ada });
  const works = answers[`${readings}/GetCurrentStatus`]!;
  answers[`${readings}/GetCurrentStatus`] = () => [503, { code: "unavailable" }];
  const { page } = start("/status", answers);
  await shows(page, "This did not work");
  page.find("p", "The server cannot be reached. Try again in a moment.");
  answers[`${readings}/GetCurrentStatus`] = works;
  page.find("button", "Try again").dispatch("click");
  await shows(page, "Current status");
  assert.equal(page.reloads, 0);
});

test("of two pages that are asked for, the later one is shown", async () => {
  const answers = server({ who: ada });
  const { page } = start("/", answers);
  await shows(page, "TrackMe");
  let answer = (_: [number, unknown]): void => {};
  let isAsked = false;
  answers[`${readings}/GetCurrentStatus`] = () => {
    isAsked = true;
    return new Promise<[number, unknown]>((resolve) => { answer = resolve; });
  };
  page.find("a", "Current status").dispatch("click");
  await until(() => isAsked, "the status is asked for");
  page.find("a", "Home").dispatch("click");
  await until(() => page.focused !== undefined, "drawn");
  const shown = page.focused;
  answer([200, {}]);
  // The answer has been read when this one, which was asked for later, has.
  await new Response("{}").json();
  await new Promise<void>((resolve) => setTimeout(resolve, 0));
  assert.equal(page.url.pathname, "/");
  assert.equal(page.places.main.all()[0], shown);
  assert.equal(page.heading, "TrackMe");
});

test("a notification says everything in the language of the page", async () => {
  const answers = (): Answers => ({
    ...server({ who: ada }),
    "/trackme.notifications.v1.NotificationService/ListNotifications": () => [200, {
      notifications: [{
        notificationId: "5", kind: "NOTIFICATION_KIND_DEVICE_ADDED", subject: "A device", text: "The device scale.",
        subjectItalian: "Un dispositivo", textItalian: "Il dispositivo bilancia.",
      }],
    }],
  });
  for (const [language, heading, message] of [
    ["it", "Notifiche", "Il dispositivo bilancia."], ["en", "Notifications", "The device scale."],
  ] as const) {
    const { page } = start("/notifications", answers(), [language]);
    await shows(page, heading);
    const shown = page.places.main.all().filter((element) => element.getAttribute("class") === "message");
    assert.deepEqual(shown.map(({ textContent }) => textContent), [message]);
    assert.equal(page.places.main.all().some((element) => element.getAttribute("lang") !== null), false);
  }
});

test("another language is drawn at once, and the choice keeps the focus", async () => {
  const { page } = start("/sign-in", server({ who: undefined }));
  await shows(page, "Sign in");
  page.find("button", "Italiano").dispatch("click");
  await shows(page, "Accedi");
  await until(() => page.focused?.textContent === "Italiano", "the focus");
  assert.equal(page.documentElement.lang, "it");
  assert.equal(page.focused?.getAttribute("aria-pressed"), "true");
  assert.equal(page.focused?.getAttribute("lang"), "it");
});
