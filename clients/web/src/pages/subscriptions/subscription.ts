import { ReadingService } from "../../api/readings_v1.js";
import type { Metric } from "../../api/readings_v1.js";
import { AccessService, SubscriptionService } from "../../api/sharing_v1.js";
import type { AccessRequest, Subscription } from "../../api/sharing_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { questionFacts } from "../../groups/question.js";
import { costText } from "../../groups/numbers.js";
import { translator } from "../../language/words.js";
import { metricName } from "../../metrics/format.js";
import { ask } from "../../parts/dialog.js";
import { facts } from "../../parts/facts.js";
import { setField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { numberIn } from "../../parts/number.js";
import { dateOf, time } from "../../parts/time.js";
import { cadenceText, metricsText } from "../../sharing/describe.js";
import { cadenceField, cadences, pauseText, subscriptionOf } from "../../sharing/subscription.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { timeZoneField } from "./create.js";
import { deliveries } from "./deliveries.js";
import { problemsOf } from "./problems.js";
import { words } from "./words.js";

/** One subscription: what it delivers, what it has delivered, its change and its end. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const number = numberIn(context.parameters["subscriptionId"]);
  const [registry, first] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }), subscriptionOf(context, number)]);
  const metrics = registry.metrics ?? [];
  const grant = first.group ? undefined : await grantOf(context, first);
  const said = element("div");
  const draw = (now: Subscription): void => said.replaceChildren(...describe(context, now, metrics));
  draw(first);
  const content: Node[] = [said];
  if (!first.ended) {
    const change = element("section", {}, element("h2", {}, t("change")));
    /** The form is made anew for what is there now. */
    const drawForm = (now: Subscription): void => change.replaceChildren(
      element("h2", {}, t("change")), element("div", { class: "narrow" }, changeForm(now).node));

    const changeForm = (now: Subscription): Form => {
      const names = grant?.scope?.metrics ?? [];
      const chosen = setField({
        name: "metrics", label: t("metrics"), refused: t("metricsMissing"), value: now.metrics ?? [],
        choices: names.map((value) => (
          { value, label: metricName(value, metrics.find(({ name }) => name === value), locale) })),
      }, locale);
      const cadence = cadenceField(
        { label: t("cadence") }, now.group ? cadences.slice(1) : cadences, now.cadence, locale);
      const timeZone = timeZoneField(context, now.timeZone ?? "");
      return new Form({
        fields: now.group ? [cadence] : [chosen, cadence, timeZone], submit: t("save"), label: t("change"),
        async send() {
          try {
            const answer = await client.unary(SubscriptionService.updateSubscription, {
              subscriptionId: number, etag: now.etag ?? "", cadence: cadence.value()?.[0] ?? "CADENCE_UNSPECIFIED",
              ...(now.group ? {} : { metrics: [...chosen.value() ?? []], timeZone: timeZone.value() ?? "" }),
            }, { signal });
            const changed = answer.subscription ?? now;
            draw(changed);
            drawForm(changed);
            context.announce(t("saved"));
            change.querySelector<HTMLElement>("button[type=submit]")?.focus();
          } catch (failure) {
            if (failure instanceof ConnectError && failure.is("STALE_ETAG")) {
              now = await subscriptionOf(context, number);
              draw(now);
              chosen.set(now.metrics ?? []);
              cadence.set(now.cadence ? [now.cadence] : []);
              timeZone.set(now.timeZone ?? "");
            }
            throw failure;
          }
        },
        problems: (failure) => problemsOf(failure, locale.language),
      }, locale, signal);
    };

    drawForm(first);
    const cancel = element("button", { type: "button" }, t("cancel"));
    cancel.addEventListener("click", () => void ask({
      title: t("cancel"), content: [element("p", {}, t("cancelText"))], confirm: t("cancel"),
      async act() {
        await client.unary(SubscriptionService.cancelSubscription, { subscriptionId: number }, { signal });
      },
    }, locale, signal).then((isDone) => {
      if (isDone && !signal.aborted) context.go(`/subscriptions/${number}`);
    }));
    content.push(...deliveries(context, first, grant, metrics), change, element("div", { class: "buttons" }, cancel));
  }
  return { title: t("subscriptionOf", { number }), content };
}

async function grantOf({ client, signal }: PageContext, { accessRequestId = "" }: Subscription): Promise<AccessRequest> {
  return (await client.unary(AccessService.getAccessRequest, { accessRequestId }, { signal })).accessRequest ?? {};
}

function describe({ locale }: PageContext, now: Subscription, registry: readonly Metric[]): Node[] {
  const t = translator(words, locale.language);
  const moment = (at: string | undefined): Node | undefined => {
    const date = dateOf(at);
    return date && time(date, locale);
  };
  const request = now.accessRequestId ?? "";
  const way = element("a", { href: `/asked/${request}` }, t("requestOf", { number: request }));
  return [facts([
    [t("state"), t(now.ended ? "hasEnded" : "isActive")],
    [t("pause"), pauseText(now.pause, locale)],
    [t("of"), now.group ? t("aGroup") : way],
    [t("metrics"), now.group ? "" : metricsText(now.metrics, registry, locale)],
    [t("cadence"), cadenceText(now.cadence, locale)],
    [t("timeZone"), now.timeZone],
    [t("next"), moment(now.nextDigest)],
    [t("cost"), now.releaseCost && costText(now.releaseCost, undefined, locale)],
    [t("created"), moment(now.created)],
    [t("ended"), moment(now.ended)],
  ]), ...(now.group ? [questionFacts(now.group, registry, locale)] : [])];
}
