import { ReadingService } from "../../api/readings_v1.js";
import type { Reading, WatchReadingsRequest, WatchReadingsResponse } from "../../api/readings_v1.js";
import { Chart } from "../../charts/chart.js";
import { endsOf, startOf } from "../../charts/interval.js";
import { LongTable } from "../../charts/long_table.js";
import { pointMoment, precisionOf } from "../../charts/ticks.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import { live } from "../../parts/live.js";
import { momentText } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { Controls } from "./controls.js";
import { EveryReading } from "./every_reading.js";
import type { Ends, History } from "./history.js";
import { kindsOf } from "./kinds.js";
import type { Kind } from "./kinds.js";
import { addressOf, exportAddress, newestOf, stateOf, stepOf, upTo, usualInterval } from "./state.js";
import type { State } from "./state.js";
import { Summaries } from "./summaries.js";
import { columnsOf } from "./tables.js";
import { words } from "./words.js";

/** Between two looks at the clock, where the right edge is now. */
const leastEdgeMs = 1_000;
const mostEdgeMs = 60_000;

/** Own readings as charts and tables, by kind and interval, live at the right edge. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const [registry, status] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }),
    client.unary(ReadingService.getCurrentStatus, {}, { signal }),
  ]);
  const newest = status.readings ?? [];
  const kinds = kindsOf(registry.metrics ?? [], locale);
  const shown = new Charts(context, kinds, newest, stateOf(context.query, kinds, newest, Date.now()));
  await shown.begin();
  return { title: translator(words, locale.language)("title"), content: [shown.node] };
}

class Charts {
  readonly node: HTMLElement;
  private readonly t;
  private readonly controls: Controls;
  private readonly state = element("div");
  private readonly ends = element("p", { class: "ends" });
  private readonly note = element("p", { class: "note" });
  private readonly problem = element("p", { class: "problem", role: "alert" });
  private readonly toNewest = element("button", { type: "button" });
  private readonly place = element("div");
  private readonly exportLink = element("a");
  /** Ends what the interval that is shown has begun. */
  private shown = new AbortController();
  private history: History;
  private chart: Chart | undefined;
  private table: LongTable<Reading> | undefined;
  /** Of what changes the history, each waits for the one before. */
  private queue: Promise<void> = Promise.resolve();
  private readonly isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;

  constructor(
    private readonly context: PageContext, kinds: readonly Kind[], private readonly newest: readonly Reading[],
    private chosen: State,
  ) {
    const { locale, signal } = context;
    this.t = translator(words, locale.language);
    this.controls = new Controls(kinds, chosen, {
      choose: (state) => void this.choose(state),
      chooseKind: (kind) => void this.choose({ kind, interval: usualInterval(kind, newest, Date.now()) }),
    }, locale, signal);
    this.toNewest.addEventListener("click", () => {
      const { kind, interval } = this.chosen;
      const last = newestOf(kind, newest);
      if (last !== undefined) void this.choose({ ...this.chosen, interval: upTo(last, interval.spanMs, Date.now()) });
    });
    this.node = element(
      "div", {}, this.controls.node, this.problem, this.state, this.ends, this.note, this.toNewest, this.place,
      element("p", {}, this.exportLink));
    this.exportLink.textContent = this.t("exportIt");
    this.history = this.historyOf(chosen);
    signal.addEventListener("abort", () => this.shown.abort());
  }

  /** @throws ConnectError where nothing can be shown at all. */
  async begin(): Promise<void> {
    this.prepare();
    await this.history.load(this.endsNow());
    this.draw();
    this.follow();
  }

  private async choose(state: State): Promise<void> {
    this.shown.abort();
    const shown = this.shown = new AbortController();
    const isOtherKind = state.kind !== this.chosen.kind;
    this.chosen = state;
    this.controls.set(state);
    this.problem.textContent = "";
    this.context.keep(addressOf(state));
    const history = this.historyOf(state);
    this.place.setAttribute("aria-busy", "true");
    try {
      await history.load(this.endsNow());
    } catch (failure) {
      if (shown.signal.aborted || this.context.signal.aborted) return;
      this.problem.textContent = describeError(failure, this.context.locale.language);
      return;
    } finally {
      if (this.shown === shown) this.place.removeAttribute("aria-busy");
    }
    if (shown.signal.aborted || this.context.signal.aborted) return;
    this.history = history;
    if (isOtherKind) this.prepare();
    this.draw();
    this.context.announce(`${state.kind.label}: ${this.ends.textContent}`);
    this.follow();
  }

  private historyOf(state: State): History {
    const step = stepOf(state);
    return step === "raw" ? new EveryReading(this.context, state.kind) : new Summaries(this.context, state.kind, step);
  }

  private endsNow(): Ends {
    return endsOf(this.chosen.interval, Date.now(), this.isCalm ? 12 : 48);
  }

  /** Makes what the kind is shown by. */
  private prepare(): void {
    const { kind } = this.chosen;
    const { locale } = this.context;
    this.chart = this.table = undefined;
    if (kind.shape !== "scalar") {
      const caption = this.t("tableOf", { name: kind.label });
      this.table = new LongTable(columnsOf(kind, locale), { caption, none: this.t("none") }, locale);
    }
    if (kind.shape !== "position") {
      this.chart = new Chart({
        id: "chart", title: kind.label, unit: kind.unit, ...(this.table ? { table: this.table.node } : {}),
      }, locale);
    }
    const node = this.chart?.node ?? this.table?.node;
    this.place.replaceChildren(...(node ? [node] : []));
  }

  private draw(): void {
    const { kind, interval } = this.chosen;
    const { locale } = this.context;
    const { from, to } = this.endsNow();
    const view = { from: startOf(stepOf(this.chosen), from), to, series: this.history.series() };
    this.chart?.draw(view);
    if (this.history instanceof EveryReading) this.table?.draw(this.history.newestFirst());
    const precision = precisionOf([view.from, to], to - from);
    const moment = (time: number): string => pointMoment(time, precision, locale);
    this.ends.textContent = this.t("ends", { from: moment(view.from), to: moment(view.to) });
    const { cut } = this.history;
    this.note.textContent = cut === undefined ? "" : this.t("cut", { count: new Intl.NumberFormat(locale.tag).format(cut) });
    const isEmpty = this.history instanceof EveryReading && this.history.isEmpty
      || view.series.every(({ points }) => points.length === 0) && kind.shape === "scalar";
    const last = newestOf(kind, this.newest);
    this.toNewest.hidden = !isEmpty || last === undefined;
    if (last !== undefined) this.toNewest.textContent = this.t("newest", { moment: momentText(new Date(last), locale) });
    this.exportLink.href = exportAddress(this.chosen);
    if (interval.to !== undefined) this.state.replaceChildren(element("p", { class: "freshness" }, this.t("still")));
  }

  /** Goes on with the stream of readings, where the interval does. */
  private follow(): void {
    const { kind, interval } = this.chosen;
    const { signal } = this.shown;
    if (interval.to !== undefined || signal.aborted) return;
    const metrics = kind.metrics.map(({ name }) => name ?? "");
    const change = (by: (ends: Ends) => Promise<void>): Promise<void> => {
      const done = this.queue.then(async () => {
        if (signal.aborted) return;
        await by(this.endsNow());
        if (!signal.aborted) this.draw();
      });
      // Whatever has become of it, the next one has its turn.
      this.queue = done.catch(() => {});
      return done;
    };
    const { history } = this;
    const state = live<WatchReadingsRequest, WatchReadingsResponse>({ ...this.context, signal }, {
      method: ReadingService.watchReadings,
      request: (cursor) => (cursor === undefined ? { metrics } : { metrics, cursor }),
      cursor: (frame) => frame.cursor,
    }, {
      message: (frame) => change((ends) => history.take(frame.readings ?? [], ends)),
      catchUp: () => change((ends) => history.load(ends)),
    });
    this.state.replaceChildren(state);
    const edgeMs = Math.min(Math.max(interval.spanMs / 48, leastEdgeMs), mostEdgeMs);
    let cancel = (): void => {};
    const moveOn = (): void => {
      cancel = this.context.surroundings.timer(edgeMs, () => {
        // The line of the stream says where the server is away.
        change((ends) => history.take([], ends)).catch(() => {});
        moveOn();
      });
    };
    moveOn();
    signal.addEventListener("abort", () => cancel());
  }
}
