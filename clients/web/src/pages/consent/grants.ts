import { ReadingService } from "../../api/readings_v1.js";
import { AccessService } from "../../api/sharing_v1.js";
import type { AccessRequest, AccessState } from "../../api/sharing_v1.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { ask } from "../../parts/dialog.js";
import { WatchedRequests } from "../../sharing/watch.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { Cards } from "./cards.js";
import { placesOf } from "./places.js";
import { words } from "./words.js";

const ended: readonly AccessState[] = ["ACCESS_STATE_REVOKED", "ACCESS_STATE_WITHDRAWN", "ACCESS_STATE_EXPIRED"];

/** Who may see readings of the person, and how that ends; with `state=ended` in the address, who might before. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const registry = (await client.unary(ReadingService.listMetrics, {}, { signal })).metrics ?? [];
  const isPast = query.get("state") === "ended";
  const views = choices(t("which"), [
    { label: t("current"), query: { state: undefined } }, { label: t("ended"), query: { state: "ended" } },
  ], "/grants", query);
  const done = element("p", { class: "done", role: "status" });
  /** What the person ends just now: of that, the stream says nothing new. */
  let ending: string | undefined;
  const name = ({ thirdPartyName }: AccessRequest): string => thirdPartyName ?? "";

  const end = async (request: AccessRequest): Promise<void> => {
    const accessRequestId = request.accessRequestId ?? "";
    const place = cards.placeOf(request);
    let answer: AccessRequest | undefined;
    ending = accessRequestId;
    const isDone = await ask({
      title: t("endTitle", { name: name(request) }), content: [element("p", {}, t("endText"))], confirm: t("end"),
      async act() {
        answer = (await client.unary(AccessService.revokeAccess, { accessRequestId }, { signal })).accessRequest;
      },
    }, locale, signal);
    ending = undefined;
    if (isDone && answer) {
      done.textContent = t("endDone", { name: name(request) });
      watched.take([answer]);
    }
    cards.lead(place);
  };
  const cards = new Cards(registry, t(isPast ? "noneEnded" : "noneCurrent"), locale, (request, describedBy) => {
    const delivered = element(
      "a", { href: `/ledger?grant=${request.accessRequestId ?? ""}`, "aria-describedby": describedBy }, t("delivered"));
    if (isPast) return [delivered];
    const button = element("button", { type: "button", "aria-describedby": describedBy }, t("end"));
    button.addEventListener("click", () => void end(request));
    return [button, delivered];
  });
  const watched = new WatchedRequests(context, isPast ? ended : ["ACCESS_STATE_ACCEPTED"], (requests, news) => {
    cards.draw(requests);
    if (isPast || !news || news.now.accessRequestId === ending) return;
    const { now, before } = news;
    if (now.state === "ACCESS_STATE_ACCEPTED") context.announce(t("sees", { name: name(now) }));
    else if (before?.state === "ACCESS_STATE_ACCEPTED") done.textContent = t("endedByItself", { name: name(now) });
  });
  const { state, more } = await watched.begin();
  return { title: t("grants"), content: [placesOf("/grants", locale), views, state, done, cards.node, more] };
}
