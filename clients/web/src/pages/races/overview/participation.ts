import { RaceService } from "../../../api/races_v1.js";
import type { Enrolment, Race } from "../../../api/races_v1.js";
import { downloadAddress } from "../../../connect/download.js";
import { describeError } from "../../../errors/describe.js";
import { translator } from "../../../language/words.js";
import { priceText } from "../../../payments/price.js";
import { ask } from "../../../parts/dialog.js";
import { textField } from "../../../parts/field.js";
import { Form } from "../../../parts/form.js";
import { dateOf, momentText } from "../../../parts/time.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { words } from "./words.js";

/** A runner's name is no longer. */
const maxNameCharacters = 60;

/** What somebody is in a race, and what can be done about that: enrol, pay, withdraw, observe, take the own run along. */
export class Participation {
  readonly node = element("div");
  /** Whether something is to come without anybody doing anything here. */
  isWaiting = false;
  private readonly t;
  /** What is shown, to leave it alone as long as it stays the same. */
  private shown = "";
  private readonly runningTitle;
  private readonly observingTitle;

  /** @param refresh asks for the race again, and shows it. */
  constructor(
    private readonly context: PageContext, private readonly raceId: string, private readonly invitation: string,
    private readonly refresh: () => Promise<void>,
  ) {
    this.t = translator(words, context.locale.language);
    this.runningTitle = element("h2", { tabindex: "-1" }, this.t("takingPart"));
    this.observingTitle = element("h2", { tabindex: "-1" }, this.t("observing"));
  }

  show(race: Race): void {
    const state = JSON.stringify([
      race.myEnrolment, race.isObserved, race.state, race.enrolledCount, race.waitingCount, race.capacity, race.fee]);
    const enrolment = race.myEnrolment;
    this.isWaiting = enrolment?.state === "ENROLMENT_STATE_WAITING" || enrolment?.state === "ENROLMENT_STATE_AWAITING_PAYMENT"
      || enrolment?.paymentState === "PAYMENT_STATE_AUTHORIZED";
    if (state === this.shown) return;
    this.shown = state;
    const cards = [element("section", { class: "card" }, this.runningTitle, ...this.running(race))];
    if (race.state !== "RACE_STATE_DRAFT" && race.state !== "RACE_STATE_DISABLED") {
      const observing = this.observing(race);
      if (observing.length > 0) cards.push(element("section", { class: "card" }, this.observingTitle, ...observing));
    }
    this.node.replaceChildren(...cards);
  }

  // MARK: Running

  private running(race: Race): Node[] {
    const enrolment = race.myEnrolment;
    const content = enrolment ? this.standing(race, enrolment) : [];
    const state = race.state ?? "RACE_STATE_UNSPECIFIED";
    const hasPlace = enrolment !== undefined && hasTurn(enrolment);
    if (state === "RACE_STATE_CANCELLED") content.push(element("p", {}, this.t("cancelled")));
    else if (state === "RACE_STATE_DRAFT") content.push(element("p", {}, this.t("notYet")));
    else if (hasPlace) content.push(...this.leaving(race));
    else if (state === "RACE_STATE_ENROLMENT_OPEN") content.push(...this.enrolling(race));
    else content.push(element("p", {}, this.t("tooLate")));
    const hasRun = state === "RACE_STATE_RUNNING" || state === "RACE_STATE_FINISHED";
    if (enrolment?.state === "ENROLMENT_STATE_ENROLLED" && hasRun) content.push(...this.ownRun());
    return content;
  }

  /** Where the own enrolment is. */
  private standing(race: Race, enrolment: Enrolment): Node[] {
    const { locale } = this.context;
    const sentences: string[] = [];
    switch (enrolment.state) {
      case "ENROLMENT_STATE_WAITING":
        sentences.push(this.t("isWaiting", { position: String(enrolment.waitingPosition ?? 0) }));
        break;
      case "ENROLMENT_STATE_AWAITING_PAYMENT": {
        const until = dateOf(enrolment.heldUntil);
        sentences.push(this.t("awaitingPayment", {
          time: until ? momentText(until, locale, { timeStyle: "short" }) : "",
        }));
        break;
      }
      case "ENROLMENT_STATE_ENROLLED":
        sentences.push(this.t("isEnrolled", { number: String(enrolment.number ?? 0), name: enrolment.runnerName ?? "" }));
        if (enrolment.isDisqualified) sentences.push(this.t("isDisqualified"));
        else if (enrolment.isPresent) sentences.push(this.t("present"));
        break;
      case "ENROLMENT_STATE_WITHDRAWN":
        sentences.push(this.t("withdrawn"));
        break;
      case "ENROLMENT_STATE_EXPIRED":
        sentences.push(this.t("expired"));
        break;
      default:
        break;
    }
    const isPending = enrolment.state === "ENROLMENT_STATE_AWAITING_PAYMENT";
    const payment = enrolment.paymentState ?? "PAYMENT_STATE_UNSPECIFIED";
    if (payment !== "PAYMENT_STATE_UNSPECIFIED" && !isPending) sentences.push(this.t(payment));
    const content: Node[] = [element("p", { class: "standing" }, sentences.join(" "))];
    if (isPending) content.push(element("p", {}, this.payment(race, enrolment)));
    return content;
  }

  /** The link to the page to pay on. It is somebody else's, so only an address of the web is one. */
  private payment(race: Race, enrolment: Enrolment): Node | string {
    const url = enrolment.paymentUrl ?? "";
    if (!/^https?:\/\//.test(url)) return this.t("payNoAddress");
    const fee = race.fee ? priceText(race.fee, this.context.locale) : "";
    return element("a", { href: url, target: "_blank", rel: "noopener noreferrer", class: "action" }, this.t("pay", { fee }));
  }

  private enrolling(race: Race): Node[] {
    const { client, locale, signal } = this.context;
    const fee = race.fee ? priceText(race.fee, locale) : undefined;
    const isFull = (race.capacity ?? 0) > 0 && (race.enrolledCount ?? 0) >= (race.capacity ?? 0);
    const name = textField({
      name: "runnerName", label: this.t("runnerName"), hint: this.t("runnerNameHint"), optional: true,
      maxLength: maxNameCharacters, autocomplete: "nickname", api: ["runner_name"],
    }, locale);
    const form = new Form({
      fields: [name], submit: fee === undefined ? this.t("enrol") : this.t("enrolFee", { fee }),
      content: [name.node, ...(fee === undefined ? [] : [element("p", { class: "hint" }, this.t("feeHint"))])],
      label: this.t("takingPart"),
      send: async () => {
        await client.unary(RaceService.enrol, {
          raceId: this.raceId, invitation: this.invitation, runnerName: name.value() ?? "",
        }, { signal });
        await this.done(this.runningTitle);
      },
    }, locale, signal);
    return [...(isFull ? [element("p", {}, this.t("full"))] : []), element("div", { class: "narrow" }, form.node)];
  }

  private leaving(race: Race): Node[] {
    const { client, locale, signal } = this.context;
    const isRunning = race.state === "RACE_STATE_RUNNING";
    const canLeave = isRunning || race.state === "RACE_STATE_ENROLMENT_OPEN" || race.state === "RACE_STATE_ENROLMENT_CLOSED";
    if (!canLeave) return [];
    const button = element("button", { type: "button" }, this.t(isRunning ? "retire" : "withdraw"));
    button.addEventListener("click", () => void ask({
      title: this.t(isRunning ? "retireTitle" : "withdrawTitle"),
      content: [element("p", {}, this.t(isRunning ? "retireText" : "withdrawText"))],
      confirm: this.t(isRunning ? "retire" : "withdraw"),
      act: async () => { await client.unary(RaceService.withdraw, { raceId: this.raceId }, { signal }); },
    }, locale, signal).then(async (isDone) => { if (isDone) await this.done(this.runningTitle); }));
    return [element("div", { class: "buttons" }, button)];
  }

  private ownRun(): Node[] {
    const address = downloadAddress(RaceService.exportRun, { raceId: this.raceId });
    return [
      element("h3", {}, this.t("run")), element("p", {}, this.t("runText")),
      element("p", {}, element("a", { href: address, download: "", class: "action" }, this.t("download"))),
    ];
  }

  // MARK: Observing

  private observing(race: Race): Node[] {
    const { client, locale, signal } = this.context;
    const isObserved = race.isObserved ?? false;
    if (!isObserved && race.state === "RACE_STATE_CANCELLED") return [];
    const isHiddenYet = race.byInvitation && !isObserved && !race.myEnrolment;
    const button = element("button", { type: "button" }, this.t(isObserved ? "stopObserving" : "observe"));
    const problem = element("p", { class: "problem", role: "alert" });
    button.addEventListener("click", () => {
      if (button.disabled) return;
      button.disabled = true;
      problem.textContent = "";
      const call = isObserved
        ? client.unary(RaceService.stopObserving, { raceId: this.raceId }, { signal })
        : client.unary(RaceService.observeRace, { raceId: this.raceId, invitation: this.invitation }, { signal });
      call.then(() => this.done(this.observingTitle)).catch((failure: unknown) => {
        if (signal.aborted) return;
        button.disabled = false;
        problem.textContent = describeError(failure, locale.language);
      });
    });
    return [
      element("p", {}, this.t(isObserved ? "isObserved" : isHiddenYet ? "observeFirst" : "observeText")),
      problem, element("div", { class: "buttons" }, button),
    ];
  }

  /** Shows what has become of it, and brings whoever did it there: the button that was pressed may be gone. */
  private async done(title: HTMLElement): Promise<void> {
    await this.refresh();
    title.focus();
  }
}

/** Whether somebody has a place, or waits for one. */
function hasTurn({ state }: Enrolment): boolean {
  return state === "ENROLMENT_STATE_ENROLLED" || state === "ENROLMENT_STATE_WAITING"
    || state === "ENROLMENT_STATE_AWAITING_PAYMENT";
}
