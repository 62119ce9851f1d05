import { ReadingService } from "../../api/readings_v1.js";
import type { ExportFormat, ExportReadingsRequest } from "../../api/readings_v1.js";
import { intervalOf } from "../../charts/interval.js";
import { downloadAddress } from "../../connect/download.js";
import { translator } from "../../language/words.js";
import { metricName } from "../../metrics/format.js";
import { momentField, setField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** Own readings as a file. `metric`, any number of them, `from` and `to` in the address say what is chosen at first. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, query, signal } = context;
  const t = translator(words, locale.language);
  const registry = (await client.unary(ReadingService.listMetrics, {}, { signal })).metrics ?? [];
  const positions = registry.flatMap(({ name, kind }) => (kind === "METRIC_KIND_POSITION" ? [name ?? ""] : []));
  const interval = intervalOf(query);

  const kinds = setField({
    name: "metrics", label: t("kinds"), hint: t("kindsHint"), optional: true, value: query.getAll("metric"),
    choices: registry.map((metric) => ({ value: metric.name ?? "", label: metricName(metric.name ?? "", metric, locale) })),
  }, locale);
  const from = momentField({
    name: "from", label: t("from"), hint: t("fromHint"), optional: true,
    ...(interval?.to === undefined ? {} : { value: new Date(interval.to - interval.spanMs) }),
  }, locale);
  const to = momentField({
    name: "to", label: t("to"), hint: t("toHint"), optional: true,
    ...(interval?.to === undefined ? {} : { value: new Date(interval.to) }),
  }, locale);
  const format = setField<ExportFormat>({
    name: "format", label: t("format"), isOne: true, value: ["EXPORT_FORMAT_READINGS"],
    choices: [
      { value: "EXPORT_FORMAT_READINGS", label: t("csv") }, { value: "EXPORT_FORMAT_FHIR_R4_NDJSON", label: t("fhir") },
    ],
  }, locale);

  const begun = element("p", { role: "status" });
  const form: Form = new Form({
    fields: [kinds, from, to, format], submit: t("submit"),
    content: [kinds.node, element("div", { class: "side-by-side" }, from.node, to.node), format.node],
    async send() {
      begun.textContent = "";
      const metrics = kinds.value() ?? [], first = from.value(), end = to.value();
      const [chosen] = format.value() ?? [];
      if (first && end && first >= end) return form.show({ fields: { to: t("endsBeforeStart") } });
      if (chosen === "EXPORT_FORMAT_FHIR_R4_NDJSON" && metrics.some((name) => positions.includes(name))) {
        return form.show({ fields: { metrics: t("noPositions") } });
      }
      const request: ExportReadingsRequest = {
        metrics: [...metrics], ...(first ? { fromUs: `${first.getTime()}000` } : {}),
        ...(end ? { toUs: `${end.getTime()}000` } : {}), ...(chosen ? { format: chosen } : {}),
      };
      // A link, though nobody sees it, is what a browser loads a file by without leaving the page.
      element("a", { href: downloadAddress(ReadingService.exportReadings, request), download: "" }).click();
      begun.textContent = t("begun");
    },
  }, locale, signal);
  return { title: t("title"), content: [element("p", {}, t("what")), form.node, begun] };
}
