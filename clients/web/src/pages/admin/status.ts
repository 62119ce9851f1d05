import { AdminService } from "../../api/admin_v1.js";
import type { GetDispatchStatusResponse } from "../../api/admin_v1.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { textField } from "../../parts/field.js";
import { dateOf, momentText } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { words } from "./words.js";

/** Whether calls for help are meant. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const standing = element("p", { tabindex: "-1" });
  const record = element("p", { class: "hint" });
  const change = element("button", { type: "button" });
  let isActual = false;
  const draw = (answer: GetDispatchStatusResponse): void => {
    isActual = answer.status === "DISPATCH_STATUS_ACTUAL";
    standing.className = isActual ? "banner actual value" : "exercise banner";
    standing.textContent = t(isActual ? "statusActual" : "statusExercise");
    const changed = dateOf(answer.changed);
    record.textContent = changed
      ? t("statusSet", { time: momentText(changed, locale), number: answer.changedBy ?? "", reason: answer.reason ?? "" })
      : t("statusNever");
    change.textContent = t(isActual ? "makeExercise" : "makeActual");
  };
  const get = (): Promise<GetDispatchStatusResponse> => client.unary(AdminService.getDispatchStatus, {}, { signal });
  change.addEventListener("click", () => {
    const reason = textField({ name: "reason", label: t("reason"), maxLength: 500, autocomplete: "off" }, locale);
    void ask({
      title: t(isActual ? "makeExerciseTitle" : "makeActualTitle"),
      content: [element("p", {}, t(isActual ? "makeExerciseText" : "makeActualText")), reason.node],
      confirm: t(isActual ? "makeExercise" : "makeActual"),
      async act() {
        const problem = reason.problem();
        reason.show(problem);
        if (problem !== undefined) {
          reason.focus();
          throw new MissingReason();
        }
        await client.unary(AdminService.setDispatchStatus, {
          status: isActual ? "DISPATCH_STATUS_EXERCISE" : "DISPATCH_STATUS_ACTUAL", reason: reason.value() ?? "",
        }, { signal });
        draw(await get());
      },
      problem: (failure) => (failure instanceof MissingReason ? "" : undefined),
    }, locale, signal).then((isDone) => { if (isDone) standing.focus(); });
  });
  draw(await get());
  return {
    title: t("status"),
    content: [
      adminNavigation("/admin/status", locale.language), element("p", {}, t("statusWhat")), standing, record,
      element("div", { class: "buttons" }, change),
    ],
  };
}

/** Said at the field itself. */
class MissingReason extends Error {}
