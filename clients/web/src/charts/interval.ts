import type { Resolution } from "../api/readings_v1.js";

/** How fine a chart is: each reading, or the summary of so long a time. */
export type Step = "raw" | "second" | "minute" | "hour" | "day" | "week";

/** How long a step is; a day and a week where the clocks do not change. */
export const stepMs: Readonly<Record<Exclude<Step, "raw">, number>> = {
  second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000,
};

export const steps: readonly Step[] = ["raw", "second", "minute", "hour", "day", "week"];

export const resolutions: Readonly<Record<Step, Resolution>> = {
  raw: "RESOLUTION_RAW", second: "RESOLUTION_SECOND", minute: "RESOLUTION_MINUTE", hour: "RESOLUTION_HOUR",
  day: "RESOLUTION_DAY", week: "RESOLUTION_WEEK",
};

/** A time of some length: up to now, going on, or up to a moment. In milliseconds. */
export interface Interval {
  readonly spanMs: number;
  /** Left out, it goes on: its right edge is now. */
  readonly to?: number;
}

const leastSpanMs = 1_000;
/** Twenty years. */
const mostSpanMs = 20 * 365.25 * 86_400_000;
/** The most summaries that a chart has: as many as the server answers at once. */
const mostPoints = 20_000;

/** A span that charts have. */
export function spanWithin(spanMs: number): number {
  return Math.min(Math.max(Math.round(spanMs), leastSpanMs), mostSpanMs);
}

/**
 * The ends of an interval, the second not included.
 * @param parts in how many steps the right edge of one that goes on crosses it: so a chart does not slide with each reading.
 */
export function endsOf({ spanMs, to }: Interval, now: number, parts = 24): { readonly from: number; readonly to: number } {
  const edge = spanMs / parts;
  const end = to ?? (Math.floor(now / edge) + 1) * edge;
  return { from: end - spanMs, to: end };
}

/** The interval half its length earlier or later; whoever comes to now, or almost, goes on with it. */
export function moved(interval: Interval, direction: "earlier" | "later", now: number): Interval {
  const to = (interval.to ?? now) + (direction === "later" ? 0.5 : -0.5) * interval.spanMs;
  const isNow = to >= now - interval.spanMs / 10;
  return isNow ? { spanMs: interval.spanMs } : { spanMs: interval.spanMs, to };
}

/** The interval of another length around the same middle; one that goes on keeps its right edge. */
export function zoomed(interval: Interval, factor: number, now: number): Interval {
  const spanMs = spanWithin(interval.spanMs * factor);
  if (interval.to === undefined) return { spanMs };
  const to = interval.to - interval.spanMs / 2 + spanMs / 2;
  return to >= now ? { spanMs } : { spanMs, to };
}

/** The finest step of summaries that draws some hundred to some thousand points. */
export function usualStep(spanMs: number): Step {
  if (spanMs <= stepMs.hour) return "raw";
  if (spanMs <= 3 * stepMs.hour) return "second";
  if (spanMs <= 3 * stepMs.day) return "minute";
  if (spanMs <= 90 * stepMs.day) return "hour";
  return spanMs <= 1_100 * stepMs.day ? "day" : "week";
}

/** The steps that an interval can have, the finest first. */
export function possibleSteps(spanMs: number): readonly Step[] {
  return steps.filter((step) => step === "raw" || spanMs / stepMs[step] <= mostPoints);
}

/** The start of the step that a moment lies in: days and weeks by the clock of the browser, others by UTC. */
export function startOf(step: Step, time: number): number {
  if (step === "raw") return time;
  if (step !== "day" && step !== "week") return Math.floor(time / stepMs[step]) * stepMs[step];
  const day = new Date(time);
  day.setHours(0, 0, 0, 0);
  // Weeks begin on Monday.
  if (step === "week") day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day.getTime();
}

/** What an address says of an interval: `from` and `to` as moments, or the `last` so many seconds. */
export function intervalOf(query: URLSearchParams): Interval | undefined {
  const from = Date.parse(query.get("from") ?? ""), to = Date.parse(query.get("to") ?? "");
  if (from < to) {
    const spanMs = spanWithin(to - from);
    return { spanMs, to };
  }
  const last = Number(query.get("last"));
  return last > 0 ? { spanMs: spanWithin(last * 1000) } : undefined;
}

/** The same for an address. */
export function queryOf({ spanMs, to }: Interval): Record<string, string> {
  if (to === undefined) return { last: String(spanMs / 1000) };
  return { from: new Date(to - spanMs).toISOString(), to: new Date(to).toISOString() };
}
