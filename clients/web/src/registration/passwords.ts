import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { textField } from "../parts/field.js";
import type { Field } from "../parts/field.js";
import { words } from "./words.js";

/**
 * Two fields for a new password, the second one to be sure of what was typed in the first.
 * @param api what the request calls it.
 */
export function newPasswordFields(label: string, api: string, locale: Locale): [Field<string>, Field<string>] {
  const t = translator(words, locale.language);
  const password = textField({
    name: "new-password", label, type: "password", autocomplete: "new-password", hint: t("newPasswordHint"), api: [api],
    refused: t("passwordRefused"), check: (text) => isPossible(text) ? undefined : t("passwordRefused"),
  }, locale);
  const again = textField({
    name: "password-again", label: t("passwordAgain"), type: "password", autocomplete: "new-password", api: [],
    check: (text) => text === password.value() ? undefined : t("passwordsDiffer"),
  }, locale);
  return [password, again];
}

/** The rules that need no list of easy ones; the server has that. */
function isPossible(password: string): boolean {
  const characters = [...password];
  return characters.length >= 10 && characters.length <= 128 && new Set(characters).size >= 5;
}
