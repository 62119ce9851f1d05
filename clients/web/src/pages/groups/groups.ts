import { GroupService } from "../../api/groups_v1.js";
import type { GroupBudget, PrivacyCost } from "../../api/groups_v1.js";
import { ReadingService } from "../../api/readings_v1.js";
import { shareText } from "../../groups/numbers.js";
import { toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { facts } from "../../parts/facts.js";
import { Form } from "../../parts/form.js";
import { dateOf, momentText } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { problemsOf, problemText } from "./problems.js";
import { QuestionForm } from "./question_form.js";
import { Result } from "./result.js";
import { words } from "./words.js";

/** Asks about an anonymous group: first what an answer costs, then for the answer. The address has the question. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const [registry, { budget }] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }), client.unary(GroupService.getGroupBudget, {}, { signal })]);
  const metrics = registry.metrics ?? [];
  const left = element("section", { class: "budget", "aria-labelledby": "budget" });
  const spend = (now: GroupBudget | undefined): void => {
    const total = toNumber(now?.total?.rho);
    const renewed = dateOf(now?.renewed);
    const share = (cost: PrivacyCost | undefined): string => (
      t("leftOf", { share: shareText(total > 0 ? toNumber(cost?.rho) / total : 0, locale) }));
    left.replaceChildren(element("h2", { id: "budget" }, t("budget")), facts([
      [t("left"), share(now?.left)],
      [t("reserved"), t("reservedText", { share: share(now?.reserved) })],
      [t("leftInYear"), t("leftInYearText", { share: share(now?.leftInYear) })],
      [t("renewed"), renewed && momentText(renewed, locale, { dateStyle: "medium", timeZone: "UTC" })],
    ]));
  };
  spend(budget);

  const asked = new QuestionForm(context, metrics);
  const result = new Result(context, metrics, spend);
  const form = new Form({
    fields: asked.fields, content: asked.content, submit: t("see"),
    async send() {
      context.keep(asked.address());
      await result.cost(asked.question());
      result.focus();
    },
    problems: (failure) => problemsOf(failure, locale.language),
  }, locale, signal);
  if (context.query.has("metrics")) {
    try {
      await result.cost(asked.question());
    } catch (failure) {
      result.node.replaceChildren(element("p", { class: "problem" }, problemText(failure, locale.language)));
    }
  }
  return { title: t("title"), content: [element("p", {}, t("intro")), left, element("div", { class: "question" }, form.node), result.node] };
}
