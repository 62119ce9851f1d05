import { ConnectError } from "../../connect/errors.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import { words } from "./words.js";

export type Field = "username" | "password";

/** What is wrong with the form: at its fields, and with the whole. */
export interface Problems {
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  readonly whole?: string;
}

/** What is missing before anything is sent; undefined if nothing is. */
export function missing(username: string, password: string, language: Language): Problems | undefined {
  const t = translator(words, language);
  const fields = {
    ...(username.trim() === "" ? { username: t("usernameMissing") } : {}),
    ...(password === "" ? { password: t("passwordMissing") } : {}),
  };
  return Object.keys(fields).length === 0 ? undefined : { fields };
}

/** What the API calls the fields of the form. */
const names: Readonly<Record<Field, string>> = { username: "name", password: "password" };

/** What the server's answer means for the form. */
export function problemsOf(failure: unknown, language: Language): Problems {
  const t = translator(words, language);
  if (!(failure instanceof ConnectError)) return { fields: {}, whole: describeError(failure, language) };
  if (failure.is("LOG_IN_LOCKED")) return { fields: {}, whole: t("locked") };
  if (failure.is("TOO_MANY_WRONG_PASSWORDS")) return { fields: {}, whole: t("tooMany") };
  if (failure.code === "unauthenticated") return { fields: {}, whole: t("wrong") };
  const fields: Partial<Record<Field, string>> = {};
  for (const field of ["username", "password"] as const) {
    if (failure.violations.has(names[field])) fields[field] = t("refused");
  }
  return Object.keys(fields).length > 0 ? { fields } : { fields: {}, whole: describeError(failure, language) };
}
