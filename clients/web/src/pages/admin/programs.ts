import type { Int64 } from "../../json/scalars.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { shownOnce } from "../../parts/copy.js";
import { ask } from "../../parts/dialog.js";
import { DoneLine } from "../../parts/done.js";
import { textField } from "../../parts/field.js";
import type { Field, TextOptions } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import type { FormOptions } from "../../parts/form.js";
import { RequestIds } from "../../parts/request_ids.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { onceProblems } from "./problems.js";
import { words } from "./words.js";

/** A kind of program that an administrator makes an account for, with a token that is shown once. */
export interface Program {
  readonly create: keyof typeof words;
  readonly new: keyof typeof words;
  readonly token: keyof typeof words;
  /** What it is asked besides its name. */
  readonly more?: FormOptions["fields"];
  make(name: string, requestId: (request: unknown) => string): Promise<{ readonly number: Int64; readonly token: string }>;
  readonly revoke: keyof typeof words;
  readonly revokeText: keyof typeof words;
  readonly revoked: keyof typeof words;
  readonly number: keyof typeof words;
  end(number: Int64): Promise<unknown>;
}

/** Makes programs of a kind, and revokes them by their number. */
export function programs(program: Program, context: PageContext): Node[] {
  const { locale, signal } = context;
  const t = translator(words, locale.language);
  const name = textField({
    name: "name", label: t("name"), hint: t("nameHint"), refused: t("nameRefused"), maxLength: 64, autocomplete: "off",
  }, locale);
  const made = element("div");
  const ids = new RequestIds();
  const form = new Form({
    fields: [name, ...(program.more ?? [])], submit: t(program.create), label: t(program.new),
    async send() {
      const wanted = name.value() ?? "";
      const { number, token } = await program.make(wanted, (request) => ids.of(request));
      ids.renew();
      const once = shownOnce(t(program.token, { name: wanted, number }), token, context);
      once.tabIndex = -1;
      made.replaceChildren(once);
      once.focus();
      name.set("");
    },
    problems: onceProblems(t),
  }, locale, signal);

  const number = numberOf("number", t(program.number), context);
  const done = new DoneLine(context);
  const revoke = new Form({
    fields: [number], submit: t("revoke"), label: t(program.revoke),
    async send() {
      done.show("");
      const wanted = number.value() ?? "";
      const isSure = await ask({
        title: t(program.revoke), confirm: t("revoke"),
        content: [
          element("p", {}, `${t(program.number)}: ${wanted}`), element("p", {}, t(program.revokeText)),
          element("p", {}, t("cannotBeUndone")),
        ],
        act() {},
      }, locale, signal);
      number.focus();
      if (!isSure) return;
      await program.end(wanted);
      number.set("");
      done.show(t(program.revoked, { number: wanted }));
    },
    problems: (failure) => (failure instanceof ConnectError && failure.code === "not_found"
      ? { fields: { [number.name]: t("numberRefused") } } : undefined),
  }, locale, signal);
  return [
    element("h2", {}, t(program.new)), element("div", { class: "narrow" }, form.node), made,
    element("h2", {}, t(program.revoke)), element("div", { class: "narrow" }, revoke.node, done.node),
  ];
}

/** A number of an account or a race: digits, of which there may be more than a JSON number keeps. */
export function numberOf(
  name: string, label: string, context: PageContext, more: Partial<Pick<TextOptions, "hint" | "refused" | "value">> = {},
): Field<string> {
  const t = translator(words, context.locale.language);
  const field = textField({
    name, label, maxLength: 19, autocomplete: "off", ...more,
    check: (text) => (/^[1-9][0-9]{0,18}$/.test(text) ? undefined : t("numberNeeded")),
  }, context.locale);
  field.node.querySelector("input")?.setAttribute("inputmode", "numeric");
  return field;
}
