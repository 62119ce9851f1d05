import type { Metric } from "../../api/readings_v1.js";
import type { AccessRequest, AccessState } from "../../api/sharing_v1.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { facts } from "../../parts/facts.js";
import { dateOf, time } from "../../parts/time.js";
import { granularityText, intervalText, metricsText } from "../../sharing/describe.js";
import { thirdPartyRows } from "../../sharing/third_party.js";
import { numberOf } from "../../sharing/watch.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

const states: Partial<Record<AccessState, keyof typeof words>> = {
  ACCESS_STATE_PENDING: "pending",
  ACCESS_STATE_ACCEPTED: "stateAccepted",
  ACCESS_STATE_REFUSED: "stateRefused",
  ACCESS_STATE_WITHDRAWN: "stateWithdrawn",
  ACCESS_STATE_REVOKED: "stateRevoked",
  ACCESS_STATE_EXPIRED: "stateExpired",
};

/** Where a request stands, as the person is told who was asked. */
export function stateText(state: AccessState | undefined, locale: Locale): string {
  const key = states[state ?? "ACCESS_STATE_UNSPECIFIED"];
  return key ? translator(words, locale.language)(key) : "";
}

/** Who asks, for which readings, how fine and what for: what a person has to know to decide. */
export function scopeFacts(request: AccessRequest, registry: readonly Metric[], locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const at = (moment: string | undefined): Node | undefined => {
    const date = dateOf(moment);
    return date && time(date, locale);
  };
  const { scope, purpose, requested, changed, expires, state } = request;
  return facts([
    ...thirdPartyRows(request.thirdParty, locale),
    [t("kinds"), metricsText(scope?.metrics, registry, locale)],
    [t("interval"), intervalText(scope, locale)],
    [t("granularity"), granularityText(scope?.granularity, locale)],
    [t("purpose"), purpose],
    [t("requested"), at(requested)],
    [t("state"), state === "ACCESS_STATE_PENDING" ? undefined : stateText(state, locale)],
    [t("changed"), state === "ACCESS_STATE_PENDING" ? undefined : at(changed)],
    [t("expires"), state === "ACCESS_STATE_ACCEPTED" ? at(expires) : undefined],
  ]);
}

/** A list of requests, each a card with its own heading. A card that stays keeps the focus, and its place in the page. */
export class Cards {
  readonly node = element("div", { class: "cards" });
  private cards = new Map<string, HTMLElement>();
  private readonly none: HTMLElement;

  /** @param actions what can be done with one: buttons and links; `describedBy` is the id of its heading. */
  constructor(
    private readonly registry: readonly Metric[], none: string, private readonly locale: Locale,
    private readonly actions: (request: AccessRequest, describedBy: string) => readonly Node[],
  ) {
    this.none = element("p", { tabindex: "-1" }, none);
    this.draw([]);
  }

  /** Shows these, in their order. Whoever was at a card that is gone is led to the next one, or to what is said then. */
  draw(requests: readonly AccessRequest[]): void {
    const before = [...this.cards.values()];
    const lost = before.findIndex((card) => card.contains(document.activeElement));
    const kept = new Map<string, HTMLElement>();
    for (const request of requests) {
      // A card says all of a state, so it stands for as long as the state does.
      const key = keyOf(request);
      kept.set(key, this.cards.get(key) ?? this.card(request));
    }
    const cards = [...kept.values()];
    for (const card of before) if (!cards.includes(card)) card.remove();
    for (const [index, card] of cards.entries()) {
      if (this.node.children[index] !== card) this.node.insertBefore(card, this.node.children[index] ?? null);
    }
    this.cards = kept;
    // What is put where it is already loses the focus.
    if (cards.length > 0) this.none.remove();
    else if (!this.none.parentNode) this.node.append(this.none);
    if (lost >= 0) this.lead(lost);
  }

  /** Where a card is among the others. */
  placeOf(request: AccessRequest): number {
    return [...this.cards.keys()].indexOf(keyOf(request));
  }

  /** Leads whoever has lost the focus with a card that was at a place to the one that is there now. */
  lead(place: number): void {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const cards = [...this.cards.values()];
    (cards[Math.min(Math.max(place, 0), cards.length - 1)]?.querySelector("h2") ?? this.none).focus();
  }

  private card(request: AccessRequest): HTMLElement {
    const id = `request-${numberOf(request)}`;
    return element(
      "article", { class: "card", "aria-labelledby": id },
      element("h2", { id, tabindex: "-1" }, request.thirdPartyName ?? ""), scopeFacts(request, this.registry, this.locale),
      element("div", { class: "buttons" }, ...this.actions(request, id)));
  }
}

function keyOf(request: AccessRequest): string {
  return `${numberOf(request)}/${request.position ?? ""}`;
}
