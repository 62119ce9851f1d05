import { ReadingService } from "../../api/readings_v1.js";
import type { Metric } from "../../api/readings_v1.js";
import { SosService } from "../../api/sos_v1.js";
import type { BacktestEpisode, BacktestThresholdsResponse, Threshold } from "../../api/sos_v1.js";
import { Chart } from "../../charts/chart.js";
import type { ChartLimit, ChartPeriod, ChartPoint } from "../../charts/view.js";
import { ConnectError } from "../../connect/errors.js";
import { crossingText } from "../../emergencies/format.js";
import { dateOfMicroseconds, toBigInt, toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { metricName, unitName } from "../../metrics/format.js";
import { momentField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Table } from "../../parts/table.js";
import { time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

const dayMs = 86_400_000;
/** A chart has no more points than these at a time: it then shows whole minutes or hours. */
const steps = [
  { resolution: "RESOLUTION_RAW", ms: 1000, mostMs: 7_200_000 },
  { resolution: "RESOLUTION_MINUTE", ms: 60_000, mostMs: 3 * dayMs },
  { resolution: "RESOLUTION_HOUR", ms: 3_600_000, mostMs: Infinity },
] as const;

/**
 * Tries limits on the person's own history, and draws when they would have called.
 * @param wanted the limits as they are entered; undefined where something is wrong with them, which is then said there.
 */
export function backtest(context: PageContext, metric: Metric, wanted: () => Threshold | undefined): Node[] {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const name = metric.name ?? "";
  const given = (key: string): Date | undefined => {
    const date = new Date(query.get(key) ?? "");
    return Number.isNaN(date.getTime()) ? undefined : date;
  };
  const now = Date.now();
  const end = (name: "from" | "to", label: string, usual: number): Field<Date> => momentField({
    name, label, value: given(name) ?? new Date(usual), refused: t("tryRefused"),
  }, locale);
  const from = end("from", t("tryFrom"), now - dayMs);
  // To the minute: so that the last minute is in it.
  const to = end("to", t("tryTo"), now + 60_000);
  const said = element("p", { class: "done", tabindex: "-1" });
  const shownName = metricName(name, metric, locale);
  const chart = new Chart({ id: "backtest", title: shownName, unit: unitName(metric.unit, locale) }, locale);
  chart.node.hidden = true;
  const table = new Table<BacktestEpisode>([
    {
      head: t("began"), cell: (episode) => time(
        dateOfMicroseconds(episode.crossings?.[0]?.beganUs), locale, { dateStyle: "medium", timeStyle: "medium" }),
    },
    {
      head: t("crossed"), isValue: true, cell: (episode) => element(
        "ul", { class: "plain" },
        ...(episode.crossings ?? []).map((crossing) => element("li", {}, crossingText(crossing, locale)))),
    },
  ], { caption: t("episodes") }, locale);
  table.node.hidden = true;

  const draw = (
    answer: BacktestThresholdsResponse, points: readonly ChartPoint[], threshold: Threshold, begin: number, end: number,
  ): void => {
    const episodes = answer.episodes ?? [];
    const number = new Intl.NumberFormat(locale.tag);
    const count = number.format(Number(toBigInt(answer.evaluatedReadings)));
    const sentences = [
      episodes.length === 0 ? t("triedNone", { count }) : t("triedSome", { count, episodes: number.format(episodes.length) }),
      ...(answer.isTruncated ? [t("truncated")] : []),
    ];
    said.textContent = sentences.join(" ");
    const limit = (key: "restLow" | "restHigh", value: number | undefined, beyond: "above" | "below"): ChartLimit[] => (
      value === undefined ? [] : [{ name: t(key), value, beyond }]);
    const { low, high } = threshold.rest ?? {};
    chart.draw({
      from: begin, to: end, series: points.length === 0 ? [] : [{ name: shownName, points }],
      limits: [
        ...limit("restLow", low === undefined ? undefined : toNumber(low), "below"),
        ...limit("restHigh", high === undefined ? undefined : toNumber(high), "above"),
      ],
      periods: episodes.map((episode) => period(episode, t("wouldCall"))),
    });
    chart.node.hidden = false;
    table.node.hidden = episodes.length === 0;
    table.draw(episodes);
    said.focus();
  };
  const form = new Form({
    fields: [from, to], submit: t("tryNow"), label: t("tryTitle"),
    async send() {
      const threshold = wanted();
      const [begin, end] = [from.value()?.getTime() ?? 0, to.value()?.getTime() ?? 0];
      if (!threshold) return;
      context.keep(`/sos/limits/${name}?from=${new Date(begin).toISOString()}&to=${new Date(end).toISOString()}`);
      // The limits first: what is wrong with the time is told by them.
      const answer = await client.unary(SosService.backtestThresholds, {
        thresholds: [threshold], from: new Date(begin).toISOString(), to: new Date(end).toISOString(),
      }, { signal });
      const points = await history(context, name, begin, end);
      if (!signal.aborted) draw(answer, points, threshold, begin, Math.min(end, Date.now()));
    },
    problems: (failure) => (failure instanceof ConnectError && failure.is("TOO_BUSY")
      ? { fields: {}, whole: t("tooBusy") } : undefined),
  }, locale, signal);
  return [
    element("h2", {}, t("tryTitle")), element("p", {}, t("tryWhat")), element("div", { class: "narrow" }, form.node),
    said, chart.node, table.node,
  ];
}

/** From the first value beyond a limit until the call. */
function period(episode: BacktestEpisode, name: string): ChartPeriod {
  const crossings = episode.crossings ?? [];
  const [first, last] = [crossings[0], crossings[crossings.length - 1]];
  const from = dateOfMicroseconds(first?.beganUs).getTime();
  return { name, from, to: Math.max(dateOfMicroseconds(last?.completedUs).getTime(), from + 1000) };
}

/** The person's readings of one kind, as fine as a chart can show. */
async function history(context: PageContext, metric: string, from: number, to: number): Promise<ChartPoint[]> {
  const { client, signal } = context;
  const step = steps.find(({ mostMs }) => to - from <= mostMs) ?? steps[2];
  const points: ChartPoint[] = [];
  let pageToken = "";
  do {
    const page = await client.unary(ReadingService.summarizeReadings, {
      metric, fromUs: `${from}000`, toUs: `${to}000`, resolution: step.resolution, pageToken,
    }, { signal });
    for (const { startUs, mean, min, max, count } of page.summaries ?? []) {
      const at = dateOfMicroseconds(startUs).getTime();
      // Two sources may have read at one moment.
      if (points[points.length - 1]?.time === at) continue;
      const sum = step.resolution === "RESOLUTION_RAW" ? {}
        : { least: toNumber(min), most: toNumber(max), count: Number(toBigInt(count)) };
      points.push({ time: at, value: toNumber(mean), ...sum });
    }
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return points;
}
