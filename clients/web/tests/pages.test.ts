import assert from "node:assert/strict";
import test from "node:test";
import type { Metric, Reading } from "../src/api/readings_v1.js";
import { ConnectError } from "../src/connect/errors.js";
import { describeError } from "../src/errors/describe.js";
import type { Locale } from "../src/language/choice.js";
import { ageText, metricName, unitName, valueText } from "../src/metrics/format.js";
import { NewestReadings } from "../src/metrics/newest.js";
import { problemsOf as signInProblemsOf } from "../src/pages/sign-in/problems.js";
import { problemsOf } from "../src/parts/form.js";

const english: Locale = { language: "en", tag: "en-GB" };
const italian: Locale = { language: "it", tag: "it" };
const heartRate: Metric = { name: "heart_rate", unit: "/min", displayName: "Heart rate" };

function facts(reason: string, violations: Array<[string, string]> = []) {
  return { reason, metadata: {}, violations: new Map(violations) };
}

test("what the server says of a sign-in is said where it belongs", () => {
  const say = (error: unknown) => signInProblemsOf(error, "en");
  assert.deepEqual(
    say(new ConnectError("unauthenticated", "", facts("WRONG_NAME_OR_PASSWORD"))),
    { fields: {}, whole: "The name or the password is wrong." });
  assert.match(say(new ConnectError("resource_exhausted", "", facts("LOG_IN_LOCKED")))?.whole ?? "", /this name/);
  assert.match(
    say(new ConnectError("resource_exhausted", "", facts("TOO_MANY_WRONG_PASSWORDS")))?.whole ?? "", /network/);
  assert.equal(say(new ConnectError("resource_exhausted", "", facts("TOO_BUSY"))), undefined);
  assert.equal(say(new Error("a mistake")), undefined);
});

test("a form says at its fields what the server refuses, and what it has no field for of the whole", () => {
  const fields = [{ name: "username", api: ["name"] }, { name: "scope", refused: "Choose others." }, { name: "e" }];
  const say = (error: unknown) => problemsOf(error, fields, english);
  const refused = (...paths: string[]) => (
    new ConnectError("invalid_argument", "", facts("INVALID_ARGUMENT", paths.map((path) => [path, "is odd"]))));
  assert.deepEqual(say(refused("name", "scope.metrics[0]", "x")), {
    fields: { username: "The server does not take this.", scope: "Choose others." },
    whole: "This was not sent. Look at the fields that are marked.",
  });
  assert.deepEqual(say(refused("scope[1]")).fields, { scope: "Choose others." });
  assert.deepEqual(say(refused("scopes", "username", "email")).fields, {});
  assert.match(say(refused("x")).whole ?? "", /refused/);
  assert.match(say(new ConnectError("resource_exhausted", "", facts("TOO_BUSY"))).whole ?? "", /too much to do/);
  assert.match(say(new ConnectError("unavailable", "")).whole ?? "", /cannot be reached/);
  assert.equal(say(new Error("a mistake")).whole, "Something went wrong. Try again later.");
});

test("errors are described in the language of the page", () => {
  assert.equal(describeError(new ConnectError("not_found", "x"), "it"), "Non esiste, o non esiste più.");
  assert.equal(describeError(new ConnectError("data_loss", "x"), "en"), "Something went wrong. Try again later.");
  const say = (reason: string) => describeError(new ConnectError("not_found", "x", facts(reason)), "en");
  assert.equal(say("NO_RUNNER"), "No runner of this race has this number.");
  for (const unknown of ["OF_TOMORROW", "constructor", ""]) {
    assert.equal(say(unknown), "This is not there, or not there any more.", unknown);
  }
});

test("of each metric the newest reading counts, in whatever order they come", () => {
  const newest = new NewestReadings();
  assert.ok(newest.isEmpty);
  const reading = (metric: string, timeUs: string, scalar: number): Reading => ({ metric, timeUs, scalar });
  assert.deepEqual(newest.take([reading("b", "20", 1), reading("a", "9", 2), reading("b", "100", 3)]), ["b", "a"]);
  assert.deepEqual(newest.take([reading("b", "99", 4)]), []);
  assert.deepEqual(newest.take([reading("b", "100", 5)]), ["b"]);
  assert.deepEqual(newest.take(undefined), []);
  newest.take([reading("z", "1", 6), reading("y", "1", 7)]);
  assert.deepEqual(newest.sorted(["b", "a"]).map(({ scalar }) => scalar), [5, 2, 7, 6]);
  assert.ok(!newest.isEmpty);
});

test("values are written with their units in the language of the page", () => {
  assert.equal(valueText({ scalar: 72 }, heartRate, english), "72 per minute");
  assert.equal(valueText({ scalar: 36.65 }, { unit: "Cel" }, italian), "36,65 °C");
  assert.equal(valueText({ scalar: 0.126 }, { unit: "mmol/L" }, english), "0.13 mmol/L");
  assert.equal(valueText({}, undefined, english), "0");
  assert.equal(
    valueText({ position: { latitude: 45.4642, longitude: -9.19 } }, undefined, italian), "45,46420° N, 9,19000° O");
  assert.equal(valueText({ position: {} }, undefined, english), "0.00000° N, 0.00000° E");
  assert.equal(
    valueText({ waveform: { rateHz: 250, samples: [1, 2, "NaN"] } }, undefined, english), "3 samples, 250 a second");
});

test("metrics and units that are new have the names that the server knows", () => {
  assert.equal(metricName("heart_rate", heartRate, italian), "Frequenza cardiaca");
  assert.equal(metricName("lactate", { displayName: "Lactate" }, italian), "Lactate");
  assert.equal(metricName("lactate", undefined, italian), "lactate");
  assert.equal(metricName("constructor", undefined, english), "constructor");
  assert.equal(unitName("mm[Hg]", english), "mmHg");
  assert.equal(unitName(undefined, english), "");
});

test("ages are told in the greatest unit that fits", () => {
  const now = new Date("2026-11-24T12:00:00Z");
  const age = (seconds: number) => ageText(new Date(now.getTime() - seconds * 1000), now, english);
  assert.equal(age(3), "now");
  assert.equal(age(-3), "now");
  assert.equal(age(39), "30 seconds ago");
  assert.equal(age(60), "1 minute ago");
  assert.equal(age(3599), "59 minutes ago");
  assert.equal(age(7200), "2 hours ago");
  assert.equal(age(86_400), "yesterday");
  assert.equal(age(-600), "in 10 minutes");
  assert.equal(ageText(new Date(now.getTime() - 180_000), now, italian), "3 minuti fa");
});
