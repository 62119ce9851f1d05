import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, firstView, parseView, requestedView, voicePath } from "../../src/expenditure/address.js";
import type { ViewState } from "../../src/expenditure/address.js";
import { yearsText } from "../../src/expenditure/origin.js";
import { compareCodes, matches } from "../../src/pages/expenditure/dictionary/search.js";

const parsed = (address: string): ViewState => parseView(new URL(address, "https://trackme.example").searchParams);

test("an address brings its view back", () => {
  const views: readonly ViewState[] = [
    firstView,
    { ...firstView, release: "12", year: 2023, voice: "BA0390", measure: "MEASURE_CHANGE", pricesOf: 2020 },
    { ...firstView, regions: ["IT", "010", "041"], method: "natural", classes: 7, language: "it" },
    { ...firstView, measure: "MEASURE_EUROS", language: "en" },
  ];
  for (const view of views) assert.deepEqual(parsed(addressOf("/expenditure", view)), view);
  assert.equal(addressOf("/expenditure", firstView), "/expenditure");
});

test("what an address says wrongly is as if it said nothing", () => {
  const wrong = "release=-1&year=99&voice=<script>&measure=x&prices=20244&regions=x,0101,../&classes=x-99&lang=de";
  assert.deepEqual(parsed(`/expenditure?${wrong}`), firstView);
  assert.deepEqual(parsed("/expenditure?regions=010,010,041").regions, ["010", "041"]);
  assert.deepEqual(parsed("/expenditure?classes=natural-99"), { ...firstView, method: "natural" });
});

test("the server is asked for what the address says, and no more", () => {
  assert.deepEqual(requestedView(firstView), { measure: "MEASURE_PER_RESIDENT" });
  assert.deepEqual(
    requestedView({ ...firstView, release: "3", year: 2024, voice: "BA0390", pricesOf: 2020 }),
    { release: "3", year: 2024, voice: "BA0390", measure: "MEASURE_PER_RESIDENT", pricesOf: 2020 });
  assert.equal(voicePath("010", "BA0390"), "/expenditure/010/BA0390");
});

test("years in few words (S-NFR10)", () => {
  assert.equal(yearsText([2024]), "2024");
  assert.equal(yearsText([2012, 2013, 2014, 2019, 2022, 2023]), "2012–2014, 2019, 2022–2023");
  assert.equal(yearsText([]), "");
});

test("the dictionary is sorted as Italians sort, numbers as numbers, and found without accents (S-NFR7)", () => {
  assert.deepEqual(["BA100", "BA20", "AA1", "BZ9999"].sort(compareCodes), ["AA1", "BA20", "BA100", "BZ9999"]);
  assert.ok(matches("mobilita SANITARIA", "Costi per la mobilità sanitaria"));
  assert.ok(matches("dell'anno", "dell’anno"));
  assert.ok(matches("", "anything"));
  assert.ok(!matches("mobilita x", "mobilità"));
});
