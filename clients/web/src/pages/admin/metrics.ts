import { AdminService } from "../../api/admin_v1.js";
import { ReadingService } from "../../api/readings_v1.js";
import type { Metric, MetricKind } from "../../api/readings_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { DoneLine } from "../../parts/done.js";
import { choiceField, numberField, switchField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Table } from "../../parts/table.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { words } from "./words.js";

const kinds = ["METRIC_KIND_SCALAR", "METRIC_KIND_POSITION", "METRIC_KIND_WAVEFORM"] as const;

/** The registry of kinds of readings; the one to change is named in `metric`. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const number = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 6 });
  let metrics = (await client.unary(ReadingService.listMetrics, {}, { signal })).metrics ?? [];
  const kindText = (kind: MetricKind | undefined): string => (kind && kind in words ? t(kind as keyof typeof words) : "");
  const table = new Table<Metric>([
    { head: t("metricName"), cell: (metric) => metric.name ?? "" },
    { head: t("displayName"), cell: (metric) => metric.displayName ?? "" },
    { head: t("metricKind"), cell: (metric) => kindText(metric.kind) },
    { head: t("unit"), cell: (metric) => metric.unit ?? "" },
    {
      head: t("range"), isValue: true,
      cell: (metric) => `${number.format(toNumber(metric.minimum))} – ${number.format(toNumber(metric.maximum))}`,
    },
    {
      head: t("action"), cell: (metric) => element("a", {
        class: "target", href: `/admin/metrics?metric=${metric.name ?? ""}`,
        "aria-label": t("changeNamed", { name: metric.name ?? "" }),
      }, t("changeMetric")),
    },
  ], { caption: t("metricsCaption") }, locale);
  table.draw(metrics);

  const known = metrics.find((metric) => metric.name === query.get("metric"));
  const api = (name: string): readonly string[] => [`metric.${name}`];
  const name = textField({
    name: "name", label: t("metricName"), maxLength: 63, autocomplete: "off", refused: t("metricNameRefused"),
    hint: t("metricNameRefused"), value: known?.name ?? "", api: api("name"),
  }, locale);
  const displayName = textField({
    name: "display_name", label: t("displayName"), maxLength: 100, autocomplete: "off", value: known?.displayName ?? "",
    api: api("display_name"),
  }, locale);
  const kind = choiceField<typeof kinds[number]>({
    name: "kind", label: t("metricKind"), choices: kinds.map((value) => ({ value, label: t(value) })),
    value: kinds.find((value) => value === known?.kind) ?? "METRIC_KIND_SCALAR", refused: t("metricFixed"), api: api("kind"),
  }, locale);
  const unit = textField({
    name: "unit", label: t("unit"), hint: t("unitHint"), maxLength: 40, autocomplete: "off", value: known?.unit ?? "",
    refused: known ? t("metricFixed") : t("unitHint"), api: api("unit"),
  }, locale);
  const loinc = textField({
    name: "loinc_code", label: t("loinc"), maxLength: 20, autocomplete: "off", optional: true,
    value: known?.loincCode ?? "", api: api("loinc_code"),
  }, locale);
  const bound = (field: "minimum" | "maximum", refused?: string) => numberField({
    name: field, label: t(field), api: api(field), ...(known ? { value: toNumber(known[field]) } : {}),
    ...(refused ? { refused } : {}),
  }, locale);
  const minimum = bound("minimum");
  const maximum = bound("maximum", t("maximumRefused"));
  const zero = switchField({
    name: "zero_is_no_value", label: t("zeroIsNoValue"), hint: t("zeroIsNoValueHint"), value: known?.zeroIsNoValue ?? false,
    api: api("zero_is_no_value"),
  });
  const done = new DoneLine(context);
  const form = new Form({
    fields: [name, displayName, kind, unit, loinc, minimum, maximum, zero], submit: t("save"), label: t("putMetric"),
    async send() {
      done.show("");
      const wanted: Metric = {
        name: name.value() ?? "", displayName: displayName.value() ?? "", kind: kind.value() ?? "METRIC_KIND_UNSPECIFIED",
        unit: unit.value() ?? "", loincCode: loinc.value() ?? "", minimum: minimum.value() ?? 0, maximum: maximum.value() ?? 0,
        zeroIsNoValue: zero.value() ?? false,
      };
      const { metric } = await client.unary(AdminService.putMetric, { metric: wanted }, { signal });
      const put = metric ?? wanted;
      metrics = metrics.some((other) => other.name === put.name)
        ? metrics.map((other) => (other.name === put.name ? put : other)) : [...metrics, put];
      table.draw(metrics);
      done.show(t("metricSaved", { name: put.displayName ?? "" }));
    },
    problems: (failure) => (failure instanceof ConnectError && failure.violations.has("metric.unit") && failure.violations.size === 1
      && /registered/.test(failure.violations.get("metric.unit") ?? "") ? { fields: { [unit.name]: t("metricFixed") } } : undefined),
  }, locale, signal);
  return {
    title: t("metrics"),
    content: [
      adminNavigation("/admin/metrics", locale.language), element("p", {}, t("metricsWhat")), table.node,
      element("h2", {}, t("putMetric")), element("div", { class: "narrow" }, form.node, done.node),
    ],
  };
}
