import { IdentityService } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { receiptFacts } from "../../receipts/receipt.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** Shows a receipt to whoever has its number, which is a secret: it is in no address. */
export function open(context: PageContext): Page {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const id = textField({
    name: "receipt", api: ["receipt_id"], label: t("receipt"), hint: t("receiptHint"), autocomplete: "off", maxLength: 256,
  }, locale);
  const place = element("div", { tabindex: "-1" });
  const form = new Form({
    label: t("title"), submit: t("submit"), fields: [id],
    async send() {
      place.replaceChildren();
      const { receipt = {} } = await client.unary(
        IdentityService.getErasureReceipt, { receiptId: id.value() ?? "" }, { signal });
      place.replaceChildren(receiptFacts(receipt, locale));
      place.focus();
    },
    problems(failure) {
      const isUnknown = failure instanceof ConnectError && failure.is("NO_RECEIPT");
      return isUnknown ? { fields: { [id.name]: t("unknown") } } : undefined;
    },
  }, locale, signal);
  return { title: t("title"), content: [element("p", {}, t("what")), element("div", { class: "narrow" }, form.node), place] };
}
