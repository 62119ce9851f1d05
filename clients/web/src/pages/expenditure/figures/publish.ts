import { ExpenditureService } from "../../../api/expenditure_v1.js";
import type { Release } from "../../../api/expenditure_v1.js";
import { ConnectError } from "../../../connect/errors.js";
import { translator } from "../../../language/words.js";
import { ask } from "../../../parts/dialog.js";
import { textField } from "../../../parts/field.js";
import { Form } from "../../../parts/form.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { isBlocked } from "./contents.js";
import { words } from "./words.js";

const reasonLeast = 20;
const reasonMost = 1000;

/**
 * Publishes a draft after asking. Where a check has failed, it needs a reason that visitors will see.
 * @param published is told of the release as it is then.
 */
export function publishForm(context: PageContext, draft: Release, published: (release: Release) => void): HTMLElement {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const number = draft.number ?? "0";
  const reason = textField({
    name: `reason-${number}`, label: t("reason"), hint: t("reasonHint"), isLong: true, maxLength: reasonMost,
    api: ["override_reason"],
    check: (text) => ([...text].length < reasonLeast ? t("reasonShort") : undefined),
  }, locale);
  const place = element("div");
  const problem = (failure: unknown): string | undefined => {
    if (!(failure instanceof ConnectError)) return undefined;
    if (failure.code === "aborted") return t("changed");
    return undefined;
  };
  const publish = async (overrideReason: string): Promise<void> => {
    let answer: Release | undefined;
    const act = async (): Promise<void> => {
      const { release } = await client.unary(
        ExpenditureService.publishRelease, { number, overrideReason, etag: draft.etag ?? "" }, { signal });
      answer = release;
    };
    let needsReason = false;
    const isDone = await ask({
      title: t("publish", { number }), content: [element("p", {}, t("publishWhat"))], confirm: t("publishConfirm"), act,
      problem(failure) {
        needsReason = failure instanceof ConnectError && failure.reason === "CHECKS_FAILED";
        return needsReason ? t("blocked") : problem(failure);
      },
    }, locale, signal);
    if (isDone && answer) published(answer);
    else if (needsReason) withReason();
  };
  const withReason = (): void => {
    const form = new Form({
      fields: [reason], content: [element("p", { class: "problem" }, t("blocked")), reason.node],
      submit: t("publish", { number }), label: t("publish", { number }), send: () => publish(reason.value() ?? ""),
    }, locale, signal);
    place.replaceChildren(form.node);
    form.node.classList.add("narrow");
  };
  if (isBlocked(draft)) {
    withReason();
  } else {
    const button = element("button", { type: "button" }, t("publish", { number }));
    button.addEventListener("click", () => void publish(""));
    place.append(element("div", { class: "buttons" }, button));
  }
  return place;
}
