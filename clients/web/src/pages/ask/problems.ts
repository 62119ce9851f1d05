import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import type { Problems } from "../../parts/form.js";
import { words } from "./words.js";

/** What the server's answer means for a request; undefined where that is what it means for every form. */
export function problemsOf(failure: unknown, language: Language): Problems | undefined {
  const t = translator(words, language);
  if (!(failure instanceof ConnectError)) return undefined;
  if (failure.is("NO_SUCH_PERSON")) return { fields: { fiscalCode: t("nobody") } };
  if (failure.is("TOO_MANY_LOOKUPS")) return { fields: {}, whole: t("tooManyLookups") };
  if (failure.is("TOO_MANY_REQUESTS")) return { fields: {}, whole: t("tooManyRequests") };
  return undefined;
}
