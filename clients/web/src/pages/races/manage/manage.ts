import { RaceService } from "../../../api/races_v1.js";
import type { Race } from "../../../api/races_v1.js";
import { ConnectError } from "../../../connect/errors.js";
import { describeError } from "../../../errors/describe.js";
import { translator } from "../../../language/words.js";
import { ask } from "../../../parts/dialog.js";
import { momentField, textField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { dateOf, momentText } from "../../../parts/time.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { invitations, organizers } from "./people.js";
import { runners } from "./runners.js";
import { sending } from "./sending.js";
import { words } from "./words.js";

/** What an organiser does with a race after it was planned. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, parameters, session, signal } = context;
  const t = translator(words, locale.language);
  const { race = {} } = await client.unary(
    RaceService.getRace, { raceId: parameters["raceId"] ?? "0" }, { signal });
  const title = t("title", { race: race.name ?? "" });
  if (!race.organizers?.some(({ username }) => username === session?.username)) {
    return { title, content: [element("p", {}, t("notOrganizer"))] };
  }
  const management = new Management(context, race);
  await management.draw();
  return { title, content: [management.node] };
}

class Management {
  readonly node = element("div");
  private readonly t;
  /** What was done last. */
  private readonly said = element("p", { class: "hint", role: "status" });

  constructor(private readonly context: PageContext, private race: Race) {
    this.t = translator(words, context.locale.language);
  }

  async draw(): Promise<void> {
    const changed = (race: Race | undefined, said: string): void => {
      this.race = race ?? this.race;
      void this.drawAnew(said);
    };
    const people = await runners(this.context, this.race, (said) => void this.drawAnew(said));
    this.node.replaceChildren(
      this.said, ...this.state(changed), ...people, ...organizers(this.context, this.race, changed),
      ...(this.race.byInvitation ? invitations(this.context, this.race) : []));
  }

  private async drawAnew(said: string): Promise<void> {
    const { locale, signal } = this.context;
    try {
      await this.draw();
      this.said.textContent = said;
    } catch (failure) {
      if (!signal.aborted) this.said.textContent = describeError(failure, locale.language);
    }
    // What had the focus may be gone.
    if (!signal.aborted && !this.node.contains(document.activeElement)) {
      this.node.querySelector<HTMLElement>("h2")?.focus();
    }
  }

  private state(changed: (race: Race | undefined, said: string) => void): readonly Node[] {
    const { locale } = this.context;
    const { t, race } = this;
    const moment = (timestamp: string | undefined): string => {
      const date = dateOf(timestamp);
      return date ? momentText(date, locale) : "";
    };
    const until = moment(race.enrolmentEnds);
    const texts: Partial<Record<NonNullable<Race["state"]>, string>> = {
      RACE_STATE_DRAFT: t("draft"), RACE_STATE_ENROLMENT_OPEN: t("enrolmentOpen", { until }),
      RACE_STATE_ENROLMENT_CLOSED: t("enrolmentClosed"), RACE_STATE_RUNNING: t("running"),
      RACE_STATE_FINISHED: t("finished"), RACE_STATE_CANCELLED: t("cancelled"), RACE_STATE_DISABLED: t("disabled"),
    };
    const is = (...states: ReadonlyArray<Race["state"]>): boolean => states.includes(race.state);
    const buttons = element("div", { class: "buttons" });
    const button = (text: string, act: () => unknown): void => {
      const made = element("button", { type: "button" }, text);
      made.addEventListener("click", () => void act());
      buttons.append(made);
    };
    if (is("RACE_STATE_DRAFT", "RACE_STATE_ENROLMENT_OPEN")) {
      buttons.append(element("a", { href: `/races/${race.raceId ?? ""}/edit` }, t("change")));
    }
    if (is("RACE_STATE_DRAFT")) button(t("publish"), () => this.publish(until, changed));
    if (is("RACE_STATE_DRAFT", "RACE_STATE_ENROLMENT_OPEN", "RACE_STATE_ENROLMENT_CLOSED")) {
      button(t("postpone"), () => this.postpone(changed));
    }
    if (is("RACE_STATE_RUNNING")) button(t("finish"), () => this.finish(changed));
    if (!is("RACE_STATE_FINISHED", "RACE_STATE_CANCELLED", "RACE_STATE_DISABLED")) {
      button(t("cancel"), () => this.cancel(changed));
    }
    return [
      element("h2", { tabindex: "-1" }, t("state")),
      element("p", {}, texts[race.state ?? "RACE_STATE_UNSPECIFIED"] ?? ""),
      element("p", {}, t("starts", { starts: moment(race.starts) })), buttons,
    ];
  }

  // MARK: What is done, each after a question

  private publish(until: string, changed: (race: Race | undefined, said: string) => void): Promise<boolean> {
    const { client, locale, signal } = this.context;
    const { t } = this;
    const problem = element("p", { class: "problem" });
    return ask({
      title: t("publish"), content: [element("p", {}, t("publishText", { until })), problem], confirm: t("publish"),
      act: async () => {
        try {
          const { race } = await client.unary(RaceService.openEnrolment, { raceId: this.raceId }, { signal });
          changed(race, t("done"));
        } catch (failure) {
          if (failure instanceof ConnectError && failure.is("RACE_DATES")) problem.textContent = t("datesOver");
          if (failure instanceof ConnectError && failure.is("NO_PAYMENT_PROVIDER")) problem.textContent = t("noPayment");
          throw failure;
        }
      },
    }, locale, signal);
  }

  private postpone(changed: (race: Race | undefined, said: string) => void): Promise<boolean> {
    const { client, locale, signal } = this.context;
    const { t } = this;
    const before = dateOf(this.race.starts);
    const entered = momentField({
      name: "starts", label: t("newStart"), refused: t("laterOnly"), ...(before ? { value: before } : {}),
    }, locale);
    const starts: Field<Date> = {
      ...entered,
      problem() {
        const value = entered.value();
        return entered.problem() ?? (before && value && value <= before ? t("laterOnly") : undefined);
      },
    };
    return ask({
      title: t("postpone"), content: [element("p", {}, t("postponeText")), starts.node], confirm: t("postpone"),
      act: () => sending([starts], locale, async () => {
        const moment = starts.value();
        const { race } = await client.unary(
          RaceService.postponeRace, { raceId: this.raceId, ...(moment ? { starts: moment.toISOString() } : {}) },
          { signal });
        changed(race, t("done"));
      }),
    }, locale, signal);
  }

  private cancel(changed: (race: Race | undefined, said: string) => void): Promise<boolean> {
    const { client, locale, signal } = this.context;
    const { t } = this;
    const reason = textField(
      { name: "reason", label: t("cancelReason"), isLong: true, optional: true, maxLength: 500 }, locale);
    return ask({
      title: t("cancel"), content: [element("p", {}, t("cancelText")), reason.node], confirm: t("cancel"),
      act: () => sending([reason], locale, async () => {
        const { race } = await client.unary(
          RaceService.cancelRace, { raceId: this.raceId, reason: reason.value() ?? "" }, { signal });
        changed(race, t("done"));
      }),
    }, locale, signal);
  }

  private finish(changed: (race: Race | undefined, said: string) => void): Promise<boolean> {
    const { client, locale, signal } = this.context;
    const { t } = this;
    return ask({
      title: t("finish"), content: [element("p", {}, t("finishText"))], confirm: t("finish"),
      act: async () => {
        const { race } = await client.unary(RaceService.finishRace, { raceId: this.raceId }, { signal });
        changed(race, t("done"));
      },
    }, locale, signal);
  }

  private get raceId(): string {
    return this.race.raceId ?? "0";
  }
}
