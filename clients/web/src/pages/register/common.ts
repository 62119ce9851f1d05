import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { textField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import { newPasswordFields } from "../../registration/passwords.js";
import { words as shared } from "../../registration/words.js";
import { words } from "./words.js";

/** What every account begins with. */
export interface AccountFields {
  readonly username: Field<string>;
  readonly email: Field<string>;
  readonly password: Field<string>;
  readonly all: ReadonlyArray<Field<string>>;
}

export function accountFields(locale: Locale): AccountFields {
  const t = translator(words, locale.language);
  const ts = translator(shared, locale.language);
  const username = textField({
    name: "username", label: t("username"), hint: t("usernameHint"), autocomplete: "username", maxLength: 64,
    refused: t("usernameRefused"), check: (text) => /^[A-Za-z0-9._-]{3,64}$/.test(text) ? undefined : t("usernameRefused"),
  }, locale);
  const email = textField({
    name: "email", label: ts("email"), type: "email", autocomplete: "email", maxLength: 254, refused: ts("emailRefused"),
  }, locale);
  const [password, again] = newPasswordFields(t("password"), "password", locale);
  return { username, email, password, all: [username, email, password, again] };
}
