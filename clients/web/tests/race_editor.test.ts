import assert from "node:assert/strict";
import test from "node:test";
import { digitsOf, parsePlace, placeOf, placeText, planRequest, straightM } from "../src/pages/races/edit/plan.js";
import { invitationLink, parseNumbers, parseTime, parseUsernames } from "../src/pages/races/manage/entries.js";

test("coordinates are read as people write and paste them", () => {
  const milan = { latitude: 45.4642, longitude: 9.19 };
  for (const text of [
    "45.4642, 9.19", "45.4642,9.19", " 45.4642 9.19 ", "45.4642;9.19", "45,4642; 9,19", "45,4642 9,19", "+45.4642, +9.190",
  ]) assert.deepEqual(parsePlace(text), milan, text);
  assert.deepEqual(parsePlace("-33.9, -70"), { latitude: -33.9, longitude: -70 });
  assert.deepEqual(parsePlace("0 0"), { latitude: 0, longitude: 0 });
});

test("what is no pair of coordinates is none", () => {
  for (const text of ["", "45.4", "45.4642, 9.19, 3", "91, 9", "45, 181", "north 45", "1e1, 2", "45.4642 N, 9.19 E", "4545, 9"]) {
    assert.equal(parsePlace(text), undefined, text);
  }
});

test("a place is written so that it is read again as it is", () => {
  for (const place of [{ latitude: 45.464213, longitude: 9.190004 }, { latitude: -0.5, longitude: -179.999999 }]) {
    assert.deepEqual(parsePlace(placeText(place)), place);
  }
});

const place = (latitude: number): { latitude: number; longitude: number; name: string } => (
  { latitude, longitude: 9, name: "" });

test("the straight way goes through all places and laps", () => {
  const wanted = { start: place(45), stages: [place(45.01)], arrival: undefined, laps: 3 };
  assert.equal(Math.round(straightM(wanted) / 10), Math.round((6 * 1_111.95) / 10));
  assert.deepEqual(planRequest(wanted), { start: place(45), stages: [place(45.01)], arrival: place(45), laps: 3 });
  assert.deepEqual(
    planRequest({ ...wanted, arrival: place(46), laps: 1 }),
    { start: place(45), stages: [place(45.01)], arrival: place(46) });
});

test("the API's names of fields lead to the places of the list", () => {
  const found = ["start", "start.latitude", "stages[0]", "stages[2].name", "arrival", "arrival.longitude"];
  assert.deepEqual(found.map((path) => placeOf(path, 3)), [0, 0, 1, 3, 4, 4]);
  for (const path of ["stages", "starts", "gpx", "laps", "", "arrivals"]) assert.equal(placeOf(path, 3), undefined, path);
});

test("amounts have as many digits as their currency", () => {
  assert.deepEqual(["EUR", "JPY", "KWD"].map(digitsOf), [2, 0, 3]);
  for (const currency of ["", "eur", "EURO", "E1R"]) assert.equal(digitsOf(currency), undefined, currency);
});

test("numbers and ranges are all their numbers, each once", () => {
  assert.deepEqual(parseNumbers("1-3, 7;2 9"), [1, 2, 3, 7, 9]);
  assert.deepEqual(parseNumbers("4–5"), [4, 5]);
  assert.equal(parseNumbers("1-20000")?.length, 20_000);
  for (const text of ["", "a", "0", "3-1", "1-", "-4", "1.5", "1-20001", "1-20000, 30000", "1-999999"]) {
    assert.equal(parseNumbers(text), undefined, text);
  }
});

test("times are read with hours or without", () => {
  assert.deepEqual(["1:02:03", "0:48:31.5", "48:31", "90:00"].map(parseTime), [3_723, 2_911.5, 2_911, 5_400]);
  for (const text of ["", "48", "1:60:00", "1:02:60", "1:2:3", "x"]) assert.equal(parseTime(text), undefined, text);
});

test("usernames stand on lines or between commas", () => {
  assert.deepEqual(parseUsernames(" anna\nbruno, carla;anna\n\n"), ["anna", "bruno", "carla"]);
  assert.deepEqual(parseUsernames(" \n"), []);
});

test("the secret of a private link is where no server sees it", () => {
  const link = new URL(invitationLink("https://run.example", "7", "a+b/c="));
  assert.equal(link.pathname + link.search, "/races/7");
  assert.equal(new URLSearchParams(link.hash.slice(1)).get("invitation"), "a+b/c=");
});
