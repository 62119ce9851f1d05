import { IdentityService } from "../../api/identity_v1.js";
import type { Account, FieldValue, UpdateAccountRequest } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { DoneLine } from "../../parts/done.js";
import { numberField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { askedFields, fieldValues } from "../../registration/form_fields.js";
import { words as shared } from "../../registration/words.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/**
 * What can be changed of an account besides its password.
 * @throws ConnectError where the form cannot be had.
 */
export async function profileSection(account: Account, context: PageContext): Promise<Node[]> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const ts = translator(shared, locale.language);
  const { kind, person, thirdParty } = account;
  const hasForm = kind === "ACCOUNT_KIND_PERSON" || kind === "ACCOUNT_KIND_THIRD_PARTY";
  const form = hasForm ? (await client.unary(IdentityService.getRegistrationForm, { kind }, { signal })).fields ?? [] : [];

  const email = textField({
    name: "email", label: ts("email"), type: "email", autocomplete: "email", maxLength: 254, refused: ts("emailRefused"),
    value: account.email ?? "",
  }, locale);
  const weight = person && numberField({
    name: "weight", api: ["weight_kg"], label: ts("weight"), least: 1, most: 700, value: toNumber(person.weightKg),
  }, locale);
  const height = person && numberField({
    name: "height", api: ["height_cm"], label: ts("height"), least: 30, most: 280, value: toNumber(person.heightCm),
  }, locale);
  const description = thirdParty && textField({
    name: "description", label: ts("description"), hint: ts("descriptionHint"), isLong: true, maxLength: 2000,
    value: thirdParty.description ?? "",
  }, locale);
  const known = new Map((account.fields ?? []).map(({ name = "", value = "" }) => [name, value]));
  const asked = askedFields(form, known, locale);

  let etag = account.etag ?? "";
  let before = texts();
  const done = new DoneLine(context);
  const shown = new Form({
    label: t("profile"), submit: t("save"),
    fields: [
      email, ...(weight ? [weight] : []), ...(height ? [height] : []), ...(description ? [description] : []),
      ...asked.map(({ field }) => field),
    ],
    async send() {
      done.show("");
      const now = texts();
      const answer = await client.unary(IdentityService.updateAccount, changes(now), { signal });
      etag = answer.account?.etag ?? etag;
      before = now;
      done.show(t("saved"));
    },
    problems(failure) {
      const isOther = failure instanceof ConnectError
        && [...failure.violations.keys()].some((path) => path === "fields" || /^fields\[\d+\]\.name$/.test(path));
      return isOther ? { fields: {}, whole: t("formChanged") } : undefined;
    },
  }, locale, signal);
  return [element("h2", {}, t("profile")), element("div", { class: "narrow" }, shown.node, done.node)];

  function texts(): { email: string; weight: number; height: number; description: string; fields: FieldValue[] } {
    return {
      email: email.value() ?? "", weight: weight?.value() ?? 0, height: height?.value() ?? 0,
      description: description?.value() ?? "", fields: fieldValues(form, asked),
    };
  }

  /** What is not as it was: what somebody else changes meanwhile stays. */
  function changes(now: ReturnType<typeof texts>): UpdateAccountRequest {
    return {
      etag,
      ...(now.email === before.email ? {} : { email: now.email }),
      ...(now.weight === before.weight ? {} : { weightKg: now.weight }),
      ...(now.height === before.height ? {} : { heightCm: now.height }),
      ...(now.description === before.description ? {} : { description: now.description }),
      ...(JSON.stringify(now.fields) === JSON.stringify(before.fields) ? {} : { fields: now.fields }),
    };
  }
}
