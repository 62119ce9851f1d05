import assert from "node:assert/strict";
import test from "node:test";
import { ReadingService } from "../src/api/readings_v1.js";
import type { MetricKind, Reading } from "../src/api/readings_v1.js";
import { SubscriptionService } from "../src/api/sharing_v1.js";
import type { ConnectClient } from "../src/connect/client.js";

// The compiler is what is tested here: each line behind an "expect" must be an error, or the check of types fails.

export function reading(it: Reading): void {
  if (it.scalar !== undefined) {
    // @ts-expect-error one member of a oneof excludes the others
    it.position.latitude;
  }
  // @ts-expect-error no message has this field
  it.heartRate;
  // @ts-expect-error a whole number of 64 bits is text until it is converted
  it.timeUs! - 1;
  // @ts-expect-error a number may be "NaN" until it is converted
  it.scalar! - 1;
  // @ts-expect-error everything may be left out
  it.source.length;
}

// @ts-expect-error two members of a oneof
export const two: Reading = { scalar: 1, waveform: { rateHz: 250 } };

// @ts-expect-error an enum is one of its names
export const kind: MetricKind = "METRIC_KIND_SCALER";

export async function calls(client: ConnectClient): Promise<void> {
  const status = await client.unary(ReadingService.getCurrentStatus, { personId: "7" });
  status.readings?.[0]?.metric?.length;
  // @ts-expect-error the answer has its own fields
  status.metrics;
  // @ts-expect-error the request has no such field
  await client.unary(ReadingService.getCurrentStatus, { personID: "7" });
  // @ts-expect-error an Int64 is text
  await client.unary(ReadingService.getCurrentStatus, { personId: 7 });
  // @ts-expect-error a stream is not one answer
  await client.unary(ReadingService.watchReadings, {});
  // @ts-expect-error one answer is no stream
  client.stream(ReadingService.getCurrentStatus, {});
  for await (const frame of client.stream(ReadingService.watchReadings, { cursor: "c" })) {
    frame.cursor?.length;
    // @ts-expect-error a frame has its own fields
    frame.nextPageToken;
  }
}

test("methods know their addresses and shapes", () => {
  assert.deepEqual(
    ReadingService.getCurrentStatus, { kind: "unary", path: "/trackme.readings.v1.ReadingService/GetCurrentStatus" });
  assert.equal(ReadingService.watchReadings.kind, "stream");
  assert.equal(SubscriptionService.subscribe.kind, "stream");
});
