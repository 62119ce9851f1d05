import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { pages } from "./navigation.js";
import { words } from "./words.js";

/** What an administrator can do. */
export function open(context: PageContext): Page {
  const t = translator(words, context.locale.language);
  return {
    title: t("title"),
    content: [
      element("p", {}, t("titleWhat")),
      element("ul", { class: "links" }, ...pages.map(([address, name]) => (
        element("li", {}, element("a", { href: address }, t(name)))))),
    ],
  };
}
