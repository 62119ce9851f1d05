import type { Metric, ReadingColumns } from "../../api/readings_v1.js";
import { SubscriptionService } from "../../api/sharing_v1.js";
import type {
  AccessRequest, Digest, GroupRelease, MetricSummary, SubscribeRequest, SubscribeResponse, Subscription,
} from "../../api/sharing_v1.js";
import { answerNodes } from "../../groups/answer.js";
import { toBigInt, toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { metricName, unitName } from "../../metrics/format.js";
import { live } from "../../parts/live.js";
import { Table } from "../../parts/table.js";
import { dateOf, momentText } from "../../parts/time.js";
import { Guarded } from "../../sharing/guarded.js";
import { pauseText } from "../../sharing/subscription.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** So many periods are shown, the newest ones. */
const most = 50;

/**
 * What a subscription has delivered, the newest first, and what it delivers as the page is shown: digests, or answers about a
 * group. Readings that come as they are produced have a page of their own.
 */
export function deliveries(
  context: PageContext, subscription: Subscription, grant: AccessRequest | undefined, registry: readonly Metric[],
): HTMLElement[] {
  const t = translator(words, context.locale.language);
  const heading = element("h2", {}, t("deliveries"));
  if (grant && subscription.cadence === "CADENCE_AS_PRODUCED") {
    const way = element("a", { href: `/granted/${grant.accessRequestId ?? ""}`, class: "action" }, t("look"));
    return [heading, element("p", {}, way)];
  }
  return [heading, ...new Deliveries(context, subscription, registry).nodes];
}

class Deliveries {
  private readonly cards = new Map<string, HTMLElement>();
  private readonly list = element("div");
  private readonly said = element("p", { class: "hint" });
  private readonly t;
  /** Periods begin and end by its clock. */
  private readonly timeZone: string;
  readonly nodes: HTMLElement[];

  constructor(
    private readonly context: PageContext, { subscriptionId = "", group, timeZone }: Subscription,
    private readonly registry: readonly Metric[],
  ) {
    this.timeZone = timeZone || "UTC";
    this.t = translator(words, context.locale.language);
    this.said.textContent = this.t("noDeliveries");
    // Answers about a group are nobody's, so nobody can take them back.
    const guarded = group ? undefined : new Guarded(element("div", {}, this.said, this.list), context.locale);
    const end = new AbortController();
    context.signal.addEventListener("abort", () => end.abort());
    if (context.signal.aborted) end.abort();
    const over = (isOver: boolean): void => {
      if (end.signal.aborted) return;
      end.abort();
      this.cards.clear();
      this.list.replaceChildren();
      const said = this.t(isOver ? "over" : "broken");
      if (guarded) guarded.end(element("p", {}, said));
      else this.said.textContent = said;
      context.announce(said);
    };
    const state = live<SubscribeRequest, SubscribeResponse>({ ...context, signal: end.signal }, {
      method: SubscriptionService.subscribe,
      request: (cursor) => (
        { start: { subscriptionId, ...(cursor === undefined ? { startAt: "START_AT_BEGINNING" } : { cursor }) } }),
      cursor: (frame) => frame.cursor,
    }, {
      message: ({ digest, groupRelease, accessChange }) => {
        if (digest) this.put(digest.digestId, () => this.digest(digest));
        if (groupRelease) this.put(groupRelease.releaseId, () => this.release(groupRelease));
        if (accessChange && accessChange.state !== "ACCESS_STATE_ACCEPTED") over(true);
      },
      freshness: (freshness) => guarded?.freshness(freshness),
      ended: (error) => over(error.is("ACCESS_ENDED") || error.is("SUBSCRIPTION_ENDED")),
    });
    this.nodes = [state, guarded ? guarded.node : element("div", {}, this.said, this.list)];
  }

  /** Shows a period, once. */
  private put(id: string | undefined, card: () => HTMLElement | undefined): void {
    const made = card();
    if (id === undefined || !made) return;
    const before = this.cards.get(id);
    if (before) before.replaceWith(made);
    else this.list.prepend(made);
    this.cards.set(id, made);
    const [oldest] = this.cards;
    const isCut = this.cards.size > most;
    if (isCut && oldest) {
      this.cards.delete(oldest[0]);
      oldest[1].remove();
    }
    if (this.cards.size >= most) this.said.textContent = this.t("onlyNewest", { count: String(most) });
    else this.said.textContent = "";
  }

  private period(of: { periodStart?: string; periodEnd?: string }): string {
    const { timeZone } = this;
    const text = (at: string | undefined): string => {
      const date = dateOf(at);
      return date ? momentText(date, this.context.locale, { dateStyle: "medium", timeStyle: "short", timeZone }) : "";
    };
    return this.t("period", { from: text(of.periodStart), to: text(of.periodEnd) });
  }

  private card(title: string, ...content: readonly Node[]): HTMLElement {
    return element("article", { class: "card" }, element("h3", {}, title), ...content);
  }

  /** A digest, when its last part is here, which sums up all parts. */
  private digest(digest: Digest): HTMLElement | undefined {
    const { locale } = this.context;
    const { t, registry } = this;
    if (!digest.isLast) return undefined;
    const known = (name: string | undefined): Metric | undefined => registry.find((metric) => metric.name === name);
    const number = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 2 });
    const value = (summary: MetricSummary, of: "min" | "mean" | "max"): string => (
      `${number.format(toNumber(summary[of]))} ${unitName(known(summary.metric)?.unit, locale)}`.trim());
    const period = this.period(digest);
    const table = new Table<MetricSummary>([
      { head: t("kind"), cell: ({ metric = "" }) => metricName(metric, known(metric), locale) },
      { head: t("count"), isValue: true, cell: ({ count }) => number.format(Number(toBigInt(count))) },
      { head: t("least"), isValue: true, cell: (summary) => value(summary, "min") },
      { head: t("mean"), isValue: true, cell: (summary) => value(summary, "mean") },
      { head: t("most"), isValue: true, cell: (summary) => value(summary, "max") },
    ], { caption: t("digestCaption", { period }), none: t("empty") }, locale);
    table.draw((digest.summaries ?? []).filter(({ count }) => toBigInt(count) > 0n));
    const others = othersOf(digest.readings);
    const more = others > 0 ? [element("p", {}, t("others", { count: number.format(others) }))] : [];
    return this.card(period, table.node, ...more);
  }

  private release(release: GroupRelease): HTMLElement {
    const { locale } = this.context;
    const pause = pauseText(release.pause, locale);
    const period = this.period(release);
    const content = release.answer
      ? answerNodes(release.answer, period, this.registry, locale) : [element("p", {}, pause)];
    return this.card(period, ...content);
  }
}

/** How many readings are no numbers: summaries are of numbers alone. */
function othersOf(columns: ReadingColumns | undefined): number {
  return (columns?.positions?.timeUs?.length ?? 0) + (columns?.waveforms?.timeUs?.length ?? 0);
}
