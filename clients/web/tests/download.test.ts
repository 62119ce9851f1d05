import assert from "node:assert/strict";
import test from "node:test";
import { ReadingService } from "../src/api/readings_v1.js";
import type { ExportReadingsRequest } from "../src/api/readings_v1.js";
import { downloadAddress } from "../src/connect/download.js";

test("a link to a file holds the request as it was made", () => {
  const request: ExportReadingsRequest = { metrics: ["1&x=é"], format: "EXPORT_FORMAT_FHIR_R4_NDJSON", fromUs: "1" };
  const address = new URL(downloadAddress(ReadingService.exportReadings, request), "https://trackme.example");
  assert.equal(address.pathname, "/web/downloads/trackme.readings.v1.ReadingService/ExportReadings");
  assert.deepEqual([...address.searchParams.keys()], ["connect", "encoding", "message"]);
  assert.deepEqual(JSON.parse(address.searchParams.get("message") ?? ""), request);
  // @ts-expect-error the request has no such field
  downloadAddress(ReadingService.exportReadings, { metric: "heart_rate" });
  // @ts-expect-error one answer is no file
  downloadAddress(ReadingService.getCurrentStatus, {});
});
