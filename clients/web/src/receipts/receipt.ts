import type { ErasureReceipt } from "../api/identity_v1.js";
import { toBigInt } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { facts } from "../parts/facts.js";
import { dateOf, time } from "../parts/time.js";
import { element } from "../shell/element.js";
import { words } from "./words.js";

/** What a receipt says of an erasure: how far it is, and what no erasure can take back. */
export function receiptFacts(receipt: ErasureReceipt, locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const moment = (at: string | undefined): Node | undefined => {
    const date = dateOf(at);
    return date && time(date, locale);
  };
  const recipients = receipt.recipients ?? [];
  const isErased = receipt.erased !== undefined;
  return facts([
    [t("requested"), moment(receipt.requested)],
    [t("state"), t(isErased ? "erased" : "running")],
    [t("due"), isErased ? undefined : moment(receipt.due)],
    [t("erasedAt"), moment(receipt.erased)],
    [t("readings"), isErased ? new Intl.NumberFormat(locale.tag).format(toBigInt(receipt.erasedReadings)) : undefined],
    [
      t("recipients"),
      recipients.length === 0
        ? t("noRecipients") : element("ul", { class: "plain" }, ...recipients.map((name) => element("li", {}, name))),
    ],
  ]);
}
