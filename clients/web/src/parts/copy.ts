import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";
import { words } from "./words.js";

/**
 * A button that copies a text, and says so.
 * @param what the text is, for those who hear the button alone.
 */
export function copyButton(
  text: string, what: string, context: Pick<PageContext, "locale" | "announce">,
): HTMLElement {
  const t = translator(words, context.locale.language);
  const button = element("button", { type: "button", class: "copy", "aria-label": t("copyWhat", { what }) }, t("copy"));
  button.addEventListener("click", () => {
    // Without TLS a browser has no clipboard for pages.
    const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => "copied" as const, () => "notCopied" as const).then((key) => {
      button.textContent = t(key);
      context.announce(t(key));
    });
  });
  return button;
}

/**
 * A secret that the server tells once: the only moment to keep it.
 * @param what it is, such as "Token of the dispatcher".
 */
export function shownOnce(
  what: string, secret: string, context: Pick<PageContext, "locale" | "announce">,
): HTMLElement {
  const t = translator(words, context.locale.language);
  return element(
    "div", { class: "card once", role: "group", "aria-label": what },
    element("p", { class: "once-what" }, what), element("code", { class: "once-secret" }, secret),
    copyButton(secret, what, context), element("p", { class: "hint" }, t("shownOnce")));
}
