import { GroupService } from "../../api/groups_v1.js";
import type { ExportGroupResponse, GroupBudget, GroupQuestion, QueryGroupResponse } from "../../api/groups_v1.js";
import type { Metric } from "../../api/readings_v1.js";
import { SubscriptionService } from "../../api/sharing_v1.js";
import type { CreateSubscriptionRequest } from "../../api/sharing_v1.js";
import { downloadAddress } from "../../connect/download.js";
import { ConnectError } from "../../connect/errors.js";
import { answerNodes } from "../../groups/answer.js";
import { costText } from "../../groups/numbers.js";
import { daysText, questionFacts } from "../../groups/question.js";
import { translator } from "../../language/words.js";
import { paymentText, wayToPay } from "../../payments/payment.js";
import { priceText } from "../../payments/price.js";
import { facts } from "../../parts/facts.js";
import { Form } from "../../parts/form.js";
import { RequestIds } from "../../parts/request_ids.js";
import { dateOf, momentText } from "../../parts/time.js";
import { cadenceField, cadences } from "../../sharing/subscription.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { problemsOf, problemText } from "./problems.js";
import { words } from "./words.js";

/** What comes of a question: its cost, then its answer, a subscription to it, or rows. */
export class Result {
  readonly node = element("div");
  private readonly t;

  /** @param spend told of the budget that is left. */
  constructor(
    private readonly context: PageContext, private readonly registry: readonly Metric[],
    private readonly spend: (budget: GroupBudget | undefined) => void,
  ) {
    this.t = translator(words, context.locale.language);
  }

  /**
   * Says what an answer would cost. Nothing is spent by it.
   * @throws ConnectError
   */
  async cost(question: GroupQuestion): Promise<void> {
    const { client, signal, locale } = this.context;
    const { t } = this;
    const told = await client.unary(GroupService.queryGroup, { question, dryRun: true }, { signal });
    this.spend(told.budget);
    const answer = element("div");
    const ask = element("button", { type: "button", class: "main-action" }, t("ask"));
    const asking = this.acting(ask, (paymentId) => client.unary(
      GroupService.queryGroup, { question, ...(paymentId === "" ? {} : { paymentId }) }, { signal }),
    answer, (answered) => this.answered(answered));
    this.node.replaceChildren(
      element("h2", { tabindex: "-1" }, t("costs")),
      facts(this.costFacts(told)),
      element("h3", {}, t("asked")), questionFacts(told.question ?? question, this.registry, locale),
      asking, answer, ...this.subscribing(question), ...this.rows(question));
  }

  /** Brings whoever has asked to what was told. */
  focus(): void {
    this.node.querySelector("h2")?.focus();
  }

  private costFacts(told: QueryGroupResponse | ExportGroupResponse): Array<readonly [string, string | undefined]> {
    const { locale } = this.context;
    const gathered = dateOf(told.gathered);
    return [
      [this.t("cost"), costText(told.cost, told.budget, locale)],
      [this.t("price"), told.price && priceText(told.price, locale)],
      [this.t("gathered"), gathered && momentText(gathered, locale)],
    ];
  }

  /**
   * A button that asks for something that may have a price, and then with the payment that is due.
   * @returns the button, and where what was due and what went wrong is said.
   */
  private acting<Answer extends QueryGroupResponse | ExportGroupResponse>(
    button: HTMLButtonElement, call: (paymentId: string) => Promise<Answer>, place: HTMLElement,
    draw: (answer: Answer) => readonly Node[],
  ): HTMLElement {
    const { locale, signal } = this.context;
    const { t } = this;
    const problem = element("p", { class: "problem", role: "alert" });
    const run = async (pressed: HTMLButtonElement, paymentId: string): Promise<void> => {
      if (pressed.disabled) return;
      pressed.disabled = true;
      problem.textContent = "";
      try {
        const answer = await call(paymentId);
        if (signal.aborted) return;
        this.spend(answer.budget);
        const { payment } = answer;
        if (!payment) {
          place.replaceChildren(...draw(answer));
          return;
        }
        const paid = element("button", { type: "button", class: "main-action" }, t("paid"));
        paid.addEventListener("click", () => void run(paid, payment.paymentId ?? ""));
        place.replaceChildren(
          element("p", {}, t("due")), facts([[t("payment"), paymentText(payment, locale)]]),
          ...(payment.state === "PAYMENT_STATE_PENDING" ? [wayToPay(payment, locale)] : []),
          element("div", { class: "buttons" }, paid));
        if (paymentId !== "") problem.textContent = t("notPaid");
        paid.focus();
      } catch (failure) {
        if (!signal.aborted) problem.textContent = problemText(failure, locale.language);
      } finally {
        pressed.disabled = false;
      }
    };
    button.addEventListener("click", () => void run(button, ""));
    return element("div", { class: "buttons" }, button, problem);
  }

  private answered(answered: QueryGroupResponse): Node[] {
    const { locale } = this.context;
    const { question } = answered;
    this.context.announce(this.t("answered"));
    return [
      element("h2", {}, this.t("answer")), facts(this.costFacts(answered)),
      ...answerNodes(answered.answer ?? {}, daysText(question?.fromDate, question?.toDate, locale), this.registry, locale),
    ];
  }

  private subscribing(question: GroupQuestion): Node[] {
    const { t, context } = this;
    const { client, locale, signal } = context;
    const cadence = cadenceField({ label: t("cadence") }, cadences.slice(1), "CADENCE_WEEKLY", locale);
    const ids = new RequestIds();
    const form = new Form({
      fields: [cadence], submit: t("subscribeNow"), label: t("subscribe"),
      async send() {
        const chosen = cadence.value()?.[0] ?? "CADENCE_UNSPECIFIED";
        const { fromDate, toDate, buckets, timeZone, fromHour, toHour, ...group } = question;
        const isHourly = chosen === "CADENCE_HOURLY";
        const request: CreateSubscriptionRequest = {
          cadence: chosen, group: { ...group, ...(isHourly ? {} : { fromHour: fromHour ?? 0, toHour: toHour ?? 0 }) },
          ...(isHourly ? {} : { timeZone: timeZone ?? "" }),
        };
        const made = await client.unary(
          SubscriptionService.createSubscription, { ...request, requestId: ids.of(request) }, { signal });
        context.go(`/subscriptions/${made.subscription?.subscriptionId ?? ""}`);
      },
      problems: (failure) => problemsOf(failure, locale.language),
    }, locale, signal);
    return [
      element("h2", {}, t("subscribe")), element("p", {}, t("subscribeText")), element("div", { class: "narrow" }, form.node)];
  }

  /** Rows cost anew, and their cost is told first. */
  private rows(asked: GroupQuestion): Node[] {
    const { t } = this;
    const { buckets, statistics, ...question } = asked;
    const place = element("div");
    const see = element("button", { type: "button" }, t("seeRows"));
    const seeing = this.acting(see, () => this.first({ question, dryRun: true }), place, (told) => {
      if (!told.price) return [facts(this.costFacts(told)), this.links(question, "")];
      const buy = element("button", { type: "button" }, t("buyRows"));
      const bought = element("div");
      let paid = "";
      return [facts(this.costFacts(told)), this.acting(buy, (paymentId) => {
        paid = paymentId;
        return this.first({ question, ...(paymentId === "" ? {} : { paymentId }) });
      }, bought, () => [this.links(question, paid)]), bought];
    });
    return [element("h2", {}, t("rows")), element("p", {}, t("rowsText")), seeing, place];
  }

  /** The message that tells what rows are made of; the rows themselves are left to the file. */
  private async first(request: { question: GroupQuestion; dryRun?: boolean; paymentId?: string }): Promise<ExportGroupResponse> {
    const { client, signal } = this.context;
    for await (const message of client.stream(GroupService.exportGroup, request, { signal })) return message;
    throw new ConnectError("internal", "there was no message");
  }

  private links(question: GroupQuestion, paymentId: string): HTMLElement {
    const link = (key: "csv" | "ndjson", format: "GROUP_EXPORT_FORMAT_CSV" | "GROUP_EXPORT_FORMAT_NDJSON"): HTMLElement => element(
      "li", {}, element("a", {
        href: downloadAddress(GroupService.exportGroup, { question, format, ...(paymentId === "" ? {} : { paymentId }) }),
        download: "",
      }, this.t(key)));
    return element("ul", {}, link("csv", "GROUP_EXPORT_FORMAT_CSV"), link("ndjson", "GROUP_EXPORT_FORMAT_NDJSON"));
  }
}
