import assert from "node:assert/strict";
import test from "node:test";
import type { CallPlace, DeskCall, WatchCallsResponse } from "../src/api/sos_v1.js";
import { ConnectError } from "../src/connect/errors.js";
import { actorText, crossingText, elapsedText } from "../src/emergencies/format.js";
import type { Locale } from "../src/language/choice.js";
import { Calls } from "../src/pages/desk/calls.js";
import { answerProblem } from "../src/pages/desk/problems.js";

const english: Locale = { language: "en", tag: "en-GB" };
const italian: Locale = { language: "it", tag: "it" };

const call = (emergencyId: string, place: CallPlace, detectedUs = "1"): DeskCall => (
  { place, emergency: { emergencyId, detectedUs, status: "DISPATCH_STATUS_ACTUAL" } });
const frame = (one?: DeskCall, beginsAnew = false): WatchCallsResponse => (
  { status: "DISPATCH_STATUS_ACTUAL", beginsAnew, ...(one ? { call: one } : {}) });
const ids = (calls: readonly DeskCall[]): Array<string | undefined> => calls.map(({ emergency }) => emergency?.emergencyId);

test("a call is there once however often it comes, and rings once each time that it comes to wait", () => {
  const calls = new Calls();
  assert.deepEqual(calls.take(frame(call("a", "CALL_PLACE_WAITING"), true)), ["a"]);
  assert.deepEqual(calls.take(frame(call("a", "CALL_PLACE_WAITING"))), []);
  assert.deepEqual(ids(calls.waiting), ["a"]);
  assert.deepEqual(calls.take(frame(call("a", "CALL_PLACE_OURS"))), []);
  assert.deepEqual([ids(calls.waiting), ids(calls.ours)], [[], ["a"]]);
  assert.deepEqual(calls.put(call("a", "CALL_PLACE_WAITING")), ["a"]);
});

test("a stream that begins anew takes nothing off the screen before it has told of everything", () => {
  const calls = new Calls();
  for (const id of ["a", "b"]) calls.take(frame(call(id, "CALL_PLACE_WAITING")));
  calls.take(frame());
  assert.deepEqual(calls.take(frame(call("b", "CALL_PLACE_WAITING"), true)), []);
  assert.deepEqual(ids(calls.waiting), ["a", "b"]);
  calls.take(frame());
  assert.deepEqual(ids(calls.waiting), ["b"]);
  // A heartbeat later forgets nothing more, and one that begins anew with nothing open forgets all.
  calls.take(frame());
  assert.deepEqual(ids(calls.waiting), ["b"]);
  calls.take(frame(undefined, true));
  assert.deepEqual(ids(calls.waiting), []);
});

test("calls that ring stand before those that were refused here, the oldest first", () => {
  const calls = new Calls();
  calls.take(frame(call("new", "CALL_PLACE_WAITING", "30")));
  calls.take(frame(call("refused", "CALL_PLACE_REFUSED", "10")));
  calls.take(frame(call("old", "CALL_PLACE_WAITING", "20")));
  assert.deepEqual(ids(calls.waiting), ["old", "new", "refused"]);
  assert.deepEqual(ids(calls.ringing), ["old", "new"]);
});

test("one exercise on the screen is enough to say so", () => {
  const calls = new Calls();
  calls.take(frame());
  assert.equal(calls.hasExercise, false);
  calls.take({ call: { place: "CALL_PLACE_OURS", emergency: { emergencyId: "a", status: "DISPATCH_STATUS_EXERCISE" } } });
  assert.equal(calls.hasExercise, true);
});

test("who answers second reads who has the call", () => {
  const facts = (reason: string, metadata: Record<string, string> = {}) => ({ reason, metadata, violations: new Map() });
  const say = (reason: string, metadata?: Record<string, string>): string => (
    answerProblem(new ConnectError("failed_precondition", "", facts(reason, metadata)), "en"));
  assert.equal(say("CALL_TAKEN", { name: "Anna Bianchi" }), "Anna Bianchi has this call.");
  assert.match(say("CALL_TAKEN"), /Somebody else/);
  assert.equal(say("CALL_OVER", { name: "Anna Bianchi" }), "Anna Bianchi has ended this call already.");
  assert.match(answerProblem(new ConnectError("unavailable", "", facts("RESEND")), "en"), /Answer again/);
  assert.match(answerProblem(new ConnectError("unavailable", ""), "it"), /di nuovo/);
});

test("crossings are told in the words of the page", () => {
  const readings = [{ metric: "heart_rate", unit: "/min", value: 30 }];
  assert.equal(
    crossingText({ kind: "CROSSING_KIND_LOW", metric: "heart_rate", limit: 41, value: 35.5, readings }, italian),
    "Frequenza cardiaca 35,5 al minuto, sotto 41");
  assert.equal(
    crossingText({ kind: "CROSSING_KIND_SCORE", limit: 7, value: 9 }, english), "NEWS2 score 9, at or above 7");
  assert.equal(
    crossingText({ kind: "CROSSING_KIND_SILENCE", value: 25, silenceCause: "SILENCE_CAUSE_LOW_BATTERY" }, english),
    "No heart rate for 25 minutes: the battery was low");
});

test("who did a step is named for people", () => {
  assert.deepEqual(
    ["evaluator", "person", "contact 0 sms", "webhook 1", "dispatcher 1000000007", "of tomorrow"].map((actor) => actorText(actor, english)),
    ["TrackMe", "You", "Contact 1 (SMS)", "Control room’s system 1", "Control room 1000000007", "of tomorrow"]);
});

test("times that have passed are told to the second", () => {
  assert.deepEqual([-5, 0, 7_900, 61_000, 3_725_000].map(elapsedText), ["0:00", "0:00", "0:07", "1:01", "1:02:05"]);
});
