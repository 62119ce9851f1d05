import type { Reading } from "../api/readings_v1.js";
import { toBigInt } from "../json/scalars.js";

/** The newest reading of each metric, out of readings in any order. */
export class NewestReadings {
  private readonly readings = new Map<string, Reading>();

  /** Takes readings in, and names the metrics that have a newer one. Of two of one time the later one counts. */
  take(readings: readonly Reading[] | undefined): string[] {
    const changed = new Set<string>();
    for (const reading of readings ?? []) {
      const metric = reading.metric ?? "";
      const known = this.readings.get(metric);
      if (known && toBigInt(known.timeUs) > toBigInt(reading.timeUs)) continue;
      this.readings.set(metric, reading);
      changed.add(metric);
    }
    return [...changed];
  }

  get isEmpty(): boolean {
    return this.readings.size === 0;
  }

  /** All of them, in the order of the metrics' names in a list; others behind, by name. */
  sorted(order: readonly string[]): Reading[] {
    const place = (reading: Reading): number => {
      const found = order.indexOf(reading.metric ?? "");
      return found < 0 ? order.length : found;
    };
    return [...this.readings.values()].sort(
      (one, other) => place(one) - place(other) || (one.metric ?? "").localeCompare(other.metric ?? ""));
  }
}
