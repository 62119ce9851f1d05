import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ConnectError } from "../src/connect/errors.js";
import { words as reasons } from "../src/errors/reasons/words.js";
import { links } from "../src/pages/home/links.js";
import { currentSession, logIn, logOut } from "../src/session/session.js";
import { Announcer } from "../src/shell/announcer.js";
import { match, routes, safeAddress } from "../src/shell/routes.js";
import type { Route } from "../src/shell/routes.js";
import { Clock } from "./support/clock.js";
import { filesBelow } from "./support/files.js";
import { serve } from "./support/server.js";

test("a message is said at once, and of those in the next ten seconds the newest one after them", async () => {
  const clock = new Clock();
  const said: string[] = [];
  const announcer = new Announcer((message) => said.push(message), clock);
  announcer.announce("one");
  announcer.announce("two");
  announcer.announce("three");
  assert.deepEqual(said, ["one"]);
  await clock.advance(9_999);
  assert.deepEqual(said, ["one"]);
  await clock.advance(1);
  assert.deepEqual(said, ["one", "three"]);
  await clock.advance(5_000);
  announcer.announce("four");
  assert.deepEqual(said, ["one", "three"]);
  await clock.advance(60_000);
  assert.deepEqual(said, ["one", "three", "four"]);
  assert.equal(clock.waiting, 0);
  announcer.announce("five");
  assert.deepEqual(said, ["one", "three", "four", "five"]);
});

test("addresses lead to their pages", () => {
  const load = (): never => { throw new Error("not here"); };
  const made: Route[] = [{ address: "/a", load }, { address: "/races/{raceId}/live", load }];
  assert.equal(match(made, "/a")?.route, made[0]);
  assert.deepEqual(match(made, "/races/%C3%A8%2F7/live")?.parameters, { raceId: "è/7" });
  const race = { address: "/races/{raceId}", load };
  const wish = { address: "/races/new", load };
  for (const both of [[race, wish], [wish, race]]) {
    assert.equal(match(both, "/races/new")?.route, wish);
    assert.equal(match(both, "/races/7")?.route, race);
  }
  for (const path of ["/", "/a/", "/b", "/races//live", "/races/%E8/live", "/races/7", "/races/7/live/x", "a"]) {
    assert.equal(match(made, path), undefined, path);
  }
});

test("signing in leads to pages of this site alone", () => {
  const origin = "https://trackme.example";
  assert.equal(safeAddress("/status?x=1", origin), "/status?x=1");
  for (const wanted of [
    null, "", "https://evil.example/status", "//evil.example/status", "\\\\evil.example/status", "javascript:alert(1)",
    "/nowhere", "https://trackme.example.evil.example/", "http://", "/v1/payment-events",
  ]) assert.equal(safeAddress(wanted, origin), "/", String(wanted));
});

test("every page has an address of its own", () => {
  assert.equal(new Set(routes.map(({ address }) => address)).size, routes.length);
});

test("start pages lead to pages of their own kind of account", () => {
  for (const kind of ["person", "thirdParty", "administrator", "deskOperator"] as const) {
    assert.ok(links[kind].length >= 2, kind);
    for (const { address } of links[kind]) {
      const found = match(routes, address)?.route;
      assert.ok(found, `${address} is no page`);
      assert.ok(!found.kinds || found.kinds.includes(kind), `${address} is no page of a ${kind}`);
    }
  }
});

test("the session is the server's", async (context) => {
  const asked: string[] = [];
  const account = (fields: string): [number, string] => [200, `{"account":{${fields}}}`];
  let answer = account('"kind":"ACCOUNT_KIND_PERSON","accountId":"7","username":"ada"');
  const { client } = await serve(context, (seen, response) => {
    asked.push(`${seen.verb} ${seen.path} ${new TextDecoder().decode(seen.body)}`);
    if (seen.path?.startsWith("/web/session/")) response.writeHead(204).end();
    else response.writeHead(answer[0], { "Content-Type": "application/json" }).end(answer[1]);
  });
  assert.deepEqual(await currentSession(client), { kind: "person", accountId: "7", username: "ada", isDisabled: false });
  answer = [200, "{}"];
  assert.equal(await currentSession(client), undefined);
  for (answer of [
    account('"kind":"ACCOUNT_KIND_BRIDGE","accountId":"7","username":"b"'), account('"kind":"ACCOUNT_KIND_PERSON"'),
    [401, '{"code":"unauthenticated"}'], [503, '{"code":"unavailable"}'],
  ] as Array<[number, string]>) {
    await assert.rejects(currentSession(client), (error) => error instanceof ConnectError);
  }
  await logIn(client, "ada", "a secret");
  await logOut(client);
  assert.deepEqual(asked.slice(-2), [
    'POST /web/session/log-in {"name":"ada","password":"a secret"}', "POST /web/session/log-out {}",
  ]);
  assert.equal(asked[0], "GET /web/session ");
});

test("the server gives each reason that pages know", () => {
  const folders = ["Kernel", "Areas", "Libraries/ServiceAPI"];
  const sources = folders.flatMap((folder) => filesBelow(`../../Sources/${folder}`));
  const text = sources.filter((path) => path.endsWith(".swift")).map((path) => readFileSync(path, "utf8")).join("\n");
  for (const reason of Object.keys(reasons)) assert.ok(text.includes(`"${reason}"`), reason);
});
