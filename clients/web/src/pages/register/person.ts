import { IdentityService } from "../../api/identity_v1.js";
import type { Sex, SosChoice } from "../../api/identity_v1.js";
import { translator } from "../../language/words.js";
import { firstMetrics } from "../../metrics/first.js";
import { metricName } from "../../metrics/format.js";
import { dateField, numberField, setField, textField } from "../../parts/field.js";
import { words as shared } from "../../registration/words.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { accountFields } from "./common.js";
import type { RegistrationParts } from "./register.js";
import { words } from "./words.js";

/** The fixed fields of a person's registration, and the choices that can be made with it. */
export function personParts(context: PageContext): RegistrationParts {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const ts = translator(shared, locale.language);
  const account = accountFields(locale);
  const givenNames = textField({
    name: "given-names", api: ["given_names"], label: t("givenNames"), autocomplete: "given-name", maxLength: 200,
    refused: t("nameRefused"),
  }, locale);
  const familyName = textField({
    name: "family-name", api: ["family_name"], label: t("familyName"), autocomplete: "family-name", maxLength: 200,
    refused: t("nameRefused"),
  }, locale);
  const fiscalCode = textField({
    name: "fiscal-code", api: ["fiscal_code"], label: t("fiscalCode"), hint: t("fiscalCodeHint"), autocomplete: "off",
    refused: t("fiscalCodeRefused"),
    check: (text) => /^[A-Za-z0-9]{16}$/.test(text) ? undefined : t("fiscalCodeLength"),
  }, locale);
  const dateOfBirth = dateField({
    name: "date-of-birth", api: ["date_of_birth"], label: t("dateOfBirth"), autocomplete: "bday",
    refused: t("dateOfBirthRefused"), most: new Date().toISOString().slice(0, 10),
  }, locale);
  const sex = setField<Sex>({
    name: "sex", label: t("sex"), isOne: true,
    choices: [{ value: "SEX_FEMALE", label: t("female") }, { value: "SEX_MALE", label: t("male") }],
  }, locale);
  const weight = numberField({ name: "weight", api: ["weight_kg"], label: ts("weight"), least: 1, most: 700 }, locale);
  const height = numberField({ name: "height", api: ["height_cm"], label: ts("height"), least: 30, most: 280 }, locale);
  const sos = setField<SosChoice>({
    name: "sos", api: ["automated_sos"], label: t("sos"), hint: t("sosHint"), isOne: true,
    value: ["SOS_CHOICE_UNSPECIFIED"],
    choices: [
      { value: "SOS_CHOICE_UNSPECIFIED", label: t("sosByAge") }, { value: "SOS_CHOICE_ON", label: t("sosOn") },
      { value: "SOS_CHOICE_OFF", label: t("sosOff") },
    ],
  }, locale);
  const sharing = setField<string>({
    name: "sharing", api: ["anonymous_metrics"], label: t("sharing"), hint: t("sharingHint"), optional: true,
    choices: firstMetrics.map((name) => ({ value: name, label: metricName(name, undefined, locale) })),
  }, locale);

  const about = [givenNames, familyName, fiscalCode, dateOfBirth, sex, weight, height];
  return {
    username: account.username, password: account.password,
    fields: [...account.all, ...about, sos, sharing],
    before: [
      element("h2", {}, t("account")), ...account.all.map(({ node }) => node),
      element("h2", {}, t("about")), element("p", { class: "hint" }, t("aboutHint")), ...about.map(({ node }) => node),
    ],
    after: [element("h2", {}, t("yourChoices")), sos.node, sharing.node],
    register: (fields, requestId) => client.unary(IdentityService.registerPerson, {
      requestId, username: account.username.value() ?? "", email: account.email.value() ?? "",
      password: account.password.value() ?? "", givenNames: givenNames.value() ?? "", familyName: familyName.value() ?? "",
      fiscalCode: fiscalCode.value() ?? "", dateOfBirth: dateOfBirth.value() ?? "",
      sex: sex.value()?.[0] ?? "SEX_UNSPECIFIED", weightKg: weight.value() ?? 0, heightCm: height.value() ?? 0, fields,
      automatedSos: sos.value()?.[0] ?? "SOS_CHOICE_UNSPECIFIED", anonymousMetrics: [...(sharing.value() ?? [])],
    }, { signal }),
  };
}
