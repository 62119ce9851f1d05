import { translator } from "../../language/words.js";
import type { Kind } from "../../session/session.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** Where each kind of account can go from here. */
const links: Partial<Record<Kind, ReadonlyArray<readonly [address: string, name: keyof typeof words]>>> = {
  person: [["/status", "status"], ["/sos", "sos"], ["/emergencies", "emergencies"]],
  thirdParty: [["/ask", "ask"], ["/asked", "asked"], ["/subscriptions", "subscriptions"]],
  administrator: [["/admin", "admin"]],
  deskOperator: [["/desk", "desk"]],
};

/** Where somebody can go from here. */
export function open(context: PageContext): Page {
  const t = translator(words, context.locale.language);
  const { session } = context;
  const link = ([address, name]: readonly [string, keyof typeof words]): HTMLElement => (
    element("li", {}, element("a", { href: address }, t(name))));
  const content: Node[] = [element("p", {}, session ? t("welcome", { username: session.username }) : t("what"))];
  const own = session && links[session.kind];
  if (!session) content.push(element("p", {}, element("a", { href: "/sign-in" }, t("signIn"))));
  else if (own) content.push(element("ul", { class: "links" }, ...own.map(link)));
  else content.push(element("p", {}, t("byProgram")));
  return { title: t("title"), content };
}
