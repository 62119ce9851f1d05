import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import type { Problems } from "../../parts/form.js";
import { words } from "./words.js";

/** What the server's answer means for a subscription; undefined where that is what it means for every form. */
export function problemsOf(failure: unknown, language: Language): Problems | undefined {
  const t = translator(words, language);
  if (!(failure instanceof ConnectError)) return undefined;
  if (failure.is("TOO_MANY_SUBSCRIPTIONS")) return { fields: {}, whole: t("tooMany") };
  if (failure.is("ACCESS_STATE") || failure.is("SUBSCRIPTION_ENDED")) return { fields: {}, whole: t("notGranted") };
  if (failure.is("DELIVERY_FIXED")) return { fields: { cadence: t("fixed") } };
  if (failure.is("STALE_ETAG")) return { fields: {}, whole: t("stale") };
  return undefined;
}
