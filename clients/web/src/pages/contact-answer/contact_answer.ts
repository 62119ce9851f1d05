import { SosService } from "../../api/sos_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import type { Problems } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/**
 * Where somebody whom a person has named answers, with the code that was sent: no account is needed. A link carries the
 * code behind "#", which no server is sent and no log has; here it goes into the field and out of the address.
 */
export function open(context: PageContext): Page {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const code = textField({
    name: "code", label: t("code"), hint: t("codeHint"), refused: t("codeRefused"), autocomplete: "off",
    value: decoded(location.hash.slice(1)),
  }, locale);
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);

  const meaning = (failure: unknown): string | undefined => {
    if (!(failure instanceof ConnectError)) return undefined;
    if (failure.is("NO_CONTACT_CODE")) return t("unknown");
    if (failure.is("CONTACT_REFUSED")) return t("refusedBefore");
    if (failure.is("TOO_MANY_CONTACT_ANSWERS")) return t("tooMany");
    return failure.violations.has("code") ? t("codeRefused") : undefined;
  };
  const problems = (failure: unknown): Problems | undefined => {
    const text = meaning(failure);
    return text === undefined ? undefined : { fields: { [code.name]: text } };
  };
  const show = (title: string, ...texts: readonly string[]): void => {
    const heading = element("h2", { tabindex: "-1" }, title);
    place.replaceChildren(heading, ...texts.map((text) => element("p", {}, text)));
    heading.focus();
  };
  const form = new Form({
    fields: [code], submit: t("agree"), label: t("title"),
    async send() {
      const { personName } = await client.unary(SosService.confirmContact, { code: code.value() ?? "" }, { signal });
      show(t("agreedTitle"), t("agreed", { name: personName ?? "" }), t("changeMind"));
    },
    problems,
  }, locale, signal);
  const refuse = element("button", { type: "button" }, t("refuse"));
  refuse.addEventListener("click", () => {
    const missing = code.problem();
    form.show({ fields: missing === undefined ? {} : { [code.name]: missing } });
    if (missing !== undefined) return;
    void ask({
      title: t("refuseTitle"), content: [element("p", {}, t("refuseText"))], confirm: t("refuse"),
      act: async () => { await client.unary(SosService.refuseContact, { code: code.value() ?? "" }, { signal }); },
      problem: (failure) => meaning(failure) ?? describeError(failure, locale.language),
    }, locale, signal).then((isDone) => { if (isDone) show(t("refusedTitle"), t("refused")); });
  });
  const place = element(
    "div", { class: "narrow" }, element("p", {}, t("what")), form.node, element("div", { class: "buttons" }, refuse));
  return { title: t("title"), content: [place] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
