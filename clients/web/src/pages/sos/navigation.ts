import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

const pages = [
  ["/sos", "settingsLink"], ["/sos/contacts", "contactsLink"], ["/sos/limits", "limitsLink"],
  ["/sos/exertions", "exertions"], ["/emergencies", "emergenciesLink"],
] as const;

/** Links to the other pages of AutomatedSOS, with the one that is shown marked as current. */
export function sosNavigation(path: string, language: Language): HTMLElement {
  const t = translator(words, language);
  return element("nav", { class: "sections", "aria-label": t("pages") }, element("ul", {}, ...pages.map(([address, name]) => element(
    "li", {}, element("a", { href: address, ...(address === path ? { "aria-current": "page" } : {}) }, t(name))))));
}
