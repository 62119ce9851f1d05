import { translator } from "../../language/words.js";
import { logIn } from "../../session/session.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { safeAddress } from "../../shell/routes.js";
import { missing, problemsOf } from "./problems.js";
import type { Problems } from "./problems.js";
import { words } from "./words.js";

/** Begins a session, and goes on to the address in `next`. */
export function open(context: PageContext): Page {
  const { language } = context.locale;
  const t = translator(words, language);
  const username = field("username", t("username"), { type: "text", autocomplete: "username", autocapitalize: "none" });
  const password = field("password", t("password"), { type: "password", autocomplete: "current-password" });
  const fields = { username, password };
  const whole = element("p", { class: "problem", role: "alert" });
  const submit = element("button", { type: "submit" }, t("submit"));
  const form = element("form", { novalidate: "", class: "narrow" }, whole, username.row, password.row, submit);

  const show = (problems: Problems): void => {
    whole.textContent = problems.whole ?? "";
    for (const name of ["username", "password"] as const) fields[name].show(problems.fields[name]);
    const first = problems.fields.username ? username : password;
    first.input.focus();
  };

  const send = async (): Promise<void> => {
    const lacking = missing(username.input.value, password.input.value, language);
    if (lacking) return show(lacking);
    submit.disabled = true;
    try {
      await logIn(context.client, username.input.value.trim(), password.input.value);
      const hasSession = await context.signedIn(safeAddress(context.query.get("next"), location.origin));
      if (!hasSession) show({ fields: {}, whole: t("noCookies") });
    } catch (failure) {
      password.input.value = "";
      if (!context.signal.aborted) show(problemsOf(failure, language));
    } finally {
      submit.disabled = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!submit.disabled) void send();
  });
  return { title: t("title"), content: [form] };
}

interface FormField {
  readonly row: HTMLElement;
  readonly input: HTMLInputElement;
  /** Says what is wrong with it, or nothing any more. */
  show(problem: string | undefined): void;
}

function field(name: string, label: string, attributes: Readonly<Record<string, string>>): FormField {
  const input = element("input", { id: name, name, required: "", ...attributes });
  const problem = element("p", { id: `${name}-problem`, class: "problem" });
  return {
    row: element("div", { class: "field" }, element("label", { for: name }, label), input, problem),
    input,
    show(text) {
      problem.textContent = text ?? "";
      if (text === undefined) {
        input.removeAttribute("aria-invalid");
        input.removeAttribute("aria-describedby");
      } else {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", problem.id);
      }
    },
  };
}
