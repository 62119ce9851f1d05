import type { Reading } from "../../api/readings_v1.js";
import { dateOfMicroseconds } from "../../json/scalars.js";
import type { Interval } from "./interval.js";

/** A page holds no more; the oldest go first. */
export const most = 100_000;

/** The readings of one kind and interval, each once, whichever way and however often it comes. */
export class Rows {
  private readonly readings = new Map<string, Reading>();
  private sorted: Reading[] | undefined;
  /** Whether some had to go. */
  isCut = false;

  constructor(private readonly metric: string, private readonly interval: Interval) {}

  /** Of two readings of one source and time the later one counts. */
  put(readings: readonly Reading[]): void {
    for (const reading of readings) {
      if (reading.metric !== this.metric) continue;
      const at = dateOfMicroseconds(reading.timeUs);
      if (at < this.interval.from || (this.interval.to && at >= this.interval.to)) continue;
      this.readings.set(`${reading.timeUs ?? ""} ${reading.source ?? ""}`, reading);
      this.sorted = undefined;
    }
    if (this.readings.size <= most) return;
    this.isCut = true;
    const kept = this.newestFirst().slice(0, most);
    this.readings.clear();
    this.put(kept);
  }

  newestFirst(): readonly Reading[] {
    // They mostly come in this order, which is what sorting is quick with. Microseconds are exact numbers until 2255.
    this.sorted ??= [...this.readings.values()].sort((one, other) => (
      Number(one.timeUs) - Number(other.timeUs) || (other.source ?? "").localeCompare(one.source ?? ""))).reverse();
    return this.sorted;
  }

  clear(): void {
    this.readings.clear();
    this.sorted = undefined;
  }
}
