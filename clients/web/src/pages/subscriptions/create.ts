import { ReadingService } from "../../api/readings_v1.js";
import { AccessService, SubscriptionService } from "../../api/sharing_v1.js";
import type { CreateSubscriptionRequest } from "../../api/sharing_v1.js";
import { translator } from "../../language/words.js";
import { metricName } from "../../metrics/format.js";
import { setField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { numberIn } from "../../parts/number.js";
import { RequestIds } from "../../parts/request_ids.js";
import { cadenceField, cadences } from "../../sharing/subscription.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { problemsOf } from "./problems.js";
import { words } from "./words.js";

/** Subscribes to what was granted by the request that `grant` in the address names. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const number = numberIn(context.query.get("grant"));
  const [registry, { accessRequest: grant = {} }] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }),
    client.unary(AccessService.getAccessRequest, { accessRequestId: number }, { signal }),
  ]);
  if (grant.state !== "ACCESS_STATE_ACCEPTED") {
    const way = element("a", { href: `/asked/${number}` }, t("requestOf", { number }));
    return { title: t("newTitle"), content: [element("p", {}, t("notGranted")), element("p", {}, way)] };
  }
  const names = grant.scope?.metrics ?? [];
  const metrics = setField({
    name: "metrics", label: t("metrics"), refused: t("metricsMissing"), value: names,
    choices: names.map((value) => (
      { value, label: metricName(value, registry.metrics?.find(({ name }) => name === value), locale) })),
  }, locale);
  const cadence = cadenceField({ label: t("cadence"), hint: t("cadenceHint") }, cadences, "CADENCE_AS_PRODUCED", locale);
  const timeZone = timeZoneField(context, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const ids = new RequestIds();
  const form = new Form({
    fields: [metrics, cadence, timeZone], submit: t("subscribe"),
    async send() {
      const request: CreateSubscriptionRequest = {
        accessRequestId: number, metrics: [...metrics.value() ?? []],
        cadence: cadence.value()?.[0] ?? "CADENCE_UNSPECIFIED", timeZone: timeZone.value() ?? "",
      };
      const made = await client.unary(
        SubscriptionService.createSubscription, { ...request, requestId: ids.of(request) }, { signal });
      context.go(`/subscriptions/${made.subscription?.subscriptionId ?? ""}`);
    },
    problems: (failure) => problemsOf(failure, locale.language),
  }, locale, signal);
  const of = element("p", {}, t("newOf", { number, purpose: grant.purpose ?? "" }));
  return { title: t("newTitle"), content: [of, element("div", { class: "narrow" }, form.node)] };
}

/** The zone whose hours, days, weeks and months are meant. */
export function timeZoneField({ locale }: PageContext, value: string): ReturnType<typeof textField> {
  const t = translator(words, locale.language);
  return textField({
    name: "timeZone", label: t("timeZone"), hint: t("timeZoneHint"), refused: t("timeZoneRefused"), value, maxLength: 64,
    api: ["time_zone"],
  }, locale);
}
