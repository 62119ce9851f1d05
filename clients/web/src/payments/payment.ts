import type { Payment, PaymentState } from "../api/payments_v1.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import { priceText } from "./price.js";
import { words } from "./words.js";

const states: Partial<Record<PaymentState, keyof typeof words>> = {
  PAYMENT_STATE_PENDING: "pending",
  PAYMENT_STATE_AUTHORIZED: "authorized",
  PAYMENT_STATE_CAPTURED: "captured",
  PAYMENT_STATE_CANCELLED: "cancelled",
  PAYMENT_STATE_REFUNDED: "refunded",
  PAYMENT_STATE_FAILED: "failed",
};

/** Whether the provider may still say something new about it. */
export function isUnderWay(payment: Payment | undefined): boolean {
  return payment?.state === "PAYMENT_STATE_PENDING" || payment?.state === "PAYMENT_STATE_AUTHORIZED";
}

/** The price and where its payment is, in words. */
export function paymentText(payment: Payment, locale: Locale): string {
  const key = states[payment.state ?? "PAYMENT_STATE_UNSPECIFIED"];
  const state = key ? translator(words, locale.language)(key) : "";
  return [payment.price ? priceText(payment.price, locale) : "", state].filter((part) => part !== "").join(" – ");
}

/** The way to the provider's page; or, where there is none yet, that it is awaited. */
export function wayToPay(payment: Payment, locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const url = payment.paymentUrl ?? "";
  // Whatever a provider says, a link leads to a page.
  if (!/^https?:\/\//.test(url)) return element("p", {}, t("awaited"));
  const price = payment.price ? priceText(payment.price, locale) : "";
  const link = element("a", { href: url, target: "_blank", rel: "noopener noreferrer", class: "action" }, t("pay", { price }));
  return element("p", {}, link);
}
