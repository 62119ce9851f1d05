import { ReadingService } from "../../api/readings_v1.js";
import type { Reading } from "../../api/readings_v1.js";
import { usualGapMs } from "../../charts/points.js";
import type { ChartPoint, ChartSeries } from "../../charts/view.js";
import { toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { metricName } from "../../metrics/format.js";
import type { PageContext } from "../../shell/page.js";
import { microseconds, milliseconds } from "./history.js";
import type { Ends, History } from "./history.js";
import type { Kind } from "./kinds.js";
import { words } from "./words.js";

/** The most values that are drawn one by one, samples of waveforms too. */
const mostValues = 20_000;
/** Readings of one page: a waveform has many values. */
const pageSizes = { scalar: 10_000, position: 1_000, waveform: 20 } as const;

/** Every reading of an interval, or the newest of them. */
export class EveryReading implements History {
  cut: number | undefined;
  private readings = new Map<string, Reading>();

  constructor(
    private readonly context: Pick<PageContext, "client" | "locale" | "signal">, private readonly kind: Kind,
  ) {}

  async load({ from, to }: Ends): Promise<void> {
    const found = new Map<string, Reading>();
    let values = 0, pageToken = "";
    do {
      const page = await this.context.client.unary(ReadingService.listReadings, {
        metrics: this.names, fromUs: microseconds(from), toUs: microseconds(to), order: "READING_ORDER_NEWEST_FIRST",
        pageSize: pageSizes[this.kind.shape], pageToken,
      }, { signal: this.context.signal });
      for (const reading of page.readings ?? []) {
        found.set(key(reading), reading);
        values += reading.waveform?.samples?.length ?? 1;
      }
      pageToken = page.nextPageToken ?? "";
    } while (pageToken !== "" && values < mostValues);
    this.readings = found;
    this.cut = pageToken === "" ? undefined : found.size;
  }

  async take(readings: readonly Reading[], { from, to }: Ends): Promise<void> {
    const names = this.names;
    for (const reading of readings) if (names.includes(reading.metric ?? "")) this.readings.set(key(reading), reading);
    for (const [at, reading] of this.readings) if (!lies(reading, from, to)) this.readings.delete(at);
    // A page that is left open for long forgets the oldest.
    if (this.readings.size < 2 * mostValues) return;
    for (const reading of this.newestFirst().slice(mostValues)) this.readings.delete(key(reading));
    this.cut = this.readings.size;
  }

  get isEmpty(): boolean {
    return this.readings.size === 0;
  }

  /** The readings themselves, the newest first. */
  newestFirst(): Reading[] {
    return [...this.readings.values()].sort((one, other) => milliseconds(other.timeUs) - milliseconds(one.timeUs));
  }

  series(): ChartSeries[] {
    const t = translator(words, this.context.locale.language);
    const found: ChartSeries[] = [];
    for (const metric of this.kind.metrics) {
      const own = this.newestFirst().reverse().filter((reading) => reading.metric === metric.name);
      const sources = [...new Set(own.map(({ source }) => source ?? ""))].sort();
      const name = metricName(metric.name ?? "", metric, this.context.locale);
      for (const source of sources) {
        const of = own.filter((reading) => (reading.source ?? "") === source);
        // Of one source alone, nobody asks which.
        found.push({ name: sources.length > 1 && source !== "" ? t("ofSource", { name, source }) : name, ...lineOf(of) });
      }
      if (sources.length === 0) found.push({ name, points: [] });
    }
    return found;
  }

  private get names(): string[] {
    return this.kind.metrics.map(({ name }) => name ?? "");
  }
}

/** Of two readings with one key, the later one counts. */
function key(reading: Reading): string {
  return `${reading.timeUs}/${reading.metric}/${reading.source ?? ""}`;
}

/** Whether any of it lies in an interval: a waveform goes on behind its time. */
function lies(reading: Reading, from: number, to: number): boolean {
  const start = milliseconds(reading.timeUs);
  return start < to && start + lengthMs(reading) >= from;
}

/** How long a waveform is; 0 for others. */
export function lengthMs({ waveform }: Reading): number {
  const rate = toNumber(waveform?.rateHz);
  return waveform && rate > 0 ? ((waveform.samples?.length ?? 0) / rate) * 1000 : 0;
}

/** The points of readings of one source, the oldest first. */
function lineOf(readings: readonly Reading[]): { points: readonly ChartPoint[]; gapMs?: number } {
  const points: ChartPoint[] = [];
  let sampleMs: number | undefined;
  for (const reading of readings) {
    const start = milliseconds(reading.timeUs);
    const last = points[points.length - 1]?.time ?? -Infinity;
    if (!reading.waveform) {
      if (start > last) points.push({ time: start, value: toNumber(reading.scalar) });
      continue;
    }
    const distance = 1000 / toNumber(reading.waveform.rateHz);
    sampleMs = Math.max(sampleMs ?? 0, distance);
    for (const [index, sample] of (reading.waveform.samples ?? []).entries()) {
      const time = start + index * distance;
      if (time > last && Number.isFinite(toNumber(sample))) points.push({ time, value: toNumber(sample) });
    }
  }
  const gapMs = sampleMs === undefined ? usualGapMs(points) : sampleMs * 1.5;
  return gapMs === undefined ? { points } : { points, gapMs };
}
