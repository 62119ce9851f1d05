import assert from "node:assert/strict";
import test from "node:test";
import { dateOfMicroseconds, toBigInt, toBytes, toNumber } from "../src/json/scalars.js";

test("numbers that JSON has no number for are read", () => {
  assert.equal(toNumber("NaN"), NaN);
  assert.equal(toNumber("-Infinity"), -Infinity);
  assert.equal(toNumber(1.5), 1.5);
  assert.equal(toNumber(undefined), 0);
});

test("whole numbers keep every digit", () => {
  assert.equal(toBigInt("9007199254740993"), 9007199254740993n);
  assert.equal(toBigInt("-9223372036854775808"), -9223372036854775808n);
  assert.equal(toBigInt(undefined), 0n);
});

test("microseconds are a moment in their millisecond, before 1970 too", () => {
  assert.equal(dateOfMicroseconds("1700000000123999").toISOString(), "2023-11-14T22:13:20.123Z");
  assert.equal(dateOfMicroseconds("-1").toISOString(), "1969-12-31T23:59:59.999Z");
  assert.equal(dateOfMicroseconds("-1000").toISOString(), "1969-12-31T23:59:59.999Z");
  assert.equal(dateOfMicroseconds(undefined).getTime(), 0);
});

test("base64 is bytes", () => {
  assert.deepEqual([...toBytes("AP8Q")], [0, 255, 16]);
  assert.deepEqual([...toBytes(undefined)], []);
});
