import { ReadingService } from "../../api/readings_v1.js";
import { AccessService } from "../../api/sharing_v1.js";
import type { AccessRequest, WatchAccessRequestsRequest, WatchAccessRequestsResponse } from "../../api/sharing_v1.js";
import { translator } from "../../language/words.js";
import { isUnderWay, paymentText, wayToPay } from "../../payments/payment.js";
import { ask } from "../../parts/dialog.js";
import { facts } from "../../parts/facts.js";
import { live } from "../../parts/live.js";
import { numberIn } from "../../parts/number.js";
import { dateOf, time } from "../../parts/time.js";
import { granularityText, intervalText, metricsText, stateText } from "../../sharing/describe.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** One request of a third party, with its state as it changes, and what can be done with it. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const number = numberIn(context.parameters["accessRequestId"]);
  const get = async (): Promise<AccessRequest> => (
    (await client.unary(AccessService.getAccessRequest, { accessRequestId: number }, { signal })).accessRequest ?? {});
  const [registry, first] = await Promise.all([client.unary(ReadingService.listMetrics, {}, { signal }), get()]);
  const body = element("div");

  let drawn = "";
  let request = first;
  const draw = (now: AccessRequest): void => {
    request = now;
    // Whoever is about to press a button is not disturbed by what has not changed.
    if (JSON.stringify(now) === drawn) return;
    drawn = JSON.stringify(now);
    body.replaceChildren(...content(now));
  };

  function content(now: AccessRequest): Node[] {
    const moment = (at: string | undefined): Node | undefined => {
      const date = dateOf(at);
      return date && time(date, locale);
    };
    const nodes: Node[] = [facts([
      [t("state"), stateText(now.state, locale)],
      [t("changed"), moment(now.changed)],
      [t("purpose"), now.purpose],
      [t("metrics"), metricsText(now.scope?.metrics, registry.metrics ?? [], locale)],
      [t("interval"), intervalText(now.scope, locale)],
      [t("granularity"), granularityText(now.scope?.granularity, locale)],
      [t("asked"), moment(now.requested)],
      [t("expires"), moment(now.expires)],
      [t("payment"), now.payment && paymentText(now.payment, locale)],
    ])];
    const isGranted = now.state === "ACCESS_STATE_ACCEPTED";
    const isOpen = now.state === "ACCESS_STATE_PENDING" || now.state === "ACCESS_STATE_AWAITING_PAYMENT";
    if (now.state === "ACCESS_STATE_AWAITING_PAYMENT" && now.payment) nodes.push(wayToPay(now.payment, locale));
    const actions: Node[] = [];
    if (isGranted) {
      actions.push(
        element("a", { href: `/granted/${number}`, class: "action" }, t("look")),
        element("a", { href: `/subscriptions/new?grant=${number}` }, t("subscribe")));
    }
    actions.push(element("a", { href: `/ask?like=${number}` }, t("again")));
    if (isGranted || isOpen) actions.push(end(isGranted ? "give" : "withdraw", isGranted ? "giveText" : "withdrawText"));
    nodes.push(element("div", { class: "buttons" }, ...actions));
    return nodes;
  }

  function end(name: "give" | "withdraw", text: "giveText" | "withdrawText"): HTMLElement {
    const button = element("button", { type: "button" }, t(name));
    button.addEventListener("click", () => void ask({
      title: t(name), content: [element("p", {}, t(text))], confirm: t(name),
      async act() {
        const answer = await client.unary(AccessService.revokeAccess, { accessRequestId: number }, { signal });
        if (answer.accessRequest) tell(answer.accessRequest);
      },
    }, locale, signal));
    return button;
  }

  function tell(now: AccessRequest): void {
    if (signal.aborted) return;
    const isNews = now.state !== request.state;
    draw(now);
    if (isNews) context.announce(t("news", { number, state: stateText(now.state, locale) }));
  }

  draw(first);
  const renew = async (): Promise<void> => tell(await get());
  const state = live<WatchAccessRequestsRequest, WatchAccessRequestsResponse>(context, {
    method: AccessService.watchAccessRequests,
    request: (cursor) => (cursor === undefined ? {} : { cursor }),
    cursor: (frame) => frame.cursor,
  }, {
    // What the payment provider says is no change of the request.
    async message(frame) { if (frame.change?.accessRequestId === number || isUnderWay(request.payment)) await renew(); },
    catchUp: renew,
  });
  return { title: t("requestOf", { number }), content: [state, body] };
}
