import { ReadingService } from "../../api/readings_v1.js";
import { SosService } from "../../api/sos_v1.js";
import { translator } from "../../language/words.js";
import { metricName, unitName } from "../../metrics/format.js";
import { ask } from "../../parts/dialog.js";
import { DoneLine } from "../../parts/done.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { backtest } from "./backtest.js";
import { ThresholdFields } from "./limits_form.js";
import { sosNavigation } from "./navigation.js";
import { words } from "./words.js";

/** The limits of one kind of reading: to change, to give up, and to try on what has been recorded. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, parameters } = context;
  const t = translator(words, locale.language);
  const [registry, held] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }), client.unary(SosService.listThresholds, {}, { signal }),
  ]);
  const metric = registry.metrics?.find(({ name, kind }) => name === parameters["metric"] && kind === "METRIC_KIND_SCALAR");
  const navigation = sosNavigation("/sos/limits", locale.language);
  if (!metric) return { title: t("limits"), content: [navigation, element("p", {}, t("noMetric"))] };
  const threshold = held.thresholds?.find((known) => known.metric === metric.name);
  const name = metricName(metric.name ?? "", metric, locale);
  const entered = new ThresholdFields(threshold, metric, locale);
  const done = new DoneLine(context);
  const reset = element("button", { type: "button" }, t("reset"));
  reset.hidden = threshold?.isDefault ?? true;
  const form = new Form({
    fields: entered.fields, submit: t("save"), label: t("limitsOf", { metric: name }),
    content: [element("div", { class: "grid" }, ...entered.nodes)],
    async send() {
      done.show("");
      const problems = entered.problems();
      if (problems) {
        form.show(problems);
        return;
      }
      await client.unary(SosService.setThreshold, { threshold: entered.value() }, { signal });
      reset.hidden = false;
      done.show(t("saved"));
    },
  }, locale, signal);
  reset.addEventListener("click", () => {
    void ask({
      title: t("resetTitle"), content: [element("p", {}, t("resetText"))], confirm: t("reset"),
      act: async () => { await client.unary(SosService.resetThreshold, { metric: metric.name ?? "" }, { signal }); },
    }, locale, signal).then((isDone) => { if (isDone) context.go(`/sos/limits/${metric.name ?? ""}`); });
  });
  return {
    title: t("limitsOf", { metric: name }),
    content: [
      navigation, element("p", {}, t("limitsWhat")), element("p", {}, t("inUnit", { unit: unitName(metric.unit, locale) })),
      element("div", { class: "wide" }, form.node, done.node, element("div", { class: "buttons" }, reset)),
      ...backtest(context, metric, () => {
        const problems = entered.problems();
        form.show(problems ?? { fields: {} });
        return problems ? undefined : entered.value();
      }),
    ],
  };
}
