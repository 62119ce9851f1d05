import type { GroupEstimate, GroupBudget, PrivacyCost } from "../api/groups_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { words } from "./words.js";

/** A number with the standard deviation of the noise in it, with no more digits than the noise leaves of it. */
export function estimateText(estimate: GroupEstimate | undefined, locale: Locale, unit = ""): string {
  if (!estimate) return "";
  const error = toNumber(estimate.error);
  // Two digits of the error, and as many of the value.
  const digits = error > 0 ? Math.min(Math.max(1 - Math.floor(Math.log10(error)), 0), 6) : 0;
  const format = new Intl.NumberFormat(locale.tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const text = translator(words, locale.language)(
    "withError", { value: format.format(toNumber(estimate.value)), error: format.format(error) });
  return unit === "" ? text : `${text} ${unit}`;
}

/** What an answer costs: ε, and which share of a year's budget it is, for that is what adds up. */
export function costText(cost: PrivacyCost | undefined, budget: GroupBudget | undefined, locale: Locale): string {
  const epsilon = new Intl.NumberFormat(locale.tag, { maximumSignificantDigits: 2 }).format(toNumber(cost?.epsilon));
  const total = toNumber(budget?.total?.rho);
  if (total <= 0) return `ε = ${epsilon}`;
  return `${shareText(toNumber(cost?.rho) / total, locale)} (ε = ${epsilon})`;
}

/** A share as per cent; what is not nothing is not shown as nothing. */
export function shareText(share: number, locale: Locale): string {
  return new Intl.NumberFormat(locale.tag, { style: "percent", maximumSignificantDigits: share < 0.01 ? 1 : 3 }).format(share);
}
