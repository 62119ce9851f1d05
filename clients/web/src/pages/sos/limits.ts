import { ReadingService } from "../../api/readings_v1.js";
import type { Metric } from "../../api/readings_v1.js";
import { SosService } from "../../api/sos_v1.js";
import type { Limits, Threshold } from "../../api/sos_v1.js";
import { toNumber } from "../../json/scalars.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { metricName, valueText } from "../../metrics/format.js";
import { Table } from "../../parts/table.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { sosNavigation } from "./navigation.js";
import { words } from "./words.js";

/** The limits that hold for the person, and a way to each of them. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const [registry, held] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }), client.unary(SosService.listThresholds, {}, { signal }),
  ]);
  const metrics = registry.metrics ?? [];
  const thresholds = held.thresholds ?? [];
  const metricOf = (threshold: Threshold): Metric | undefined => metrics.find(({ name }) => name === threshold.metric);
  const table = new Table<Threshold>([
    { head: t("kind"), cell: (threshold) => metricName(threshold.metric ?? "", metricOf(threshold), locale) },
    { head: t("rest"), isValue: true, cell: (threshold) => limitsText(threshold.rest, metricOf(threshold), locale) },
    { head: t("exertion"), isValue: true, cell: (threshold) => limitsText(threshold.exertion, metricOf(threshold), locale) },
    { head: t("whose"), cell: (threshold) => t(threshold.isDefault ? "byDefault" : "own") },
    {
      head: t("action"), cell(threshold) {
        const metric = metricName(threshold.metric ?? "", metricOf(threshold), locale);
        return element("a", {
          class: "target", href: `/sos/limits/${threshold.metric ?? ""}`, "aria-label": t("changeNamed", { metric }),
        }, t("change"));
      },
    },
  ], { caption: t("limitsCaption") }, locale);
  table.draw(thresholds);
  const others = metrics.filter(({ kind, name }) => (
    kind === "METRIC_KIND_SCALAR" && !thresholds.some((threshold) => threshold.metric === name)));
  return {
    title: t("limits"),
    content: [
      sosNavigation("/sos/limits", locale.language), element("p", {}, t("limitsWhat")), table.node,
      element("p", {}, held.scoreLimit ? t("scoreLimit", { score: String(held.scoreLimit) }) : t("noScore")),
      ...(others.length === 0 ? [] : [
        element("h2", {}, t("others")),
        element("ul", { class: "links" }, ...others.map((metric) => element(
          "li", {}, element("a", { href: `/sos/limits/${metric.name ?? ""}` }, metricName(metric.name ?? "", metric, locale))))),
      ]),
    ],
  };
}

/** "below 41, from 131 per minute". */
export function limitsText(limits: Limits | undefined, metric: Metric | undefined, locale: Locale): string {
  const t = translator(words, locale.language);
  const value = (number: Limits["low"]): string => valueText({ scalar: toNumber(number) }, metric, locale);
  const parts = [
    ...(limits?.low === undefined ? [] : [t("below", { value: value(limits.low) })]),
    ...(limits?.high === undefined ? [] : [t("from_", { value: value(limits.high) })]),
  ];
  return parts.length > 0 ? parts.join(", ") : t("noLimits");
}
