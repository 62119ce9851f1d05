import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

/** Every page of the administration. */
export const pages = [
  ["/admin/status", "status"], ["/admin/dispatchers", "dispatch"], ["/admin/operators", "operators"],
  ["/admin/answers", "answers"], ["/admin/codes", "codes"], ["/admin/accounts", "outOfUse"], ["/admin/forms", "forms"], ["/admin/bridges", "bridges"],
  ["/admin/metrics", "metrics"], ["/admin/races", "races"], ["/admin/maintenance", "maintenance"],
  ["/expenditure/admin", "figures"],
] as const;

/** Links to the other pages of the administration, with the one that is shown marked as current. */
export function adminNavigation(path: string, language: Language): HTMLElement {
  const t = translator(words, language);
  return element("nav", { class: "sections", "aria-label": t("pages") }, element("ul", {}, ...pages.map(([address, name]) => element(
    "li", {}, element("a", { href: address, ...(address === path ? { "aria-current": "page" } : {}) }, t(name))))));
}
