import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import type { Problems } from "../../parts/form.js";
import { words } from "./words.js";

/** What the server's answer means for a registration; undefined where that is what it means for every form. */
export function problemsOf(failure: unknown, language: Language): Problems | undefined {
  const t = translator(words, language);
  if (!(failure instanceof ConnectError)) return undefined;
  if (failure.is("USERNAME_TAKEN")) return { fields: { username: t("usernameTaken") } };
  if (failure.is("CODE_USED")) return { fields: { code: t("codeUsed") } };
  // Fields were added or taken away since the form was asked for.
  const isOther = [...failure.violations.keys()].some((path) => path === "fields" || /^fields\[\d+\]\.name$/.test(path));
  return isOther ? { fields: {}, whole: t("formChanged") } : undefined;
}
