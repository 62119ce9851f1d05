import { describeError } from "../errors/describe.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import { words } from "./words.js";

export interface DialogOptions {
  readonly title: string;
  readonly content: readonly Node[];
  /** What the button says that does it: a verb, not "OK". */
  readonly confirm: string;
  /** Done when it is pressed. The dialog stays, and says why, when this fails. */
  act(): Promise<void> | void;
  /** What a failure means here, where the page knows better than `describeError`; undefined where it does not. */
  problem?(failure: unknown): string | undefined;
}

/**
 * Asks before something is done that cannot be undone. Escape and the second button leave everything as it was; the focus
 * returns to where it came from.
 * @returns whether it was done.
 */
export function ask(options: DialogOptions, locale: Locale, signal: AbortSignal): Promise<boolean> {
  const t = translator(words, locale.language);
  const title = element("h2", { id: "dialog-title" }, options.title);
  const problem = element("p", { class: "problem", role: "alert" });
  const confirm = element("button", { type: "submit" }, options.confirm);
  const back = element("button", { type: "button" }, t("back"));
  const form = element(
    "form", { novalidate: "" }, ...options.content, problem, element("div", { class: "buttons" }, confirm, back));
  const dialog = element("dialog", { "aria-labelledby": title.id }, title, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    let isDone = false;
    const leave = (): void => dialog.close();
    signal.addEventListener("abort", leave);
    dialog.addEventListener("close", () => {
      signal.removeEventListener("abort", leave);
      dialog.remove();
      resolve(isDone);
    });
    back.addEventListener("click", leave);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      confirm.disabled = true;
      problem.textContent = "";
      Promise.resolve().then(() => options.act()).then(
        () => {
          isDone = true;
          dialog.close();
        },
        (failure: unknown) => {
          problem.textContent = options.problem?.(failure) ?? describeError(failure, locale.language);
          confirm.disabled = false;
        });
    });
    dialog.showModal();
    // Whoever has to scroll begins at the top, not at the button that does it.
    if (document.activeElement === confirm && dialog.scrollHeight > dialog.clientHeight) {
      title.tabIndex = -1;
      title.focus();
    }
  });
}
