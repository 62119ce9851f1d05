import type { AccessScope, Granularity } from "../../api/sharing_v1.js";
import { dateOf } from "../../parts/time.js";

const hourMs = 3_600_000;

/** Lengths of the intervals that can be chosen, by what the address calls them. */
export const lengths = {
  hour: hourMs, hours: 6 * hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs, month: 30 * 24 * hourMs, year: 365 * 24 * hourMs,
} as const;

export type Length = keyof typeof lengths;

/** Those of which a page can hold all readings, for each granularity; the first one is shown unless another is chosen. */
export const lengthsOf: Partial<Record<Granularity, readonly Length[]>> = {
  GRANULARITY_SECOND: ["hour", "hours", "day"],
  GRANULARITY_MINUTE: ["day", "week", "month"],
  GRANULARITY_HOUR: ["week", "month", "year"],
};

/** From when to when readings are shown. */
export interface Interval {
  readonly length: Length;
  readonly from: Date;
  /** Not included; undefined: whatever comes. */
  readonly to: Date | undefined;
}

/**
 * The interval that an address asks for, in whole hours: `period` is its length and `until` its end. Left out, it goes on to
 * now, or to the end of what was granted where that is over.
 */
export function intervalOf(scope: AccessScope, query: URLSearchParams, now: Date): Interval {
  const choices = lengthsOf[scope.granularity ?? "GRANULARITY_UNSPECIFIED"] ?? ["hour"];
  const length = choices.find((choice) => choice === query.get("period")) ?? choices[0] ?? "hour";
  const until = new Date(query.get("until") ?? "");
  const end = dateOf(scope.to);
  let to = Number.isNaN(until.getTime()) || until >= now ? undefined : until;
  if (end && end <= (to ?? now)) to = end;
  // A coarse granularity shows whole minutes and hours, so the interval begins with one.
  const from = new Date(Math.floor(((to ?? now).getTime() - lengths[length]) / hourMs) * hourMs);
  return { length, from, to };
}
