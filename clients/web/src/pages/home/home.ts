import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { links, waysOut } from "./links.js";
import { words } from "./words.js";

/** Where somebody can go from here, and what waits for them. */
export function open(context: PageContext): Page {
  const { locale, session } = context;
  const t = translator(words, locale.language);
  if (!session) {
    const actions = element(
      "p", { class: "buttons" }, element("a", { href: "/sign-in", class: "action" }, t("signIn")),
      element("a", { href: "/register", class: "action" }, t("register")));
    const receipt = element("p", {}, element("a", { href: "/erasure" }, t("erasure")));
    return { title: t("title"), content: [element("p", {}, t("what")), actions, receipt] };
  }
  const places = (session.isDisabled ? waysOut : links[session.kind]).map(({ address, title, text }) => element(
    "li", { class: "card" }, element("h2", {}, element("a", { href: address }, t(title))), element("p", {}, t(text))));
  return {
    title: t("title"),
    content: [
      element("p", {}, t("welcome", { username: session.username })),
      ...(session.isDisabled ? [element("p", {}, t("isDisabled"))] : []), unreadLine(context),
      element("ul", { class: "tiles", "aria-label": t("places") }, ...places),
    ],
  };
}

/** How many notifications are not read, if any, with the way to them. */
function unreadLine({ inbox, locale, signal }: PageContext): HTMLElement {
  const t = translator(words, locale.language);
  const line = element("p");
  const show = (unread: number | undefined): void => {
    line.hidden = !unread;
    const count = new Intl.NumberFormat(locale.tag).format(unread ?? 0);
    line.replaceChildren(`${t("unread", { count })} `, element("a", { href: "/notifications?unread=1" }, t("readThem")));
  };
  show(inbox?.unread);
  inbox?.listen({ counted: show }, signal);
  return line;
}
