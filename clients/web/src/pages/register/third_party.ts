import { IdentityService } from "../../api/identity_v1.js";
import { translator } from "../../language/words.js";
import { textField } from "../../parts/field.js";
import { words as shared } from "../../registration/words.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { accountFields } from "./common.js";
import type { RegistrationParts } from "./register.js";
import { words } from "./words.js";

/** The fixed fields of a third party's registration. */
export function thirdPartyParts(context: PageContext): RegistrationParts {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const ts = translator(shared, locale.language);
  const account = accountFields(locale);
  const description = textField({
    name: "description", label: ts("description"), hint: ts("descriptionHint"), isLong: true, maxLength: 2000,
  }, locale);
  const code = textField({
    name: "code", label: t("code"), hint: t("codeHint"), autocomplete: "off", refused: t("codeRefused"),
  }, locale);

  const about = [code, description];
  return {
    username: account.username, password: account.password, fields: [...account.all, ...about],
    before: [
      element("h2", {}, t("account")), ...account.all.map(({ node }) => node),
      element("h2", {}, t("aboutThirdParty")), ...about.map(({ node }) => node),
    ],
    after: [],
    register: (fields, requestId) => client.unary(IdentityService.registerThirdParty, {
      requestId, username: account.username.value() ?? "", email: account.email.value() ?? "",
      password: account.password.value() ?? "", description: description.value() ?? "",
      code: code.value() ?? "", fields,
    }, { signal }),
  };
}
