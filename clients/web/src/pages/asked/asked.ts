import { ReadingService } from "../../api/readings_v1.js";
import { AccessService } from "../../api/sharing_v1.js";
import type {
  AccessRequest, AccessState, WatchAccessRequestsRequest, WatchAccessRequestsResponse,
} from "../../api/sharing_v1.js";
import { toBigInt } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { live } from "../../parts/live.js";
import { pagesOf } from "../../parts/pages_of.js";
import type { PageOf } from "../../parts/pages_of.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { metricsText, stateText } from "../../sharing/describe.js";
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

  function link({ accessRequestId }: AccessRequest): HTMLElement {
    const number = accessRequestId ?? "";
    return element("a", { href: `/asked/${number}`, id: `request-${number}` }, t("requestOf", { number }));
  }

  const shown = new Map<string, AccessRequest>();
  /** Takes requests in as they are now: those that are not wanted any more go. */
  const take = (requests: readonly AccessRequest[]): void => {
    for (const request of requests) {
      const isWanted = states.length === 0 || states.includes(request.state ?? "ACCESS_STATE_UNSPECIFIED");
      if (isWanted) shown.set(request.accessRequestId ?? "", request);
      else shown.delete(request.accessRequestId ?? "");
    }
    const number = (request: AccessRequest): bigint => toBigInt(request.accessRequestId);
    table.draw([...shown.values()].sort((one, other) => (number(one) < number(other) ? 1 : -1)));
  };
  const page = async (pageToken: string): Promise<PageOf<AccessRequest>> => {
    const answer = await client.unary(AccessService.listAccessRequests, { states: [...states], pageToken }, { signal });
    return { items: answer.accessRequests ?? [], nextPageToken: answer.nextPageToken ?? "" };
  };
  const more = await pagesOf(context, page, take);

  // Between the list and the stream's first frame is a gap: the newest are asked for once more when that has come.
  let hasCaughtUp = false;
  const catchUp = async (): Promise<void> => {
    hasCaughtUp = true;
    try {
      take((await page("")).items);
    } catch {
      // With the next frame, heartbeats too.
      hasCaughtUp = false;
    }
  };
  const renew = async (accessRequestId: string): Promise<void> => {
    try {
      const { accessRequest } = await client.unary(AccessService.getAccessRequest, { accessRequestId }, { signal });
      if (!accessRequest || signal.aborted) return;
      take([accessRequest]);
      context.announce(t("news", { number: accessRequestId, state: stateText(accessRequest.state, locale) }));
    } catch {
      hasCaughtUp = false;
    }
  };
  const state = live<WatchAccessRequestsRequest, WatchAccessRequestsResponse>(context, {
    method: AccessService.watchAccessRequests,
    request: (cursor) => (cursor === undefined ? {} : { cursor }),
    cursor: (frame) => frame.cursor,
  }, {
    message(frame) {
      if (!hasCaughtUp) void catchUp();
      if (frame.change?.accessRequestId) void renew(frame.change.accessRequestId);
    },
  });
  const ask = element("p", {}, element("a", { href: "/ask", class: "action" }, t("ask")));
  const views = choices(t("which"), [
    { label: t("all"), query: { state: undefined } }, { label: t("open"), query: { state: "open" } },
    { label: t("granted"), query: { state: "granted" } }, { label: t("over"), query: { state: "over" } },
  ], "/asked", query);
  return { title: t("title"), content: [ask, views, state, table.node, more] };
}
