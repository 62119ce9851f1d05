import type { Price } from "../api/payments_v1.js";
import { toBigInt } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";

/** A price as people write it, for an amount in the currency's smallest unit. */
export function priceText(price: Price, locale: Locale): string {
  const format = new Intl.NumberFormat(locale.tag, { style: "currency", currency: price.currencyCode || "XXX" });
  const digits = format.resolvedOptions().maximumFractionDigits;
  return format.format(Number(toBigInt(price.minorUnits)) / 10 ** digits);
}
