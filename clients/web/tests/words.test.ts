import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { chooseLanguage, localeOf } from "../src/language/choice.js";
import { languages, translator } from "../src/language/words.js";
import type { Words } from "../src/language/words.js";
import { firstMetrics } from "../src/metrics/first.js";
import { filesBelow } from "./support/files.js";

const api = filesBelow("src/api").map((path) => readFileSync(path, "utf8")).join("\n");
const sources = filesBelow("src").filter((path) => path.endsWith(".ts") && !path.startsWith("src/api/"));
const tables = sources.filter((path) => path.endsWith("/words.ts") && path !== "src/language/words.ts");
const code = sources.filter((path) => !tables.includes(path)).map((path) => readFileSync(path, "utf8")).join("\n");

/** The table of a file, out of the built tests. */
async function load(path: string): Promise<Words> {
  const built = new URL(`../${path.replace(/\.ts$/, ".mjs")}`, import.meta.url).href;
  return (await import(built) as { words: Words }).words;
}

/** The holes of a sentence, in order. */
const holes = (sentence: string): string[] => [...(sentence.match(/\{\w+\}/g) ?? [])].sort();

test("every sentence is there in every language, with the same values in it", async () => {
  assert.ok(tables.length >= 5, "the tables were not found");
  for (const path of tables) {
    for (const [key, sentences] of Object.entries(await load(path))) {
      assert.deepEqual(Object.keys(sentences).sort(), [...languages].sort(), `${path}: ${key}`);
      for (const language of languages) {
        assert.ok(sentences[language].trim() !== "", `${path}: ${key} is empty in ${language}`);
        assert.deepEqual(holes(sentences[language]), holes(sentences.en), `${path}: ${key} in ${language}`);
      }
    }
  }
});

test("every sentence is said somewhere", async () => {
  for (const path of tables) {
    // Metrics, units, reasons of errors and kinds of notifications are looked up by the names that the server sends.
    if (["src/metrics", "src/errors/reasons", "src/notifications"].includes(path.slice(0, -"/words.ts".length))) continue;
    for (const key of Object.keys(await load(path))) {
      // In capitals are values of the API.
      const where = /^[A-Z_]+$/.test(key) ? api : code;
      assert.ok(where.includes(`"${key}"`), `${path}: nobody says ${key}`);
    }
  }
});

test("every metric that the server begins with has a name, and its unit is one", async () => {
  const words = await load("src/metrics/words.ts");
  const migration = readFileSync("../../Sources/Kernel/Log/Writer/Migrations/LogSQL.swift", "utf8");
  const metrics = [...migration.matchAll(/^ *\(\d+, +'(\w+)', +'[^']+', +'\w+', +'([^']+)'/gm)];
  assert.deepEqual(metrics.map(([, name]) => name), [...firstMetrics]);
  for (const [, name, unit] of metrics) {
    assert.ok(words[name ?? ""], `${name} has no name`);
    // A code of letters without braces and brackets is written as it is.
    const isPlain = /^[a-zA-Z%]+(\/[a-zA-Z]+)?$/.test(unit ?? "");
    assert.ok(words[unit ?? ""] ?? isPlain, `${unit} is no unit that people write`);
  }
});

/** The reasons that the server's sources give: of statuses, and what else is called a reason of one. */
function serverReasons(): string[] {
  const text = filesBelow("../../Sources").filter((path) => path.endsWith(".swift") && !path.includes("/Generated/"))
    .map((path) => readFileSync(path, "utf8")).join("\n");
  const given = [...text.matchAll(/\breason:\s+(?:[\w.?!()]+ +\?\? +)?"([A-Z][A-Z0-9_]+)"/g)].map(([, reason]) => reason ?? "");
  const computed = [...text.matchAll(/\bvar reason: String \{\n((?:.*\n)*?) {2}\}\n/g)].flatMap(
    ([, body]) => [...(body ?? "").matchAll(/"([A-Z][A-Z0-9_]+)"/g)].map(([, reason]) => reason ?? ""));
  assert.ok(computed.length >= 3, "the reasons of conflicts were not found");
  return [...new Set([...given, ...computed])].sort();
}

test("every reason of an error that the server gives has a sentence, and no other", async () => {
  const found = serverReasons();
  assert.ok(found.length >= 100, "the reasons were not found");
  assert.deepEqual(Object.keys(await load("src/errors/reasons/words.ts")).sort(), found);
});

test("nothing that people read stands outside the tables", () => {
  for (const path of sources.filter((path) => /^src\/(pages|shell)\//.test(path) && !tables.includes(path))) {
    for (const [, text] of readFileSync(path, "utf8").matchAll(/element\("\w+", \{[^}]*\}, "([^"]+)"/g)) {
      assert.equal(text, "TrackMe", `${path} says ${text} in one language`);
    }
  }
});

test("nothing is read as HTML", () => {
  assert.ok(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|bindPopup|bindTooltip|divIcon/i.test(code));
});

test("values are put into sentences as they are", () => {
  const words = { hello: { en: "Hello {name}, {name} of {place}", it: "Ciao {name}, {name} di {place}" } } as const;
  const values = { name: "$& {place}", place: "x" };
  assert.equal(translator(words, "it")("hello", values), "Ciao $& {place}, $& {place} di x");
  assert.equal(translator(words, "en")("hello", { name: "a" }), "Hello a, a of {place}");
});

test("the language is the one that was chosen, then the first one wanted, then English", () => {
  assert.equal(chooseLanguage("it", ["en-GB"]), "it");
  assert.equal(chooseLanguage(null, ["fr", "it-CH", "en"]), "it");
  assert.equal(chooseLanguage(null, ["IT"]), "it");
  assert.equal(chooseLanguage("xx", ["en-US", "it"]), "en");
  assert.equal(chooseLanguage(null, []), "en");
});

test("numbers and times are written by the customs that the browser asks for, if they are of the language", () => {
  assert.deepEqual(localeOf("en", ["it-IT", "en-GB", "en-US"]), { language: "en", tag: "en-GB" });
  assert.deepEqual(localeOf("it", ["en-GB"]), { language: "it", tag: "it" });
});
