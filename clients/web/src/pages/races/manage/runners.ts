import { RaceService } from "../../../api/races_v1.js";
import type { Enrolment, Race } from "../../../api/races_v1.js";
import { describeError } from "../../../errors/describe.js";
import { translator } from "../../../language/words.js";
import { ask } from "../../../parts/dialog.js";
import { setField, textField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { Form } from "../../../parts/form.js";
import { pagesOf } from "../../../parts/pages_of.js";
import { Table } from "../../../parts/table.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { parseNumbers, parseTime } from "./entries.js";
import { sending } from "./sending.js";
import { words } from "./words.js";

const pageSize = 200;

/** What can be done with runners in each state of a race. */
const canMark: ReadonlySet<Race["state"]> = new Set(["RACE_STATE_ENROLMENT_CLOSED", "RACE_STATE_RUNNING"]);
const canDisqualify: ReadonlySet<Race["state"]> = new Set(
  ["RACE_STATE_ENROLMENT_CLOSED", "RACE_STATE_RUNNING", "RACE_STATE_FINISHED"]);
const canCorrect: ReadonlySet<Race["state"]> = new Set(["RACE_STATE_RUNNING", "RACE_STATE_FINISHED"]);

/**
 * The runners of a race, and what an organiser decides about them.
 * @param changed is called after each decision: the list is another one then.
 */
export async function runners(
  context: PageContext, race: Race, changed: (said: string) => void,
): Promise<readonly Node[]> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const raceId = race.raceId ?? "0";
  const table = new Table<Enrolment>([
    { head: t("number"), cell: ({ number }) => (number ? String(number) : ""), isValue: true },
    { head: t("name"), cell: (runner) => runner.runnerName ?? "", isHeading: true },
    { head: t("username"), cell: (runner) => runner.username ?? "" },
    { head: t("enrolment"), cell: (runner) => stateText(runner, t) },
    { head: t("present"), cell: (runner) => presence(context, race, runner, changed) },
    { head: t("action"), cell: (runner) => actions(context, race, runner, changed) },
  ], { caption: t("runners"), none: t("noRunners") }, locale);
  const more = await pagesOf<Enrolment>(context, async (pageToken) => {
    const page = await client.unary(RaceService.listEnrolments, { raceId, pageSize, pageToken }, { signal });
    return { items: page.enrolments ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (items) => table.append(items));
  const bulk = canMark.has(race.state) ? [element("h3", {}, t("bulk")), bulkForm(context, raceId, changed)] : [];
  return [element("h2", {}, t("runners")), ...bulk, table.node, more];
}

type Translate = ReturnType<typeof translator<typeof words>>;

function stateText(runner: Enrolment, t: Translate): string {
  if (runner.isDisqualified) return t("disqualified");
  switch (runner.state) {
    case "ENROLMENT_STATE_WAITING": return t("waiting", { position: String(runner.waitingPosition ?? 0) });
    case "ENROLMENT_STATE_AWAITING_PAYMENT": return t("awaitingPayment");
    case "ENROLMENT_STATE_WITHDRAWN": return t("withdrawn");
    case "ENROLMENT_STATE_EXPIRED": return t("expired");
    default: return t("enrolled");
  }
}

const isEnrolled = ({ state, number }: Enrolment): boolean => state === "ENROLMENT_STATE_ENROLLED" && Boolean(number);

/** A box to tick, which is sent at once. */
function presence(
  context: PageContext, race: Race, runner: Enrolment, changed: (said: string) => void,
): Node | string {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  if (!isEnrolled(runner)) return "";
  const box = element("input", {
    type: "checkbox", "aria-label": t("presentOf", { name: nameOf(runner) }),
    ...(canMark.has(race.state) ? {} : { disabled: "" }),
  });
  box.checked = runner.isPresent ?? false;
  box.addEventListener("change", () => {
    box.disabled = true;
    client.unary(
      RaceService.markPresent,
      { raceId: race.raceId ?? "0", numbers: [runner.number ?? 0], absent: !box.checked }, { signal },
    ).catch((failure: unknown) => {
      box.checked = !box.checked;
      if (!signal.aborted) changed(describeError(failure, locale.language));
    }).finally(() => {
      box.disabled = false;
      box.focus();
    });
  });
  return box;
}

/** Marks numbers and ranges of them. */
function bulkForm(context: PageContext, raceId: string, changed: (said: string) => void): HTMLElement {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const entered = textField({
    name: "numbers", label: t("numbers"), hint: t("numbersHint"), refused: t("noSuchNumbers"),
  }, locale);
  const numbers: Field<string> = {
    ...entered,
    problem: () => entered.problem() ?? (parseNumbers(entered.value() ?? "") ? undefined : t("notNumbers")),
  };
  const mark = setField<"present" | "absent">({
    name: "mark", label: t("mark"), isOne: true, value: ["present"],
    choices: [{ value: "present", label: t("present") }, { value: "absent", label: t("absent") }],
  }, locale);
  return new Form({
    fields: [numbers, mark] as never, submit: t("markThem"), label: t("bulk"),
    async send() {
      const { changedCount } = await client.unary(RaceService.markPresent, {
        raceId, numbers: [...parseNumbers(numbers.value() ?? "") ?? []], absent: mark.value()?.[0] === "absent",
      }, { signal });
      changed(t("marked", { count: String(changedCount ?? 0) }));
    },
  }, locale, signal).node;
}

function nameOf({ number, runnerName }: Enrolment): string {
  return [number ? String(number) : "", runnerName ?? ""].filter((part) => part !== "").join(" ");
}

/** Buttons for what an organiser decides about a runner. */
function actions(
  context: PageContext, race: Race, runner: Enrolment, changed: (said: string) => void,
): Node {
  const t = translator(words, context.locale.language);
  const group = element("div", { class: "buttons" });
  if (!isEnrolled(runner)) return group;
  const button = (text: string, act: () => Promise<boolean>): void => {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", () => void act().then((isDone) => { if (isDone) changed(t("done")); }));
    group.append(made);
  };
  const name = { runner: nameOf(runner) };
  if (canDisqualify.has(race.state)) {
    if (runner.isDisqualified) button(t("reinstate", name), () => reinstate(context, race, runner));
    else button(t("disqualify", name), () => disqualify(context, race, runner));
  }
  if (canCorrect.has(race.state)) button(t("correct", name), () => correct(context, race, runner));
  return group;
}

const reasonMax = 500;

function disqualify({ client, locale, signal }: PageContext, race: Race, runner: Enrolment): Promise<boolean> {
  const t = translator(words, locale.language);
  const reason = textField({ name: "reason", label: t("reason"), maxLength: reasonMax, isLong: true }, locale);
  const title = t("disqualify", { runner: nameOf(runner) });
  return ask({
    title, content: [element("p", {}, t("disqualifyText")), reason.node], confirm: title,
    act: () => sending([reason], locale, () => client.unary(RaceService.disqualify, {
      raceId: race.raceId ?? "0", number: runner.number ?? 0, reason: reason.value() ?? "",
    }, { signal })),
  }, locale, signal);
}

function reinstate({ client, locale, signal }: PageContext, race: Race, runner: Enrolment): Promise<boolean> {
  const t = translator(words, locale.language);
  const reason = textField(
    { name: "reason", label: t("reason"), maxLength: reasonMax, isLong: true, optional: true }, locale);
  const title = t("reinstate", { runner: nameOf(runner) });
  return ask({
    title, content: [reason.node], confirm: title,
    act: () => sending([reason], locale, () => client.unary(RaceService.reinstate, {
      raceId: race.raceId ?? "0", number: runner.number ?? 0, reason: reason.value() ?? "",
    }, { signal })),
  }, locale, signal);
}

type Result = "time" | "none" | "measured";

function correct({ client, locale, signal }: PageContext, race: Race, runner: Enrolment): Promise<boolean> {
  const t = translator(words, locale.language);
  const result = setField<Result>({
    name: "result", label: t("result"), isOne: true, value: ["time"],
    choices: [
      { value: "time", label: t("finishTime") }, { value: "none", label: t("didNotFinish") },
      { value: "measured", label: t("asMeasured") },
    ],
  }, locale);
  const chosen = (): Result | undefined => result.value()?.[0];
  const entered = textField({
    name: "time", label: t("time"), hint: t("timeHint"), optional: true, maxLength: 12, refused: t("timeRefused"),
    api: ["finish_time"],
  }, locale);
  const time: Field<string> = {
    ...entered,
    problem: () => (chosen() === "time" && !parseTime(entered.value() ?? "") ? t("notATime") : undefined),
  };
  result.node.addEventListener("change", () => { time.node.hidden = chosen() !== "time"; });
  const reason = textField({ name: "reason", label: t("reason"), maxLength: reasonMax, isLong: true }, locale);
  const title = t("correct", { runner: nameOf(runner) });
  return ask({
    title, content: [result.node, time.node, reason.node], confirm: title,
    act: () => sending([result, time, reason], locale, () => {
      const about = { raceId: race.raceId ?? "0", number: runner.number ?? 0, reason: reason.value() ?? "" };
      const request = chosen() === "none" ? { ...about, didNotFinish: true }
        : chosen() === "measured" ? { ...about, asMeasured: true }
          : { ...about, finishTime: `${parseTime(time.value() ?? "") ?? 0}s` };
      return client.unary(RaceService.correctResult, request, { signal });
    }),
  }, locale, signal);
}
