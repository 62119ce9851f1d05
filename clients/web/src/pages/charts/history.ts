import type { Reading } from "../../api/readings_v1.js";
import type { ChartSeries } from "../../charts/view.js";

/** The ends of a time in milliseconds since the Unix epoch, the second not included. */
export interface Ends {
  readonly from: number;
  readonly to: number;
}

/**
 * What is known of an interval: loaded, and then kept up by what is committed meanwhile. Nothing in it is there twice.
 * Of `load` and `take` each is called when the one before has ended, so that no older answer follows a newer one.
 */
export interface History {
  /**
   * Loads an interval anew, and forgets what lies outside.
   * @throws ConnectError
   */
  load(ends: Ends): Promise<void>;
  /**
   * Takes readings of a stream in, those of the heartbeats too, which have none.
   * @returns when what `series` says has changed, or has not.
   */
  take(readings: readonly Reading[], ends: Ends): Promise<void>;
  series(): ChartSeries[];
  /** How many of the newest readings are all that is known, where there are more than that. */
  readonly cut: number | undefined;
}

/** A moment for the API. */
export function microseconds(time: number): string {
  return String(Math.round(time * 1000));
}

/** A moment of the API. */
export function milliseconds(timeUs: string | undefined): number {
  return Number(timeUs ?? 0) / 1000;
}
