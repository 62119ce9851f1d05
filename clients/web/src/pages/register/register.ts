import { IdentityService } from "../../api/identity_v1.js";
import { logIn } from "../../session/session.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import type { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { RequestIds } from "../../parts/request_ids.js";
import { askedFields, fieldValues } from "../../registration/form_fields.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { safeAddress } from "../../shell/routes.js";
import { personParts } from "./person.js";
import { problemsOf } from "./problems.js";
import { thirdPartyParts } from "./third_party.js";
import { words } from "./words.js";

/** What the form of one kind of account is made of, besides the fields that administrators have decided on. */
export interface RegistrationParts {
  readonly username: Field<string>;
  readonly password: Field<string>;
  readonly fields: ReadonlyArray<Pick<Field<never>, "name" | "node" | "problem" | "show" | "focus" | "refused" | "api">>;
  /** Before the fields of administrators, and after them. */
  readonly before: readonly Node[];
  readonly after: readonly Node[];
  /** @param fields what was entered in those of administrators. */
  register(fields: ReturnType<typeof fieldValues>, requestId: string): Promise<unknown>;
}

/** Makes an account, and signs its owner in; goes on to the address in `next`. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, query, session, signal } = context;
  const t = translator(words, locale.language);
  if (session) return { title: t("title"), content: [element("p", {}, t("signedIn", { username: session.username }))] };
  const isPerson = query.get("kind") !== "third-party";
  const kind = isPerson ? "ACCOUNT_KIND_PERSON" : "ACCOUNT_KIND_THIRD_PARTY";
  const form = (await client.unary(IdentityService.getRegistrationForm, { kind }, { signal })).fields ?? [];

  const parts = isPerson ? personParts(context) : thirdPartyParts(context);
  const asked = askedFields(form, new Map(), locale);
  const more = asked.length === 0 ? [] : [element("h2", {}, t("more")), ...asked.map(({ field }) => field.node)];
  const requestIds = new RequestIds();
  const shown = new Form({
    fields: [...parts.fields, ...asked.map(({ field }) => field)],
    content: [...parts.before, ...more, ...parts.after],
    submit: t("submit"),
    async send() {
      const username = parts.username.value() ?? "";
      const password = parts.password.value() ?? "";
      // What is sent again after an answer was lost makes no second account: its name is the same.
      await parts.register(fieldValues(form, asked), requestIds.of(username));
      await logIn(client, username, password);
      context.announce(t("welcome"));
      const hasSession = await context.signedIn(safeAddress(query.get("next"), location.origin));
      if (!hasSession) shown.show({ fields: {}, whole: t("noCookies") });
    },
    problems: (failure) => problemsOf(failure, locale.language),
  }, locale, signal);

  const kinds = choices(t("kinds"), [
    { label: t("asPerson"), query: { kind: undefined } }, { label: t("asThirdParty"), query: { kind: "third-party" } },
  ], "/register", query);
  const next = query.get("next");
  const signIn = element(
    "a", { href: next === null ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}` }, t("signIn"));
  return {
    title: t("title"),
    content: [
      kinds, element("p", {}, t(isPerson ? "personText" : "thirdPartyText")),
      element("p", {}, `${t("haveAccount")} `, signIn), element("div", { class: "narrow" }, shown.node),
    ],
  };
}
