import { translator } from "../../language/words.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { logIn } from "../../session/session.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { safeAddress } from "../../shell/routes.js";
import { issuerPlace, issuerProblem } from "./issuer.js";
import { problemsOf } from "./problems.js";
import { words } from "./words.js";

/** Begins a session, and goes on to the address in `next`. */
export function open(context: PageContext): Page {
  const { locale, signal } = context;
  const t = translator(words, locale.language);
  const username = textField({
    name: "username", label: t("username"), autocomplete: "username", missing: t("usernameMissing"), api: ["name"],
  }, locale);
  const password = textField({
    name: "password", label: t("password"), type: "password", autocomplete: "current-password",
    missing: t("passwordMissing"),
  }, locale);
  const form = new Form({
    fields: [username, password], submit: t("submit"),
    async send() {
      try {
        await logIn(context.client, username.value() ?? "", password.value() ?? "");
      } catch (failure) {
        password.set("");
        throw failure;
      }
      const hasSession = await context.signedIn(safeAddress(context.query.get("next"), location.origin));
      if (!hasSession) form.show({ fields: {}, whole: t("noCookies") });
    },
    problems: (failure) => problemsOf(failure, locale.language),
  }, locale, signal);
  const problem = issuerProblem(context);
  if (problem !== undefined) form.show({ fields: {}, whole: problem });
  const next = context.query.get("next");
  const register = element(
    "a", { href: next === null ? "/register" : `/register?next=${encodeURIComponent(next)}` }, t("register"));
  return {
    title: t("title"),
    content: [
      element("div", { class: "narrow" }, form.node, issuerPlace(context)),
      element("p", {}, `${t("noAccount")} `, register),
    ],
  };
}
