import { ReadingService } from "../../api/readings_v1.js";
import type { Reading } from "../../api/readings_v1.js";
import { resolutions, startOf, stepMs } from "../../charts/interval.js";
import type { Step } from "../../charts/interval.js";
import { usualGapMs } from "../../charts/points.js";
import type { ChartPoint, ChartSeries } from "../../charts/view.js";
import { toNumber } from "../../json/scalars.js";
import { metricName } from "../../metrics/format.js";
import type { PageContext } from "../../shell/page.js";
import { microseconds, milliseconds } from "./history.js";
import type { Ends, History } from "./history.js";
import type { Kind } from "./kinds.js";

/** The readings of an interval, summed up by steps. A step in which something was committed is asked for anew. */
export class Summaries implements History {
  readonly cut = undefined;
  /** By metric, then by the start of the step. */
  private points = new Map<string, Map<number, ChartPoint>>();
  /** The oldest moment of which something has come since it was asked for. */
  private staleFrom = Infinity;

  constructor(
    private readonly context: Pick<PageContext, "client" | "locale" | "signal">, private readonly kind: Kind,
    private readonly step: Exclude<Step, "raw">,
  ) {}

  async load(ends: Ends): Promise<void> {
    const from = startOf(this.step, ends.from);
    const loaded = await Promise.all(this.kind.metrics.map(({ name }) => this.ask(name ?? "", from, ends.to)));
    this.points = new Map(loaded.map((points, index) => [this.kind.metrics[index]?.name ?? "", points]));
  }

  async take(readings: readonly Reading[], ends: Ends): Promise<void> {
    const names = this.kind.metrics.map(({ name }) => name);
    for (const { metric, timeUs } of readings) {
      const time = milliseconds(timeUs);
      if (names.includes(metric) && time < ends.to) this.staleFrom = Math.min(this.staleFrom, time);
    }
    if (this.staleFrom === Infinity) return;
    const start = startOf(this.step, ends.from);
    const from = Math.max(startOf(this.step, this.staleFrom), start);
    // Where this fails, the step is still stale, and asked for with the next frame.
    const fresh = await Promise.all(names.map((name) => this.ask(name ?? "", from, ends.to)));
    this.staleFrom = Infinity;
    for (const [index, points] of fresh.entries()) {
      const known = this.points.get(names[index] ?? "") ?? new Map<number, ChartPoint>();
      for (const time of known.keys()) if (time < start) known.delete(time);
      for (const [time, point] of points) known.set(time, point);
      this.points.set(names[index] ?? "", known);
    }
  }

  series(): ChartSeries[] {
    return this.kind.metrics.map((metric) => {
      const name = metric.name ?? "";
      const points = [...this.points.get(name)?.values() ?? []].sort((one, other) => one.time - other.time);
      const gapMs = Math.max(1.5 * stepMs[this.step], usualGapMs(points) ?? 0);
      return { name: metricName(name, metric, this.context.locale), points, gapMs };
    });
  }

  private async ask(metric: string, from: number, to: number): Promise<Map<number, ChartPoint>> {
    const found = new Map<number, ChartPoint>();
    let pageToken = "";
    do {
      const page = await this.context.client.unary(ReadingService.summarizeReadings, {
        metric, fromUs: microseconds(from), toUs: microseconds(to), resolution: resolutions[this.step],
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, pageToken,
      }, { signal: this.context.signal });
      for (const { startUs, mean, min, max, count } of page.summaries ?? []) {
        const time = milliseconds(startUs);
        found.set(time, {
          time, value: toNumber(mean), least: toNumber(min), most: toNumber(max), count: Number(count ?? 0),
        });
      }
      pageToken = page.nextPageToken ?? "";
    } while (pageToken !== "");
    return found;
  }
}
