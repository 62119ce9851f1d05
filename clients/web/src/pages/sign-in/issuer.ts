import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { siteFacts } from "../../shell/site.js";
import { words } from "./words.js";

// Sign-in at an OpenID Connect issuer: the server leads there and back (docs/web.md, "Sign-in at an issuer").

/** What is wrong with a sign-in at an issuer that has led back here; undefined if nothing is. */
export function issuerProblem(context: Pick<PageContext, "locale" | "query">): string | undefined {
  const t = translator(words, context.locale.language);
  switch (context.query.get("problem")) {
    case null: return undefined;
    case "notBegun": return t("notBegun");
    case "refused": return t("refused");
    case "notLinked": return t("notLinked");
    case "unavailable": return t("unavailable");
    default: return t("invalid");
  }
}

/** Where a link to the issuer will be, where there is one: nobody waits for it. */
export function issuerPlace(context: Pick<PageContext, "client" | "locale" | "query" | "signal">): HTMLElement {
  const place = element("div", { class: "buttons" });
  const next = context.query.get("next");
  const address = `/web/session/openid${next === null ? "" : `?next=${encodeURIComponent(next)}`}`;
  siteFacts(context.client, context.signal).then(({ openIdName: name }) => {
    if (name === undefined || context.signal.aborted) return;
    const text = translator(words, context.locale.language)("atIssuer", { name });
    place.append(element("a", { class: "button", href: address }, text));
  }).catch(() => {
    // Whoever can't be asked for it can't be signed in with either: the form says what is wrong.
  });
  return place;
}
