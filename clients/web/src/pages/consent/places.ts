import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

const places = [["/requests", "requests"], ["/grants", "grants"], ["/ledger", "ledger"]] as const;

/** Links between the three pages of consent, with the one that is shown marked as current. */
export function placesOf(shown: typeof places[number][0], locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const links = places.map(([address, name]) => element(
    "li", {}, element("a", { href: address, ...(address === shown ? { "aria-current": "page" } : {}) }, t(name))));
  return element("nav", { class: "choices", "aria-label": t("places") }, element("ul", {}, ...links));
}
