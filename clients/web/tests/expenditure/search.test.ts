import assert from "node:assert/strict";
import test from "node:test";
import { compareCodes, matches } from "../../src/pages/expenditure/dictionary/search.js";

test("S-NFR7: codes are in the order of Italian words, with numbers as numbers", () => {
  const sorted = ["AA0010", "BA2", "BA10", "BA0390", "BZ9999", "XA0000"];
  assert.deepEqual([...sorted].reverse().sort(compareCodes), sorted);
});

test("S-UC6: what is looked up is found without accents and capitals", () => {
  for (const wanted of ["sanita", "SANITÀ", "sanità", "Sanita\u0300"]) {
    assert.ok(matches(wanted, "BA0390 Sanità pubblica"), wanted);
    assert.ok(matches(wanted, "BA0390 SANITA' PUBBLICA"), wanted);
  }
  assert.ok(matches("l'assistenza", "L’assistenza") && matches("l`assistenza", "l'assistenza"));
  assert.ok(!matches("farmaci", "BA0390 Sanità pubblica"));
});

test("S-UC6: every word has to be there, in any order; the beginning of a code is enough", () => {
  assert.ok(matches("pubblica ba03", "BA0390 Sanità pubblica"));
  assert.ok(!matches("pubblica privata", "BA0390 Sanità pubblica"));
  assert.ok(matches("", "BA0390"), "nothing is everything");
});
