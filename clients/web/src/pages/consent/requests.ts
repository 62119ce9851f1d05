import { ReadingService } from "../../api/readings_v1.js";
import { AccessService } from "../../api/sharing_v1.js";
import type { AccessRequest, AccessState } from "../../api/sharing_v1.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { ask } from "../../parts/dialog.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { granularityText, intervalText, metricsText } from "../../sharing/describe.js";
import { thirdPartyCell } from "../../sharing/third_party.js";
import { WatchedRequests } from "../../sharing/watch.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { Cards, scopeFacts, stateText } from "./cards.js";
import { placesOf } from "./places.js";
import { words } from "./words.js";

const decided: readonly AccessState[] = [
  "ACCESS_STATE_ACCEPTED", "ACCESS_STATE_REFUSED", "ACCESS_STATE_WITHDRAWN", "ACCESS_STATE_REVOKED", "ACCESS_STATE_EXPIRED",
];

/** What the person is asked, to decide; with `state=decided` in the address, what was asked before. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const registry = (await client.unary(ReadingService.listMetrics, {}, { signal })).metrics ?? [];
  const views = choices(t("which"), [
    { label: t("pending"), query: { state: undefined } }, { label: t("decided"), query: { state: "decided" } },
  ], "/requests", query);
  const title = t("requestsTitle");

  if (query.get("state") === "decided") {
    const table = new Table<AccessRequest>([
      { head: t("who"), cell: ({ thirdPartyName, thirdParty }) => thirdPartyCell(thirdPartyName, thirdParty, locale) },
      { head: t("state"), isValue: true, cell: ({ state }) => stateText(state, locale) },
      { head: t("changed"), cell: ({ changed }) => { const at = dateOf(changed); return at ? time(at, locale) : ""; } },
      { head: t("kinds"), isLong: true, cell: ({ scope }) => metricsText(scope?.metrics, registry, locale) },
      { head: t("interval"), cell: ({ scope }) => intervalText(scope, locale) },
      { head: t("granularity"), cell: ({ scope }) => granularityText(scope?.granularity, locale) },
      { head: t("purpose"), isLong: true, cell: ({ purpose }) => purpose ?? "" },
    ], { caption: t("decidedCaption"), none: t("noneDecided"), isLabelled: true }, locale);
    const { state, more } = await new WatchedRequests(context, decided, (requests) => table.draw(requests)).begin();
    return { title, content: [placesOf("/requests", locale), views, state, table.node, more] };
  }

  const done = element("p", { class: "done", role: "status" });
  /** What the person decides just now: of that, the stream says nothing new. */
  let deciding: string | undefined;
  const name = ({ thirdPartyName }: AccessRequest): string => thirdPartyName ?? "";
  const decide = async (request: AccessRequest, how: "accept" | "refuse"): Promise<void> => {
    const accessRequestId = request.accessRequestId ?? "";
    const place = cards.placeOf(request);
    let answer: AccessRequest | undefined;
    deciding = accessRequestId;
    const isDone = await ask({
      title: t(how === "accept" ? "acceptTitle" : "refuseTitle", { name: name(request) }),
      content: [
        ...(how === "accept" ? [scopeFacts(request, registry, locale)] : []),
        element("p", {}, t(how === "accept" ? "acceptText" : "refuseText")),
      ],
      confirm: t(how),
      async act() {
        const method = how === "accept" ? AccessService.acceptAccessRequest : AccessService.refuseAccessRequest;
        answer = (await client.unary(method, { accessRequestId }, { signal })).accessRequest;
      },
    }, locale, signal);
    deciding = undefined;
    if (isDone && answer) {
      done.textContent = t(how === "accept" ? "accepted" : "refused", { name: name(request) });
      watched.take([answer]);
    }
    cards.lead(place);
  };
  const cards = new Cards(registry, t("nonePending"), locale, (request, describedBy) => {
    const button = (how: "accept" | "refuse"): HTMLElement => {
      const made = element("button", { type: "button", "aria-describedby": describedBy }, t(how));
      made.addEventListener("click", () => void decide(request, how));
      return made;
    };
    return [button("accept"), button("refuse")];
  });
  const watched = new WatchedRequests(context, ["ACCESS_STATE_PENDING"], (requests, news) => {
    cards.draw(requests);
    if (!news || news.now.accessRequestId === deciding) return;
    const key = newsOf(news.now.state);
    if (key === "asks") context.announce(t(key, { name: name(news.now) }));
    else if (key && news.before?.state === "ACCESS_STATE_PENDING") done.textContent = t(key, { name: name(news.now) });
  });
  const { state, more } = await watched.begin();
  return { title, content: [placesOf("/requests", locale), views, state, done, cards.node, more] };
}

/** What is said of a request that comes, or goes without the person's doing on this page. */
function newsOf(state: AccessState | undefined): "asks" | "gone" | "over" | undefined {
  if (state === "ACCESS_STATE_PENDING") return "asks";
  if (state === "ACCESS_STATE_WITHDRAWN") return "gone";
  return state === undefined ? undefined : "over";
}
