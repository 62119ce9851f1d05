import { SosService } from "../../api/sos_v1.js";
import type {
  Emergency, EmergencyTransition, WatchEmergenciesRequest, WatchEmergenciesResponse,
} from "../../api/sos_v1.js";
import { ConnectError } from "../../connect/errors.js";
import {
  actorText, crossingText, elapsedText, headline, placeText, transitionText,
} from "../../emergencies/format.js";
import { isOver, stateText } from "../../emergencies/state.js";
import { dateOfMicroseconds } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { textField } from "../../parts/field.js";
import { live } from "../../parts/live.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { sosNavigation } from "../sos/navigation.js";
import { words } from "./words.js";

/** How often it is said anew how long an emergency can be cancelled. */
const countMs = 1000;

/** One emergency of the person, with every step; while it can be, it is cancelled here. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, surroundings, announce, parameters } = context;
  const t = translator(words, locale.language);
  const id = parameters["emergencyId"] ?? "";
  let emergency = (await client.unary(SosService.getEmergency, { emergencyId: id }, { signal })).emergency ?? {};

  const steps = new Table<EmergencyTransition>([
    { head: t("time"), cell: (step) => time(dateOfMicroseconds(step.atUs), locale, { timeStyle: "medium" }) },
    { head: t("who"), isHeading: true, cell: (step) => actorText(step.actor ?? "", locale) },
    { head: t("step"), isValue: true, cell: (step) => transitionText(step, locale) },
    { head: t("note"), cell: (step) => step.note ?? "" },
  ], { caption: t("stepsCaption") }, locale);
  const standing = element("p", { class: "standing value" });
  const exercise = element("p", { class: "exercise banner" }, t("exerciseBanner"));
  const facts = element("dl");
  const remaining = element("p");
  const said = element("p", { class: "done", tabindex: "-1" });
  const cancel = element("button", { type: "button" }, t("cancel"));

  const count = (): void => {
    const left = (dateOf(emergency.cancellableUntil)?.getTime() ?? 0) - Date.now();
    cancel.hidden = isOver(emergency) || left <= 0;
    remaining.hidden = isOver(emergency);
    remaining.textContent = left > 0 ? t("cancellable", { time: elapsedText(left) })
      : t("tooLate", { number: emergency.emergencyNumber ?? "" });
  };
  const draw = (): void => {
    standing.textContent = stateText(emergency, locale);
    exercise.hidden = emergency.status !== "DISPATCH_STATUS_EXERCISE";
    const row = (name: string, value: Node | string): Node[] => [element("dt", {}, name), element("dd", {}, value)];
    const crossings = (emergency.crossings ?? []).map((crossing) => {
      const text = crossingText(crossing, locale);
      return element("li", {}, crossing.duringExertion ? `${text} (${t("duringExertion")})` : text);
    });
    facts.replaceChildren(
      ...row(t("when"), time(
        dateOfMicroseconds(emergency.detectedUs), locale, { dateStyle: "medium", timeStyle: "medium" })),
      ...row(t("crossed"), element("ul", {}, ...crossings)),
      ...row(t("position"), emergency.position ? placeText(emergency.position, locale) : t("noPosition")),
      ...row(t("number"), emergency.emergencyNumber ?? ""),
      ...row(t("callback"), emergency.callbackNumber || t("noCallback")));
    steps.draw(emergency.transitions ?? []);
    count();
  };
  const take = (news: Emergency): void => {
    // A frame may be older than the answer to a cancellation.
    if ((news.transitions?.length ?? 0) < (emergency.transitions?.length ?? 0)) return;
    const before = emergency.state;
    emergency = news;
    draw();
    if (news.state !== before) announce(t("news", { what: headline(news, locale), state: stateText(news, locale) }));
  };
  const meaning = (failure: unknown): string | undefined => {
    if (!(failure instanceof ConnectError)) return undefined;
    if (failure.is("TOO_LATE")) return t("tooLateShort");
    return failure.is("EMERGENCY_OVER") ? t("over") : undefined;
  };
  cancel.addEventListener("click", () => {
    const reason = textField({ name: "reason", label: t("reason"), isLong: true, maxLength: 500, optional: true }, locale);
    void ask({
      title: t("cancelTitle"), content: [element("p", {}, t("cancelText")), reason.node], confirm: t("cancel"),
      async act() {
        const answer = await client.unary(
          SosService.cancelEmergency, { emergencyId: id, reason: reason.value() ?? "" }, { signal });
        if (answer.emergency) take(answer.emergency);
      },
      problem: meaning,
    }, locale, signal).then((isDone) => {
      if (!isDone) return;
      said.textContent = t("cancelled");
      said.focus();
    });
  });

  const state = live<WatchEmergenciesRequest, WatchEmergenciesResponse>(context, {
    method: SosService.watchEmergencies,
    request: (cursor) => (cursor === undefined ? {} : { cursor }),
    cursor: (frame) => frame.cursor,
  }, {
    message(frame) {
      if (frame.emergency?.emergencyId === emergency.emergencyId) take(frame.emergency ?? {});
    },
  });
  let stop = (): void => {};
  const tick = (): void => {
    count();
    stop = surroundings.timer(countMs, tick);
  };
  draw();
  tick();
  signal.addEventListener("abort", () => stop());
  if (signal.aborted) stop();
  return {
    title: t("one", { what: headline(emergency, locale) }),
    content: [
      sosNavigation("/emergencies", locale.language), state, exercise, standing, said,
      element("div", { class: "buttons" }, cancel), remaining, facts, element("h2", {}, t("steps")), steps.node,
    ],
  };
}
