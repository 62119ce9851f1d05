import { ReadingService } from "../../api/readings_v1.js";
import type { AccessRequest, AccessState } from "../../api/sharing_v1.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { metricsText, stateText } from "../../sharing/describe.js";
import { numberOf, WatchedRequests } from "../../sharing/watch.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** Which states belong together, by what the address calls them. */
const filters: Readonly<Record<"open" | "granted" | "over", readonly AccessState[]>> = {
  open: ["ACCESS_STATE_AWAITING_PAYMENT", "ACCESS_STATE_PENDING"],
  granted: ["ACCESS_STATE_ACCEPTED"],
  over: ["ACCESS_STATE_REFUSED", "ACCESS_STATE_WITHDRAWN", "ACCESS_STATE_REVOKED", "ACCESS_STATE_EXPIRED"],
};

/** The third party's requests, with their states as they change. `state` in the address says which. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const wanted = query.get("state") ?? "";
  const states = Object.prototype.hasOwnProperty.call(filters, wanted) ? filters[wanted as keyof typeof filters] : [];
  const registry = (await client.unary(ReadingService.listMetrics, {}, { signal })).metrics ?? [];
  const table = new Table<AccessRequest>([
    { head: t("request"), cell: (request) => link(request) },
    { head: t("state"), isValue: true, cell: ({ state }) => stateText(state, locale) },
    { head: t("purpose"), cell: ({ purpose }) => purpose ?? "" },
    { head: t("metrics"), cell: ({ scope }) => metricsText(scope?.metrics, registry, locale) },
    { head: t("changed"), cell: ({ changed }) => { const at = dateOf(changed); return at ? time(at, locale) : ""; } },
  ], { caption: t("caption"), none: t("none") }, locale);

  function link(request: AccessRequest): HTMLElement {
    const number = numberOf(request);
    return element("a", { href: `/asked/${number}`, id: `request-${number}` }, t("requestOf", { number }));
  }

  const watched = new WatchedRequests(context, states, (requests, news) => {
    table.draw(requests);
    if (news) context.announce(t("news", { number: numberOf(news.now), state: stateText(news.now.state, locale) }));
  });
  const { state, more } = await watched.begin();
  const ask = element("p", {}, element("a", { href: "/ask", class: "action" }, t("ask")));
  const views = choices(t("which"), [
    { label: t("all"), query: { state: undefined } }, { label: t("open"), query: { state: "open" } },
    { label: t("granted"), query: { state: "granted" } }, { label: t("over"), query: { state: "over" } },
  ], "/asked", query);
  return { title: t("title"), content: [ask, views, state, table.node, more] };
}
