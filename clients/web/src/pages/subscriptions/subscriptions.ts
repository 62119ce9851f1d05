import { ReadingService } from "../../api/readings_v1.js";
import { SubscriptionService } from "../../api/sharing_v1.js";
import type { Subscription } from "../../api/sharing_v1.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { pagesOf } from "../../parts/pages_of.js";
import { Table } from "../../parts/table.js";
import { cadenceText, metricsText } from "../../sharing/describe.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** The third party's subscriptions. `all` in the address says that those that have ended are shown too. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const registry = (await client.unary(ReadingService.listMetrics, {}, { signal })).metrics ?? [];
  const activeOnly = !query.has("all");
  const link = (href: string, text: string): HTMLElement => element("a", { href }, text);
  const table = new Table<Subscription>([
    {
      head: t("subscription"),
      cell: ({ subscriptionId: number = "" }) => link(`/subscriptions/${number}`, t("subscriptionOf", { number })),
    },
    {
      head: t("of"),
      cell: ({ group, accessRequestId: number = "" }) => (
        group ? t("aGroup") : link(`/asked/${number}`, t("requestOf", { number }))),
    },
    { head: t("metrics"), cell: ({ metrics }) => metricsText(metrics, registry, locale) },
    { head: t("cadence"), cell: ({ cadence }) => cadenceText(cadence, locale) },
    { head: t("state"), isValue: true, cell: ({ ended }) => t(ended ? "hasEnded" : "isActive") },
  ], { caption: t("caption"), none: t("none") }, locale);
  const more = await pagesOf(context, async (pageToken) => {
    const answer = await client.unary(SubscriptionService.listSubscriptions, { activeOnly, pageToken }, { signal });
    return { items: answer.subscriptions ?? [], nextPageToken: answer.nextPageToken ?? "" };
  }, (items) => table.append(items));
  const views = choices(t("which"), [
    { label: t("active"), query: { all: undefined } }, { label: t("all"), query: { all: "1" } },
  ], "/subscriptions", query);
  return { title: t("title"), content: [element("p", {}, t("intro")), views, table.node, more] };
}
