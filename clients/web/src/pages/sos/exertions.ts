import { SosService } from "../../api/sos_v1.js";
import type { Exertion } from "../../api/sos_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import { DoneLine } from "../../parts/done.js";
import { momentField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { sosNavigation } from "./navigation.js";
import { words } from "./words.js";

/** When the person exerts themself: other limits hold then. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const done = new DoneLine(context);
  const problem = element("p", { class: "problem", role: "alert" });
  const moment = (timestamp: string | undefined): Node | string => {
    const date = dateOf(timestamp);
    return date ? time(date, locale) : "";
  };
  const hasBegun = (exertion: Exertion): boolean => (dateOf(exertion.from) ?? new Date()) <= new Date();
  const end = async (exertion: Exertion, button: HTMLButtonElement): Promise<void> => {
    if (button.disabled) return;
    button.disabled = true;
    problem.textContent = "";
    try {
      await client.unary(SosService.endExertion, { exertionId: exertion.exertionId ?? "0" }, { signal });
      await draw();
      done.show(t("ended"));
      to.focus();
    } catch (failure) {
      if (!signal.aborted) problem.textContent = describeError(failure, locale.language);
      button.disabled = false;
    }
  };
  const table = new Table<Exertion>([
    { head: t("begins"), cell: (exertion) => moment(exertion.from) },
    { head: t("ends"), cell: (exertion) => moment(exertion.to) },
    {
      head: t("action"),
      cell(exertion) {
        const button = element("button", { type: "button" }, t(hasBegun(exertion) ? "end" : "withdraw"));
        button.addEventListener("click", () => void end(exertion, button));
        return button;
      },
    },
  ], { caption: t("exertionsCaption"), none: t("noExertions") }, locale);
  const draw = async (): Promise<void> => {
    table.draw((await client.unary(SosService.listExertions, {}, { signal })).exertions ?? []);
  };
  const from = momentField({ name: "from", label: t("from"), optional: true, refused: t("fromRefused") }, locale);
  const to = momentField({ name: "to", label: t("to"), refused: t("toRefused") }, locale);
  const form = new Form({
    fields: [from, to], submit: t("declare"),
    async send() {
      done.show("");
      const [begin, finish] = [from.value(), to.value()];
      await client.unary(SosService.declareExertion, {
        ...(begin ? { from: begin.toISOString() } : {}), ...(finish ? { to: finish.toISOString() } : {}),
      }, { signal });
      await draw();
      done.show(t("declared"));
    },
    problems: (failure) => (failure instanceof ConnectError && failure.is("TOO_MANY_EXERTIONS")
      ? { fields: {}, whole: t("tooManyExertions") } : undefined),
  }, locale, signal);
  await draw();
  return {
    title: t("exertions"),
    content: [
      sosNavigation("/sos/exertions", locale.language), element("p", {}, t("exertionsWhat")),
      element("div", { class: "narrow" }, form.node, done.node), problem, table.node,
    ],
  };
}
