import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import type { Problems } from "../../parts/form.js";
import { words } from "./words.js";

/** What the server's answer means for a sign-in; undefined where that is what it means for every form. */
export function problemsOf(failure: unknown, language: Language): Problems | undefined {
  const t = translator(words, language);
  if (!(failure instanceof ConnectError)) return undefined;
  if (failure.is("LOG_IN_LOCKED")) return { fields: {}, whole: t("locked") };
  if (failure.is("TOO_MANY_WRONG_PASSWORDS")) return { fields: {}, whole: t("tooMany") };
  if (failure.code === "unauthenticated") return { fields: {}, whole: t("wrong") };
  return undefined;
}
