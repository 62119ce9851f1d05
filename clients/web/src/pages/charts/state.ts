import type { Reading } from "../../api/readings_v1.js";
import { intervalOf, possibleSteps, queryOf, steps, usualStep } from "../../charts/interval.js";
import type { Interval, Step } from "../../charts/interval.js";
import { lengthMs } from "./every_reading.js";
import { milliseconds } from "./history.js";
import type { Kind } from "./kinds.js";

/** What the page shows: what its address says. */
export interface State {
  readonly kind: Kind;
  readonly interval: Interval;
  /** Left out, it is the usual one of the interval. */
  readonly step?: Step;
}

const usualSpanMs = { scalar: 86_400_000, position: 86_400_000, waveform: 10_000 } as const;

/** The state of an address; what it does not say, or says wrongly, is what most want to see. */
export function stateOf(query: URLSearchParams, kinds: readonly Kind[], newest: readonly Reading[], now: number): State {
  const kind = kinds.find(({ name }) => name === query.get("metric")) ?? usualKind(kinds, newest);
  const step = steps.find((one) => one === query.get("step"));
  const interval = intervalOf(query) ?? usualInterval(kind, newest, now);
  return { kind, interval, ...(step ? { step } : {}) };
}

/** The address of a state. */
export function addressOf({ kind, interval, step }: State): string {
  return `/charts?${new URLSearchParams({ metric: kind.name, ...queryOf(interval), ...(step ? { step } : {}) })}`;
}

/** Where what a state shows can be had as a file. */
export function exportAddress({ kind, interval }: State): string {
  const query = new URLSearchParams(kind.metrics.map(({ name }) => ["metric", name ?? ""]));
  if (interval.to !== undefined) for (const [name, value] of Object.entries(queryOf(interval))) query.set(name, value);
  return `/export?${query}`;
}

/** The step in which a state is drawn: only numbers are summed up, and not in more steps than can be drawn. */
export function stepOf({ kind, interval, step }: State): Step {
  if (kind.shape !== "scalar") return "raw";
  const wanted = step ?? usualStep(interval.spanMs);
  const possible = possibleSteps(interval.spanMs);
  return possible.includes(wanted) ? wanted : possible[1] ?? "raw";
}

/** Up to now, or up to the newest reading where that lies before. */
export function usualInterval(kind: Kind, newest: readonly Reading[], now: number): Interval {
  const spanMs = usualSpanMs[kind.shape];
  const last = newestOf(kind, newest);
  return last === undefined || last >= now - spanMs ? { spanMs } : upTo(last, spanMs, now);
}

/** An interval with a moment near its end. */
export function upTo(moment: number, spanMs: number, now: number): Interval {
  const to = moment + spanMs / 20;
  return to >= now ? { spanMs } : { spanMs, to };
}

/** When the newest reading of a kind was taken; of a waveform, its end. Undefined where there is none. */
export function newestOf(kind: Kind, newest: readonly Reading[]): number | undefined {
  const ends = newest.filter(({ metric }) => kind.metrics.some(({ name }) => name === metric))
    .map((reading) => milliseconds(reading.timeUs) + lengthMs(reading));
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** Heart rates where there are any, or else the first kind that there is something of. */
function usualKind(kinds: readonly Kind[], newest: readonly Reading[]): Kind {
  const known = kinds.filter((kind) => newestOf(kind, newest) !== undefined);
  const found = known.find(({ name }) => name === "heart_rate") ?? known[0] ?? kinds[0];
  if (!found) throw new Error("the registry has no kinds");
  return found;
}
