import assert from "node:assert/strict";
import test from "node:test";
import { ConnectError } from "../src/connect/errors.js";
import type { Code } from "../src/connect/errors.js";
import type { ServerStream, Unary } from "../src/connect/methods.js";
import { collect, endFrame, frame, joined, serve } from "./support/server.js";

const ask = { kind: "unary", path: "/x.v1.XService/Ask" } as Unary<{ name?: string }, { answer?: string }>;
const watch = { kind: "stream", path: "/x.v1.XService/Watch" } as ServerStream<{ from?: string }, { n?: number }>;

const json = { "Content-Type": "application/json" };
const streaming = { "Content-Type": "application/connect+json" };

/** Whether a call failed like this. */
function failed(code: Code, check: (error: ConnectError) => void = () => {}): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ConnectError, String(error));
    assert.equal(error.code, code, error.message);
    check(error);
    return true;
  };
}

// What protoc makes of
//   reason: "LOG_IN_LOCKED" domain: "trackme" metadata { key: "seconds" value: "50" } metadata { key: "né" value: "" }
// and of three field_violations, of which the first and the last are of one field: the first one counts.
const errorInfo = "Cg1MT0dfSU5fTE9DS0VEEgd0cmFja21lGg0KB3NlY29uZHMSAjUwGgcKA27DqRIA";
const badRequest = "ChYKCHVzZXJuYW1lEgppcyBtaXNzaW5nCh4KD2ZpZWxkc1syXS52YWx1ZRIL"
  + "aXMgdG9vIGxvbmcKFwoIdXNlcm5hbWUSC2lzIG5vdCByZWFk";

test("one message goes out and one comes back", async (context) => {
  const { client } = await serve(context, (seen, response) => {
    assert.equal(seen.verb, "POST");
    assert.equal(seen.path, "/x.v1.XService/Ask");
    assert.equal(seen.headers["content-type"], "application/json");
    assert.equal(seen.headers["connect-protocol-version"], "1");
    assert.equal(seen.headers["connect-timeout-ms"], "1234");
    assert.equal(new TextDecoder().decode(seen.body), '{"name":"città"}');
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" }).end('{"answer":"sì"}');
  });
  assert.deepEqual(await client.unary(ask, { name: "città" }, { timeoutMs: 1234 }), { answer: "sì" });
});

test("an error has its code, message, details and trailers", async (context) => {
  const { client } = await serve(context, (_, response) => {
    response.writeHead(429, { ...json, "Trailer-X-Log-Id": "77" }).end(JSON.stringify({
      code: "resource_exhausted", message: "locked", details: [
        { type: "google.rpc.ErrorInfo", value: errorInfo, debug: { reason: "NOT_READ" } },
        { type: "google.rpc.BadRequest", value: badRequest },
        { type: "google.rpc.Help", value: "AAAA" }, { type: 7 }, null, "detail",
      ],
    }));
  });
  await assert.rejects(client.unary(ask, {}), failed("resource_exhausted", (error) => {
    assert.equal(error.message, "locked");
    assert.equal(error.reason, "LOG_IN_LOCKED");
    assert.ok(error.is("LOG_IN_LOCKED"));
    assert.deepEqual(error.metadata, { seconds: "50", "né": "" });
    assert.deepEqual([...error.violations], [["username", "is missing"], ["fields[2].value", "is too long"]]);
    assert.deepEqual(error.trailers, { "x-log-id": ["77"] });
  }));
});

test("details that are broken cost no more than themselves", async (context) => {
  const values = ["", "!", "CgU", "CgVBQg", "Cv////8P", "/////////////w", "AA", "////", "CP////////////8B", 7, {}];
  let value: unknown;
  const { client } = await serve(context, (_, response) => {
    response.writeHead(400, json).end(JSON.stringify({
      code: "invalid_argument", details: [
        { type: "google.rpc.ErrorInfo", value }, { type: "google.rpc.BadRequest", value },
      ],
    }));
  });
  for (value of values) {
    await assert.rejects(client.unary(ask, {}), failed("invalid_argument", (error) => {
      assert.equal(error.reason, "");
      assert.equal(error.message, "");
    }));
  }
});

test("what is not of the protocol is unavailable", async (context) => {
  const answers: Array<[number, Record<string, string>, string]> = [
    [502, { "Content-Type": "text/html" }, "<h1>Bad Gateway</h1>"],
    [404, { "Content-Type": "text/html" }, "<h1>Not Found</h1>"],
    [200, { "Content-Type": "text/html" }, "<h1>Log in to the hotel's network</h1>"],
    [200, {}, '{"answer":"x"}'],
    [401, json, "<h1>"],
    [403, json, '{"error":"forbidden"}'],
    [403, json, '{"code":"forbidden"}'],
    [403, json, "[]"],
    [500, { "Content-Type": "text/plain" }, '{"code":"internal"}'],
    [201, json, "{}"],
  ];
  let place = 0;
  const { client } = await serve(context, (_, response) => {
    const [status, headers, body] = answers[place] ?? answers[0]!;
    response.writeHead(status, headers).end(body);
  });
  for (place = 0; place < answers.length; place++) {
    await assert.rejects(client.unary(ask, {}), failed("unavailable"));
    await assert.rejects(collect(client.stream(watch, {})), failed("unavailable"));
  }
});

test("a call is not led elsewhere", async (context) => {
  const { client } = await serve(context, (seen, response) => {
    if (seen.path === "/elsewhere") response.writeHead(200, json).end("{}");
    else response.writeHead(307, { Location: "/elsewhere" }).end();
  });
  await assert.rejects(client.unary(ask, {}), failed("unavailable"));
});

test("an answer that is no message is an internal error", async (context) => {
  const bodies = ["", "[]", "null", '"text"', "{", '{"answer":"\xff"}'];
  let body = "";
  const { client } = await serve(context, (_, response) => {
    response.writeHead(200, json).end(Uint8Array.from(body, (character) => character.charCodeAt(0)));
  });
  for (body of bodies) await assert.rejects(client.unary(ask, {}), failed("internal"));
});

test("a server that is not there is unavailable", async (context) => {
  const { client } = await serve(context, (_, response) => response.destroy());
  await assert.rejects(client.unary(ask, {}), failed("unavailable"));
  await assert.rejects(collect(client.stream(watch, {})), failed("unavailable"));
});

test("a caller ends its call, and the server hears of it", async (context) => {
  let gone = (): void => {};
  const cut = new Promise<void>((resolve) => { gone = resolve; });
  let came = (): void => {};
  const arrived = new Promise<void>((resolve) => { came = resolve; });
  const { client } = await serve(context, (_, response) => {
    response.on("close", gone);
    came();
  });
  const caller = new AbortController();
  const call = client.unary(ask, {}, { signal: caller.signal });
  await arrived;
  caller.abort();
  await assert.rejects(call, failed("canceled"));
  await cut;
  await assert.rejects(client.unary(ask, {}, { signal: caller.signal }), failed("canceled"));
});

test("a call whose time is over has passed its deadline", async (context) => {
  const { client } = await serve(context, (seen, response) => {
    if (seen.path === watch.path) response.writeHead(200, streaming).write(frame({ n: 1 }));
  });
  await assert.rejects(client.unary(ask, {}, { timeoutMs: 30 }), failed("deadline_exceeded"));
  const stream = client.stream(watch, {}, { timeoutMs: 300 });
  assert.deepEqual((await stream.next()).value, { n: 1 });
  await assert.rejects(stream.next(), failed("deadline_exceeded"));
});

test("a call with one answer has a time limit without being asked", async (context) => {
  const times: number[] = [];
  const { client } = await serve(
    context,
    (seen, response) => {
      assert.equal(seen.headers["connect-timeout-ms"], "30000");
      response.writeHead(200, json).end("{}");
    },
    { surroundings: { timer: (milliseconds) => { times.push(milliseconds); return () => times.push(0); } } });
  await client.unary(ask, {});
  assert.deepEqual(times, [30_000, 0]);
});

test("messages of a stream come one by one, and its metadata at the end", async (context) => {
  let next = (): void => {};
  const { client } = await serve(context, async (seen, response) => {
    assert.equal(seen.headers["content-type"], "application/connect+json");
    assert.equal(seen.headers["connect-protocol-version"], "1");
    assert.equal(seen.headers["connect-timeout-ms"], undefined);
    assert.deepEqual([...seen.body], [...frame({ from: "c1" })]);
    response.writeHead(200, streaming).write(frame({ n: 1 }).subarray(0, 3));
    response.write(frame({ n: 1 }).subarray(3));
    await new Promise<void>((resolve) => { next = resolve; });
    response.write(joined([frame({}), frame({ n: 3 })]));
    response.end(endFrame({ metadata: { "X-Count": ["3", "4"], odd: 7 } }));
  });
  const stream = client.stream(watch, { from: "c1" });
  assert.deepEqual((await stream.next()).value, { n: 1 });
  next();
  assert.deepEqual(await collect(stream), { messages: [{}, { n: 3 }], last: { "x-count": ["3", "4"] } });
});

test("a stream that ends with an error has told its messages before", async (context) => {
  const { client } = await serve(context, (_, response) => {
    const details = [{ type: "google.rpc.ErrorInfo", value: errorInfo }];
    const error = { code: "permission_denied", message: "over", details };
    response.writeHead(200, streaming).end(joined([frame({ n: 1 }), endFrame({ error, metadata: { "x-a": ["b"] } })]));
  });
  const stream = client.stream(watch, {});
  assert.deepEqual((await stream.next()).value, { n: 1 });
  await assert.rejects(stream.next(), failed("permission_denied", (error) => {
    assert.equal(error.reason, "LOG_IN_LOCKED");
    assert.deepEqual(error.trailers, { "x-a": ["b"] });
  }));
});

test("a stream may be refused before it begins", async (context) => {
  const { client } = await serve(context, (_, response) => {
    response.writeHead(401, json).end('{"code":"unauthenticated"}');
  });
  await assert.rejects(collect(client.stream(watch, {})), failed("unauthenticated"));
});

test("a stream without its end, or with more than it, has failed", async (context) => {
  const bodies: Array<[Code, Uint8Array]> = [
    ["unavailable", frame({ n: 1 })],
    ["unavailable", frame({ n: 1 }).subarray(0, 8)],
    ["unavailable", new Uint8Array()],
    ["internal", joined([endFrame(), frame({ n: 1 })])],
    ["internal", frame({ n: 1 }, 1)],
    ["internal", frame("{")],
    ["internal", frame("[]")],
    ["internal", endFrame("[]")],
    ["unknown", endFrame({ error: { code: "no code" } })],
    ["unknown", endFrame({ error: null })],
    ["resource_exhausted", Uint8Array.of(0, 127, 0, 0, 0, 1)],
  ];
  let place = 0;
  const { client } = await serve(context, (_, response) => {
    response.writeHead(200, streaming).end(bodies[place]?.[1]);
  });
  for (place = 0; place < bodies.length; place++) {
    await assert.rejects(collect(client.stream(watch, {})), failed(bodies[place]![0]));
  }
});

test("whoever stops reading a stream ends it", async (context) => {
  let gone = (): void => {};
  const cut = new Promise<void>((resolve) => { gone = resolve; });
  const { client } = await serve(context, (_, response) => {
    response.on("close", gone);
    response.writeHead(200, streaming).write(frame({ n: 1 }));
  });
  for await (const message of client.stream(watch, {})) {
    assert.deepEqual(message, { n: 1 });
    break;
  }
  await cut;
});

test("of a stream that ends with its token the app does not hear: the next one says whether there is a session", async (context) => {
  let heard = 0;
  const { client } = await serve(
    context, (_, response) => {
      response.writeHead(200, streaming).end(joined([frame({ n: 1 }), endFrame({ error: { code: "unauthenticated" } })]));
    },
    { onUnauthenticated: () => { heard++; } });
  await assert.rejects(collect(client.stream(watch, {})), failed("unauthenticated"));
  assert.equal(heard, 0);
});

test("the app hears when a method's call has no session", async (context) => {
  let heard = 0;
  const { client } = await serve(
    context, (_, response) => response.writeHead(401, json).end('{"code":"unauthenticated"}'),
    { onUnauthenticated: () => { heard++; } });
  await assert.rejects(client.unary(ask, {}), failed("unauthenticated"));
  await assert.rejects(collect(client.stream(watch, {})), failed("unauthenticated"));
  assert.equal(heard, 2);
  await assert.rejects(client.exchange("POST", "/web/session/log-in", {}), failed("unauthenticated"));
  assert.equal(heard, 2);
});
