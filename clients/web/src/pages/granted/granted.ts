import { ReadingService } from "../../api/readings_v1.js";
import type { Metric, Reading } from "../../api/readings_v1.js";
import { AccessService, SubscriptionService } from "../../api/sharing_v1.js";
import type { AccessRequest, Subscription } from "../../api/sharing_v1.js";
import { Chart } from "../../charts/chart.js";
import { LongTable } from "../../charts/long_table.js";
import { usualGapMs } from "../../charts/points.js";
import type { ChartSeries } from "../../charts/view.js";
import { downloadAddress } from "../../connect/download.js";
import { ConnectError } from "../../connect/errors.js";
import { describeError } from "../../errors/describe.js";
import { dateOfMicroseconds, toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { metricName, unitName, valueText } from "../../metrics/format.js";
import { addressOf, choices } from "../../parts/choices.js";
import { facts } from "../../parts/facts.js";
import { numberIn } from "../../parts/number.js";
import { momentText, time } from "../../parts/time.js";
import { granularityText, stateText } from "../../sharing/describe.js";
import { Guarded } from "../../sharing/guarded.js";
import { subscriptionsOf } from "../../sharing/subscription.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { intervalOf, lengths, lengthsOf } from "./interval.js";
import { most, Rows } from "./rows.js";
import { followGrant, followReadings } from "./standing.js";
import type { StandingListener } from "./standing.js";
import { words } from "./words.js";

/** So many sources of one kind have a line each in the chart; the table has all. */
const mostLines = 4;
/** What comes within so long is drawn together. */
const drawMs = 200;

/**
 * The readings of one grant: those of a kind and an interval, and new ones as they are produced where there is a
 * subscription to them. When the grant ends nothing of them stays on screen.
 */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const number = numberIn(context.parameters["accessRequestId"]);
  const [registry, { accessRequest: request = {} }] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }),
    client.unary(AccessService.getAccessRequest, { accessRequestId: number }, { signal }),
  ]);
  const title = t("title", { number });
  const way = element("p", {}, element("a", { href: `/asked/${number}` }, t("request")));
  if (request.state !== "ACCESS_STATE_ACCEPTED") {
    const said = facts([[t("state"), stateText(request.state, locale)], [t("purpose"), request.purpose]]);
    return { title, content: [element("p", {}, t("notGranted")), said, way] };
  }
  const metrics = registry.metrics ?? [];
  const names = request.scope?.metrics ?? [];
  const metric = names.find((name) => name === context.query.get("metric")) ?? names[0] ?? "";
  const subscription = await subscriptionTo(context, number, metric);
  const view = new View(context, request, metrics, metric);
  const { state, guarded } = view.follow(subscription);
  const content = [
    facts([[t("purpose"), request.purpose], [t("granularity"), granularityText(request.scope?.granularity, locale)]]), way,
    view.ways(), state, ...(subscription ? [] : [view.wayToFollow()]), guarded,
  ];
  return { title, content };
}

/** A subscription to readings of this kind as they are produced, if there is one. */
async function subscriptionTo(
  context: PageContext, accessRequestId: string, metric: string,
): Promise<Subscription | undefined> {
  for await (const one of subscriptionsOf(context, true)) {
    const isLive = one.accessRequestId === accessRequestId && one.cadence === "CADENCE_AS_PRODUCED";
    if (isLive && one.metrics?.includes(metric)) return one;
  }
  return undefined;
}

class View {
  private readonly interval;
  private readonly rows: Rows;
  private readonly table: LongTable<Reading>;
  /** Where readings are numbers. */
  private readonly chart: Chart | undefined;
  private readonly said = element("p", { class: "hint" });
  private cancelDraw: (() => void) | undefined;
  /** How far the readings from before the page was opened are here. */
  private history: "none" | "loading" | "here" | "failed" = "none";
  private failure = "";
  /** Ends the stream and what is being loaded. */
  private readonly end = new AbortController();
  private readonly number: string;

  constructor(
    private readonly context: PageContext, private readonly request: AccessRequest, private readonly metrics: readonly Metric[],
    private readonly metric: string,
  ) {
    const { locale, signal } = context;
    const t = translator(words, locale.language);
    this.number = request.accessRequestId ?? "";
    this.interval = intervalOf(request.scope ?? {}, context.query, new Date());
    this.rows = new Rows(metric, this.interval);
    const known = metrics.find(({ name }) => name === metric);
    const how = { dateStyle: "medium", timeStyle: "medium" } as const;
    const name = metricName(metric, known, locale);
    this.table = new LongTable<Reading>([
      { head: t("time"), cell: (reading) => time(dateOfMicroseconds(reading.timeUs), locale, how) },
      { head: t("value"), isValue: true, cell: (reading) => valueText(reading, known, locale) },
      { head: t("source"), cell: ({ source }) => source || "–" },
    ], { caption: t("caption", { metric: name }), none: t("none") }, locale);
    if (known?.kind === "METRIC_KIND_SCALAR") {
      this.chart = new Chart(
        { id: "chart", title: name, unit: unitName(known.unit, locale), table: this.table.node }, locale);
    }
    signal.addEventListener("abort", () => this.stop());
    if (signal.aborted) this.stop();
  }

  /** Links to other kinds and times. */
  ways(): HTMLElement {
    const { locale, query } = this.context;
    const t = translator(words, locale.language);
    const path = `/granted/${this.number}`;
    const name = (metric: string): string => metricName(metric, this.metrics.find((known) => known.name === metric), locale);
    const kinds = choices(t("metric"), (this.request.scope?.metrics ?? []).map((metric) => (
      { label: name(metric), query: { metric } })), path, this.shown(query));
    const choosable = lengthsOf[this.request.scope?.granularity ?? "GRANULARITY_UNSPECIFIED"] ?? [];
    const intervals = choices(t("interval"), choosable.map((length) => (
      { label: t(length), query: { period: length } })), path, this.shown(query));
    const span = lengths[this.interval.length];
    const until = (ms: number): string => addressOf(path, query, { until: new Date(ms).toISOString() });
    const end = (this.interval.to ?? new Date()).getTime();
    const links = [element("a", { href: until(this.interval.from.getTime()) }, t("earlier"))];
    if (this.interval.to) {
      links.push(
        element("a", { href: until(end + span) }, t("later")),
        element("a", { href: addressOf(path, query, { until: undefined }) }, t("now")));
    }
    const move = element("nav", { class: "choices", "aria-label": t("move") }, element(
      "ul", {}, element("li", {}, this.intervalText()), ...links.map((link) => element("li", {}, link))));
    return element("div", {}, kinds, intervals, move);
  }

  /** The query as it is shown, with what was left out. */
  private shown(query: URLSearchParams): URLSearchParams {
    const shown = new URLSearchParams(query);
    shown.set("metric", this.metric);
    shown.set("period", this.interval.length);
    return shown;
  }

  private intervalText(): string {
    const { locale } = this.context;
    const to = this.interval.to ? momentText(this.interval.to, locale) : translator(words, locale.language)("present");
    return `${momentText(this.interval.from, locale)} – ${to}`;
  }

  follow(subscription: Subscription | undefined): { readonly state: HTMLElement; readonly guarded: HTMLElement } {
    const t = translator(words, this.context.locale.language);
    const guarded = new Guarded(
      element("div", {}, this.said, this.shownReadings, ...this.downloads()), this.context.locale);
    const state = element("div");
    const listener: StandingListener = {
      stands: (readings) => {
        if (readings.length > 0) this.take(readings);
        if (this.history === "none") void this.load(() => listener.ended(true));
      },
      freshness: (freshness) => {
        guarded.freshness(freshness);
        // Only the grant is followed then, and nothing new appears.
        if (!subscription) state.hidden = freshness === "live";
      },
      ended: (isOver) => {
        if (this.end.signal.aborted) return;
        this.stop();
        guarded.end(element("p", {}, t(isOver ? "over" : "broken")));
        state.remove();
        this.context.announce(t(isOver ? "over" : "broken"));
      },
    };
    const context = { ...this.context, signal: this.end.signal };
    const line = subscription
      ? followReadings(context, subscription, this.metrics, listener)
      : followGrant(context, this.number, listener);
    state.append(line);
    this.draw();
    return { state, guarded: guarded.node };
  }

  private get shownReadings(): HTMLElement {
    return this.chart?.node ?? this.table.node;
  }

  /** Links to files of what is shown, and of all that was granted. */
  private downloads(): HTMLElement[] {
    const t = translator(words, this.context.locale.language);
    const { from, to } = this.interval;
    const shown = { metrics: [this.metric], fromUs: microseconds(from), ...(to ? { toUs: microseconds(to) } : {}) };
    const link = (
      text: string, format: "EXPORT_FORMAT_READINGS" | "EXPORT_FORMAT_FHIR_R4_NDJSON", rest: Partial<typeof shown>,
    ): HTMLElement => element("li", {}, element("a", {
      href: downloadAddress(ReadingService.exportReadings, { accessRequestId: this.number, format, ...rest }), download: "",
    }, text));
    const links = [link(t("shownCSV"), "EXPORT_FORMAT_READINGS", shown), link(t("allCSV"), "EXPORT_FORMAT_READINGS", {})];
    // FHIR has no positions.
    const kinds = this.request.scope?.metrics?.map((name) => this.metrics.find((metric) => metric.name === name)?.kind);
    if (kinds?.some((kind) => kind !== "METRIC_KIND_POSITION")) {
      links.push(link(t("allFHIR"), "EXPORT_FORMAT_FHIR_R4_NDJSON", {}));
    }
    return [element("h2", {}, t("downloads")), element("ul", {}, ...links)];
  }

  /** A line for each source, oldest first. */
  private lines(): ChartSeries[] {
    const t = translator(words, this.context.locale.language);
    const sources = new Map<string, Array<{ time: number; value: number }>>();
    const rows = this.rows.newestFirst();
    for (let index = rows.length - 1; index >= 0; index--) {
      const reading = rows[index] as Reading;
      const source = reading.source ?? "";
      const points = sources.get(source) ?? [];
      points.push({ time: dateOfMicroseconds(reading.timeUs).getTime(), value: toNumber(reading.scalar) });
      sources.set(source, points);
    }
    return [...sources].slice(0, mostLines).map(([source, points]) => {
      const gapMs = usualGapMs(points);
      return { name: source || t("readings"), points, ...(gapMs === undefined ? {} : { gapMs }) };
    });
  }

  /** A button that subscribes to the readings as they are produced, and then shows them so. */
  wayToFollow(): HTMLElement {
    const { client, locale, signal } = this.context;
    const t = translator(words, locale.language);
    const button = element("button", { type: "button" }, t("follow"));
    const problem = element("p", { class: "problem", role: "alert" });
    const requestId = crypto.randomUUID();
    button.addEventListener("click", () => {
      if (button.disabled) return;
      button.disabled = true;
      client.unary(SubscriptionService.createSubscription, {
        requestId, accessRequestId: this.number, cadence: "CADENCE_AS_PRODUCED",
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }, { signal }).then(
        () => this.context.go(location.pathname + location.search),
        (failure: unknown) => {
          if (signal.aborted) return;
          const isFull = failure instanceof ConnectError && failure.is("TOO_MANY_SUBSCRIPTIONS");
          problem.textContent = isFull ? t("tooMany") : describeError(failure, locale.language);
          button.disabled = false;
        });
    });
    return element("div", { class: "buttons" }, element("span", {}, t("notLive")), button, problem);
  }

  /** Reads what was there before, under the stream that has begun: between the two is no gap. */
  private async load(over: () => void): Promise<void> {
    const { client } = this.context;
    this.history = "loading";
    this.draw();
    try {
      const parts = client.stream(ReadingService.exportReadings, {
        accessRequestId: this.number, metrics: [this.metric], fromUs: microseconds(this.interval.from),
        ...(this.interval.to ? { toUs: microseconds(this.interval.to) } : {}),
      }, { signal: this.end.signal });
      for await (const part of parts) this.take(part.readings ?? []);
      this.history = "here";
    } catch (failure) {
      if (this.end.signal.aborted) return;
      if (failure instanceof ConnectError && failure.is("ACCESS_ENDED")) return over();
      // What may pass is tried again with the next frame.
      this.history = failure instanceof ConnectError && failure.isPassing ? "none" : "failed";
      this.failure = describeError(failure, this.context.locale.language);
    }
    this.draw();
  }

  private take(readings: readonly Reading[]): void {
    if (this.end.signal.aborted) return;
    this.rows.put(readings);
    this.cancelDraw ??= this.context.surroundings.timer(drawMs, () => this.draw());
  }

  private draw(): void {
    this.cancelDraw?.();
    this.cancelDraw = undefined;
    if (this.end.signal.aborted) return;
    const { locale } = this.context;
    const t = translator(words, locale.language);
    const rows = this.rows.newestFirst();
    const format = (count: number): string => new Intl.NumberFormat(locale.tag).format(count);
    const isWaiting = this.history === "none" || this.history === "loading";
    this.said.textContent = [
      isWaiting ? t("loading") : t("count", { count: format(rows.length) }),
      ...(this.history === "failed" ? [t("failed"), this.failure] : []),
      ...(this.rows.isCut ? [t("cut", { count: format(most) })] : []),
    ].join(" ");
    this.shownReadings.hidden = isWaiting && rows.length === 0;
    this.table.draw(rows);
    const { from, to } = this.interval;
    this.chart?.draw({ from: from.getTime(), to: (to ?? new Date()).getTime(), series: this.lines() });
  }

  /** Ends everything, and lets go of the readings. */
  private stop(): void {
    this.end.abort();
    this.cancelDraw?.();
    this.rows.clear();
    this.table.draw([]);
    this.chart?.draw({ from: 0, to: 1, series: [] });
  }
}

function microseconds(moment: Date): string {
  return `${moment.getTime()}000`;
}
