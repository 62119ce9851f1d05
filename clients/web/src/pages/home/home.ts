import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** Where somebody can go from here. */
export function open(context: PageContext): Page {
  const t = translator(words, context.locale.language);
  const { session } = context;
  const content: Node[] = [element("p", {}, session ? t("welcome", { username: session.username }) : t("what"))];
  if (!session) content.push(element("p", {}, element("a", { href: "/sign-in" }, t("signIn"))));
  else if (session.kind === "person") content.push(element("p", {}, element("a", { href: "/status" }, t("status"))));
  else if (session.kind === "thirdParty") {
    const links = ([["/ask", "ask"], ["/asked", "asked"]] as const)
      .map(([href, name]) => element("li", {}, element("a", { href }, t(name))));
    content.push(element("ul", {}, ...links));
  } else content.push(element("p", {}, t("byProgram")));
  return { title: t("title"), content };
}
