import assert from "node:assert/strict";
import test from "node:test";
import { ExpenditureService } from "../../src/api/expenditure_v1.js";
import { EnvelopeReader } from "../../src/connect/envelopes.js";
import { ConnectError } from "../../src/connect/errors.js";
import { importFigures, importMessages } from "../../src/expenditure/import_files.js";
import { endFrame, frame, joined, serve } from "../support/server.js";

const streaming = { "Content-Type": "application/connect+json" };

/** The messages in a body. */
function messagesIn(body: Uint8Array): Array<Record<string, unknown>> {
  const reader = new EnvelopeReader(2 << 20);
  const found = [...reader.push(body)].map(({ data }) => (
    JSON.parse(new TextDecoder().decode(data)) as Record<string, unknown>));
  assert.ok(!reader.isWithinFrame);
  return found;
}

function file(name: string, bytes: Uint8Array) {
  const blob = new Blob([bytes]);
  return { name, size: blob.size, slice: (from?: number, to?: number) => blob.slice(from, to) };
}

test("an import is a head, then of each file its head and its bytes in order", async () => {
  const large = Uint8Array.from({ length: 2_000_000 }, (_, index) => (index * 7) % 251);
  const messages = await importMessages({
    dryRun: true, note: "città",
    files: [file("a.csv", Uint8Array.of(0, 255, 10)), file("empty.csv", new Uint8Array()), file("b.csv", large)],
  });
  const [head, first, chunk, empty, second, ...chunks] = messagesIn(new Uint8Array(await messages.arrayBuffer()));
  assert.deepEqual(head, { head: { dryRun: true, note: "città" } });
  assert.deepEqual(first, { file: { name: "a.csv" } });
  assert.deepEqual(chunk, { chunk: "AP8K" });
  assert.deepEqual(empty, { file: { name: "empty.csv" } });
  assert.deepEqual(second, { file: { name: "b.csv" } });
  assert.equal(chunks.length, 3);
  const parts = chunks.map(({ chunk: text }) => Uint8Array.from(atob(String(text)), (letter) => letter.charCodeAt(0)));
  assert.ok(parts.every(({ length }) => length <= 1 << 20), "the server takes 1 MiB at once");
  assert.deepEqual(joined(parts), large);
});

test("an import is sent as one body, and has one answer or one error", async (context) => {
  let isRefused = false;
  const { client } = await serve(context, (seen, response) => {
    assert.equal(seen.verb, "POST");
    assert.equal(seen.path, "/trackme.expenditure.v1.ExpenditureService/ImportFigures");
    assert.equal(seen.headers["content-type"], "application/connect+json");
    assert.equal(messagesIn(seen.body).length, 3);
    response.writeHead(200, streaming).end(joined(isRefused
      ? [endFrame({ error: { code: "invalid_argument", message: "row 3" } })]
      : [frame({ release: { number: "4" } }), endFrame()]));
  });
  const wish = { dryRun: false, note: "", files: [file("a.csv", Uint8Array.of(1))] };
  assert.deepEqual(await importFigures(client, wish, {}), { release: { number: "4" } });
  isRefused = true;
  await assert.rejects(importFigures(client, wish, {}), (error) => (
    error instanceof ConnectError && error.code === "invalid_argument" && error.message === "row 3"));
});

test("an import whose answer breaks off has failed", async (context) => {
  const { client } = await serve(context, (_, response) => {
    response.writeHead(200, streaming).end(joined([frame({ release: {} })]));
  });
  await assert.rejects(
    client.upload("/x", new Blob([]), {}), (error) => error instanceof ConnectError && error.code === "unavailable");
});

test("figures are read by GET: the same question about a release is answered out of the cache", async (context) => {
  const { client } = await serve(context, (seen, response) => {
    const address = new URL(seen.path, "http://x");
    assert.equal(seen.verb, "GET");
    assert.equal(address.pathname, "/trackme.expenditure.v1.ExpenditureService/GetReport");
    assert.equal(address.searchParams.get("connect"), "v1");
    assert.equal(address.searchParams.get("encoding"), "json");
    assert.deepEqual(JSON.parse(address.searchParams.get("message") ?? ""), { territory: "010", view: { year: 2024 } });
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"years":[2024]}');
  });
  const answer = await client.read(ExpenditureService.getReport, { territory: "010", view: { year: 2024 } });
  assert.deepEqual(answer, { years: [2024] });
});

test("a figure that is not there is an error as of any call", async (context) => {
  const { client } = await serve(context, (_, response) => {
    response.writeHead(404, { "Content-Type": "application/json" }).end('{"code":"not_found","message":"no voice"}');
  });
  await assert.rejects(client.read(ExpenditureService.getReport, {}), (error) => (
    error instanceof ConnectError && error.code === "not_found"));
});
