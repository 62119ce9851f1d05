import { languages, translator } from "../language/words.js";
import type { Language } from "../language/words.js";
import type { Session } from "../session/session.js";
import { element } from "./element.js";
import { routes } from "./routes.js";
import { words } from "./words.js";

/** What is around every page, by its places in index.html. */
export interface Places {
  readonly skip: HTMLElement;
  readonly header: HTMLElement;
  readonly footer: HTMLElement;
}

/** What can be done there. */
export interface Actions {
  signOut(): void;
  choose(language: Language): void;
}

const ownNames: Record<Language, string> = { en: "English", it: "Italiano" };

/**
 * Fills header and footer for a language and a session, with the link to the page that is shown marked as current.
 * @param notices the link to the notifications of whoever is signed in.
 */
export function drawChrome(
  places: Places, language: Language, session: Session | undefined, path: string, notices: Node | undefined,
  actions: Actions,
): void {
  const t = translator(words, language);
  places.skip.textContent = t("skip");

  const anchor = (address: string, text: string): HTMLElement => element(
    "a", { href: address, ...(address === path ? { "aria-current": "page" } : {}) }, text);
  const link = (address: string, text: string): HTMLElement => element("li", {}, anchor(address, text));
  const links = routes.flatMap(({ address, kinds, link: name }) => (
    name && (!kinds || (session && kinds.includes(session.kind))) ? [link(address, t(name))] : []));
  const account = element("div", { class: "account" });
  if (session) {
    const signOut = element("button", { type: "button" }, t("signOut"));
    signOut.addEventListener("click", () => actions.signOut());
    if (notices) account.append(notices);
    const own = element(
      "a", { href: "/settings", ...(path === "/settings" ? { "aria-current": "page" } : {}) },
      t("signedInAs", { username: session.username }));
    account.append(own, signOut);
  } else {
    links.push(link("/sign-in", t("signIn")));
  }
  places.header.replaceChildren(
    element("p", { class: "product" }, "TrackMe"),
    element("nav", { "aria-label": t("pages") }, element("ul", {}, ...links)), account);

  const choices = languages.map((choice) => {
    const button = element(
      "button", { type: "button", lang: choice, "aria-pressed": String(choice === language) }, ownNames[choice]);
    button.addEventListener("click", () => actions.choose(choice));
    return button;
  });
  places.footer.replaceChildren(
    element("div", { role: "group", "aria-label": t("language") }, ...choices),
    element("p", {}, anchor("/accessibility", t("accessibility"))));
}
