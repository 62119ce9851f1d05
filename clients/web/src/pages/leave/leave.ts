import { IdentityService } from "../../api/identity_v1.js";
import type { ErasureReceipt } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { shownOnce } from "../../parts/copy.js";
import { ask } from "../../parts/dialog.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { receiptFacts } from "../../receipts/receipt.js";
import { logOut } from "../../session/session.js";
import type { Kind } from "../../session/session.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** What ends with each kind of account. */
const ends: Readonly<Partial<Record<Kind, ReadonlyArray<keyof typeof words>>>> = {
  person: ["sessions", "devices", "grants", "identity", "kept"],
  thirdParty: ["sessions", "subscriptions", "account"],
  administrator: ["sessions", "account"],
};

/** Ends the account at its owner's word, and shows the receipt. */
export function open(context: PageContext): Page {
  const { client, locale, session, signal } = context;
  const t = translator(words, locale.language);
  const password = textField({
    name: "password", label: t("password"), hint: t("passwordHint"), type: "password", autocomplete: "current-password",
  }, locale);
  const place = element("div");
  const form = new Form({
    label: t("title"), submit: t("submit"), fields: [password],
    async send() {
      const isSure = await ask({
        title: t("sure"), content: [element("p", {}, t("sureText"))], confirm: t("confirm"), act: () => {},
      }, locale, signal);
      if (!isSure) return;
      const { receipt = {} } = await context.endSession(async () => {
        const answer = await client.unary(IdentityService.deactivateAccount, { password: password.value() ?? "" });
        // The browser's cookies are of no use any more, and it forgets them.
        await logOut(client).catch(() => {});
        return answer;
      });
      showReceipt(receipt);
    },
    problems(failure) {
      const isWrong = failure instanceof ConnectError && failure.is("WRONG_PASSWORD");
      return isWrong ? { fields: { [password.name]: t("wrongPassword") } } : undefined;
    },
  }, locale, signal);
  const items = ((session && ends[session.kind]) ?? []).map((key) => element("li", {}, t(key)));
  place.append(
    element("p", {}, t("what")), element("ul", {}, ...items), element("div", { class: "narrow" }, form.node),
    element("p", {}, element("a", { href: "/erasure" }, t("lookUp"))));
  return { title: t("title"), content: [place] };

  function showReceipt(receipt: ErasureReceipt): void {
    const heading = element("h2", { tabindex: "-1" }, t("left"));
    place.replaceChildren(
      heading, receiptFacts(receipt, locale), shownOnce(t("receipt"), receipt.receiptId ?? "", context),
      element("p", {}, t("receiptText")), element("p", {}, element("a", { href: "/erasure" }, t("lookUp"))));
    heading.focus();
    context.announce(t("left"));
  }
}
