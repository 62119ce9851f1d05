import assert from "node:assert/strict";
import test from "node:test";
import {
  changeText, compactEuroText, countText, euroText, eurosOf, percentText, wholeEuroText,
} from "../../src/expenditure/format.js";
import { rankOf, rankText } from "../../src/expenditure/rank.js";
import { english, italian } from "./support.js";

/** With plain spaces, for those that never break are not seen. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ");

test("S-NFR10: amounts are written to the cent, as each language does", () => {
  assert.equal(plain(euroText("14919579334567", italian)), "149.195.793.345,67 €");
  assert.equal(euroText("14919579334567", english), "€149,195,793,345.67");
  assert.equal(plain(euroText("239600", italian)), "2.396,00 €");
  assert.equal(plain(euroText(-105n, italian)), "-1,05 €");
  assert.equal(euroText(-105n, english), "-€1.05");
  assert.equal(euroText("-5", english), "-€0.05");
  assert.equal(euroText("0", english), "€0.00");
  assert.equal(euroText("99", english), "€0.99");
});

test("no cent is lost, however great an amount is", () => {
  assert.equal(euroText("9223372036854775807", english), "€92,233,720,368,547,758.07");
  assert.equal(euroText("-9223372036854775808", english), "-€92,233,720,368,547,758.08");
  assert.equal(eurosOf("239650"), 2396.5);
});

test("amounts per resident are in whole euros, and four digits are grouped in Italian too", () => {
  assert.equal(plain(wholeEuroText("239649", italian)), "2.396 €");
  assert.equal(plain(wholeEuroText("239650", italian)), "2.397 €");
  assert.equal(wholeEuroText("-239650", english), "-€2,397");
  assert.equal(wholeEuroText("-49", english), "€0");
  assert.equal(countText("5573", italian), "5.573");
  assert.equal(countText(58_971_230, english), "58,971,230");
});

test("great amounts are short in billions and millions", () => {
  const written: Array<[string, string, string]> = [
    ["14919579334567", "149,2 mld €", "€149.2 bn"],
    ["519000000000", "5,2 mld €", "€5.2 bn"],
    ["63800000000", "638,0 mln €", "€638.0 m"],
    ["99994999999", "999,9 mln €", "€999.9 m"],
    ["99995000000", "1,0 mld €", "€1.0 bn"],
    ["99999999", "1.000.000 €", "€1,000,000"],
    ["100000000", "1,0 mln €", "€1.0 m"],
    ["-14919579334567", "-149,2 mld €", "-€149.2 bn"],
    ["1234567890000000000", "12.345.678,9 mld €", "€12,345,678.9 bn"],
    ["123", "1 €", "€1"],
  ];
  for (const [cents, inItalian, inEnglish] of written) {
    assert.equal(plain(compactEuroText(cents, italian)), inItalian);
    assert.equal(plain(compactEuroText(cents, english)), inEnglish);
  }
});

test("shares have a decimal, and changes a sign", () => {
  assert.equal(percentText(0.125, italian), "12,5%");
  assert.equal(percentText(0.0451, english), "4.5%");
  assert.equal(changeText(0.032, italian), "+3,2%");
  assert.equal(changeText(-0.279, english), "-27.9%");
  assert.equal(changeText(0, english), "0.0%");
  assert.equal(changeText(0.0001, english), "0.0%");
  assert.equal(percentText(12.345, italian), "1.234,5%");
  assert.equal(euroText("105", english, { isChange: true }), "+€1.05");
  assert.equal(plain(compactEuroText("519000000000", italian, { isChange: true })), "+5,2 mld €");
  assert.equal(wholeEuroText("0", english, { isChange: true }), "€0");
});

test("S-UC2: a rank counts those above, and names ties", () => {
  const all = [
    { code: "a", value: 10n }, { code: "b", value: 8n }, { code: "c", value: 8n }, { code: "d", value: 8n },
    { code: "e", value: 3n }, { code: "f", value: undefined }, { code: "g", value: null },
  ];
  assert.deepEqual(rankOf(all, "a"), { rank: 1, count: 5, tiedWith: [] });
  assert.deepEqual(rankOf(all, "c"), { rank: 2, count: 5, tiedWith: ["b", "d"] });
  assert.deepEqual(rankOf(all, "e"), { rank: 5, count: 5, tiedWith: [] });
  for (const code of ["f", "g", "h"]) assert.equal(rankOf(all, code), undefined);
});

test("ranks are said in words", () => {
  const rank = (place: number, ...tiedWith: string[]): { rank: number; count: number; tiedWith: string[] } => (
    { rank: place, count: 21, tiedWith });
  assert.equal(rankText(rank(3, "a", "b"), english), "3rd of 21, tied with two");
  assert.equal(rankText(rank(3, "a", "b"), italian), "3ª su 21, a pari merito con altre due");
  assert.equal(rankText(rank(1), english), "1st of 21");
  assert.equal(rankText(rank(2, "a"), english), "2nd of 21, tied with one");
  assert.equal(rankText(rank(11), english), "11th of 21");
  assert.equal(rankText(rank(21), english), "21st of 21");
  assert.equal(rankText(rank(8), italian), "8ª su 21");
  assert.equal(rankText(rank(5, "a", "b", "c", "d", "e"), english), "5th of 21, tied with 5");
});
