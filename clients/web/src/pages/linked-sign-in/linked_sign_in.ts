import { IdentityService } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { siteFacts } from "../../shell/site.js";
import { words } from "./words.js";

/** What an issuer has answered, for as long as the page waits for the password: good once, and in this browser alone. */
let answered: { readonly state: string; readonly code: string } | undefined;

/** Links the account with a sign-in at the issuer, or ends the link. */
export async function open(context: PageContext): Promise<Page> {
  const t = translator(words, context.locale.language);
  const { openIdName: name } = await siteFacts(context.client, context.signal);
  if (name === undefined) return { title: t("title"), content: [element("p", {}, t("none"))] };
  takeAnswer();
  const place = element("div", { class: "narrow" });
  if (answered) place.append(confirmation(context, name, place));
  else beginning(context, name, place, problemOf(context.query.get("problem"), name, context.locale.language));
  return { title: t("title"), content: [place, ending(context)] };
}

/** Takes the answer out of the address, where it need not stand any longer. */
function takeAnswer(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const [state, code] = [parameters.get("state"), parameters.get("code")];
  if (state === null || code === null) return;
  answered = { state, code };
  history.replaceState(null, "", location.pathname);
}

function problemOf(problem: string | null, name: string, language: Language): string | undefined {
  const t = translator(words, language);
  switch (problem) {
    case null: return undefined;
    case "refused": return t("refused");
    case "unavailable": return t("unavailable", { name });
    default: return t("again");
  }
}

/** What the page says, and the way to the issuer. */
function beginning(context: PageContext, name: string, place: HTMLElement, problem?: string): void {
  const t = translator(words, context.locale.language);
  place.replaceChildren(
    ...(problem === undefined ? [] : [element("p", { class: "problem", role: "alert" }, problem)]),
    element("p", {}, t("what", { name })),
    element("p", {}, element("a", { class: "button", href: "/web/session/openid/link" }, t("begin", { name }))));
}

/** Asks for the password; whatever comes of it, the issuer's answer is used up. */
function confirmation(context: PageContext, name: string, place: HTMLElement): HTMLElement {
  const { language } = context.locale;
  const t = translator(words, language);
  const password = textField({
    name: "password", label: t("password"), type: "password", autocomplete: "current-password",
    missing: t("passwordMissing"),
  }, context.locale);
  const form = new Form({
    fields: [password], submit: t("submit"),
    async send() {
      const { state, code } = answered ?? { state: "", code: "" };
      answered = undefined;
      try {
        await context.client.exchange(
          "POST", `/web/session/openid/link?${String(new URLSearchParams({ state, code }))}`,
          { password: password.value() ?? "" }, { signal: context.signal });
      } catch (failure) {
        if (!context.signal.aborted) beginning(context, name, place, failed(failure, name, language));
        return;
      }
      if (context.signal.aborted) return;
      const done = element("p", { role: "status", tabindex: "-1" }, t("linked", { name }));
      place.replaceChildren(done);
      done.focus();
    },
  }, context.locale, context.signal);
  return element("div", {}, element("p", {}, t("confirm", { name })), form.node);
}

function failed(failure: unknown, name: string, language: Language): string {
  const t = translator(words, language);
  if (!(failure instanceof ConnectError)) return describeError(failure, language);
  if (failure.is("WRONG_PASSWORD")) return t("wrongPassword", { name });
  if (failure.is("OPENID_ALREADY_LINKED")) return t("taken");
  if (failure.is("OPENID_TOKEN_INVALID")) return t("again");
  if (failure.is("OPENID_ISSUER_UNAVAILABLE")) return t("unavailable", { name });
  return describeError(failure, language);
}

/** Ends the link, if there is one. */
function ending(context: PageContext): HTMLElement {
  const t = translator(words, context.locale.language);
  const said = element("p", { role: "status" });
  const button = element("button", { type: "button" }, t("end"));
  button.addEventListener("click", () => {
    if (button.disabled) return;
    button.disabled = true;
    context.client.unary(IdentityService.unlinkOpenID, {}, { signal: context.signal }).then(
      () => { said.textContent = t("ended"); },
      (failure: unknown) => {
        if (!context.signal.aborted) said.textContent = describeError(failure, context.locale.language);
      },
    ).finally(() => { button.disabled = false; });
  });
  return element("section", {}, element("p", {}, t("endWhat")), element("p", {}, button), said);
}
