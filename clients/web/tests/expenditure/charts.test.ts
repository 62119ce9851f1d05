import assert from "node:assert/strict";
import test from "node:test";
import { wrapped } from "../../src/expenditure/bars.js";
import { comparedRows, comparedVoices, isComparable } from "../../src/expenditure/compare.js";
import { isPie, largestPart } from "../../src/expenditure/composition.js";
import { fileName, noteLines } from "../../src/expenditure/downloads.js";
import { mobilityYears, rowsOfYear, togetherOf } from "../../src/expenditure/mobility.js";
import { distinct, yearRuns, yearStep } from "../../src/expenditure/series.js";
import type { Locale } from "../../src/language/choice.js";

const english: Locale = { language: "en", tag: "en-GB" };

const parts = (...cents: Array<number | undefined>) => cents.map((number, index) => ({
  voice: { code: `B${index}` },
  value: number === undefined ? { missing: "MISSING_REASON_NOT_REPORTED" as const } : { number: String(number) },
}));

test("S-UC2: a pie is drawn only where it is true: two to six parts, all above zero", () => {
  assert.ok(isPie(parts(1, 2)));
  assert.ok(isPie(parts(1, 2, 3, 4, 5, 6)));
  assert.ok(!isPie(parts(1, 2, 3, 4, 5, 6, 7)));
  assert.ok(!isPie(parts(1)));
  assert.ok(!isPie(parts(1, -2)));
  assert.ok(!isPie(parts(1, 0)));
  assert.ok(!isPie(parts(1, undefined)));
  assert.ok(!isPie([]));
});

test("the largest part is found among negative and missing ones", () => {
  assert.equal(largestPart(parts(-5, undefined, -2))?.voice?.code, "B2");
  assert.equal(largestPart(parts(undefined)), undefined);
});

test("a label is broken between words into at most three lines, and nothing of it is longer than there is room", () => {
  assert.deepEqual(wrapped("B.2) Acquisti di servizi", 30), ["B.2) Acquisti di servizi"]);
  assert.deepEqual(wrapped("B.2) Acquisti di servizi", 14), ["B.2) Acquisti", "di servizi"]);
  const long = wrapped("one two three four five six seven eight nine ten", 9);
  assert.equal(long.length, 3);
  assert.ok(long[2]?.endsWith("…"));
  assert.ok(long.every((line) => line.length <= 9), long.join("|"));
  assert.deepEqual(wrapped("Donaudampfschifffahrt", 8), ["Donauda…"]);
});

test("years that follow each other have a line through them, and no others", () => {
  const points = [2019, 2020, 2022, 2024, 2025].map((year) => ({ year, value: 1 }));
  assert.deepEqual(yearRuns(points).map((run) => run.map(({ year }) => year)), [[2019, 2020], [2022], [2024, 2025]]);
  assert.deepEqual(yearRuns([]), []);
  assert.equal(yearStep(5, 600), 1);
  assert.equal(yearStep(13, 200), 4);
  assert.equal(yearStep(1, 10), 1);
});

test("numbers of an axis are written as shortly as tells them apart", () => {
  const writers = [(value: number) => value.toFixed(0), (value: number) => value.toFixed(1)];
  assert.equal(distinct([1, 2, 3], writers)(2), "2");
  assert.equal(distinct([1.1, 1.2, 1.3], writers)(1.2), "1.2");
  assert.equal(distinct([1.11, 1.12], writers)(1.12), "1.1");
});

test("S-EV2: the same voices stand beside each other, each with its reason where it has no number", () => {
  assert.ok(!isComparable(["010"]) && isComparable(["010", "IT"]) && !isComparable(["1", "2", "3", "4", "5", "6"]));
  const sides = [
    {
      value: { number: "300" },
      parts: [{ voice: { code: "BA0390", description: "B.2)" }, value: { number: "-100" } }],
    },
    {
      value: { missing: "MISSING_REASON_NO_ACCOUNT" as const },
      parts: [{ voice: { code: "BA0390" }, value: { number: "5" } }],
    },
  ];
  const voices = comparedVoices(sides, "BZ9999 total");
  assert.deepEqual(voices.map(({ label }) => label), ["BZ9999 total", "BA0390 B.2)"]);
  const rows = comparedRows(
    voices, ["Piemonte", "Lazio"], "MEASURE_EUROS", english, (name, value) => `${name}: ${value}`);
  assert.deepEqual(rows[0]?.bars.map(({ value, text, series }) => [value, text, series]), [
    [300, "Piemonte: €3", 0], [undefined, "Lazio: no account of that year", 1]]);
  assert.equal(rows[1]?.bars[0]?.value, -100);
  assert.deepEqual(comparedVoices([], "x"), [{ label: "x", parts: [] }]);
});

test("S-EV1: rows of mobility are sorted by what is paid, year by year, without a balance", () => {
  const rows = [
    { year: 2024, territory: "010", publicCents: "5", privateCents: "1" },
    { year: 2022, territory: "010", publicCents: "1" },
    { year: 2024, territory: "120", publicCents: "900719925474099300", privateCents: "1" },
  ];
  assert.deepEqual(mobilityYears(rows), [2022, 2024]);
  assert.deepEqual(rowsOfYear(rows, 2024).map(({ territory }) => territory), ["120", "010"]);
  assert.equal(togetherOf(rows[2] ?? {}), 900719925474099301n);
  assert.deepEqual(mobilityYears([]), []);
});

test("S-NFR9: sources and licences below a saved chart are broken into lines, and never shortened", () => {
  const notes = [
    "BZ9999 Totale costi della produzione (B): Euro per residente, 2024",
    `RGS-MEF OpenBDAP, SSN_CCE_REG_VOCCN_001, ${"un nome molto lungo ".repeat(12)}(CC BY 3.0)`,
  ];
  for (const width of [290, 640, 1120]) {
    const lines = noteLines(notes, width);
    assert.equal(lines.join(" "), notes.join(" "));
    assert.ok(lines.every((line) => line.length * 6.8 <= width), lines.join("|"));
  }
  assert.deepEqual(noteLines(notes.slice(0, 1), 640), notes.slice(0, 1));
});

test("a chart's file has a name that every system takes", () => {
  assert.equal(fileName("Le sue parti: Euro per residente, 2024", "svg"), "le-sue-parti-euro-per-residente-2024.svg");
  assert.equal(fileName("Città/../è", "png"), "citta-e.png");
  assert.equal(fileName("——", "png"), "chart.png");
  assert.ok(fileName("x".repeat(500), "svg").length <= 84);
});
