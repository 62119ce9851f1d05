import { AdminService } from "../../api/admin_v1.js";
import type { AccountDecision } from "../../api/admin_v1.js";
import type { ThirdPartyDetails } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { DoneLine } from "../../parts/done.js";
import { facts } from "../../parts/facts.js";
import { setField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { pagesOf } from "../../parts/pages_of.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { holderKindText } from "../../sharing/third_party.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { words } from "./words.js";

/** Takes accounts of persons and third parties out of use, and back; and what administrators have decided of codes and accounts. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const account = textField({
    name: "account_id", label: t("accountName"), api: ["account_id", "name"], refused: t("accountRefused"), maxLength: 254,
    autocomplete: "off", value: query.get("account") ?? "",
  }, locale);
  const what = setField<"disable" | "enable">({
    name: "what", label: t("what"), isOne: true, value: [query.get("what") === "enable" ? "enable" : "disable"],
    choices: [{ value: "disable", label: t("disable") }, { value: "enable", label: t("enable") }],
  }, locale);
  const reason = textField({ name: "reason", label: t("accountReason"), isLong: true, maxLength: 500 }, locale);
  const done = new DoneLine(context);
  const named = ({ name, kind, checked }: ThirdPartyDetails): string => (
    [name, holderKindText(kind, locale), checked || t("checkedNothing")].filter(Boolean).join(" · "));
  const about = ({ codeId, accountId, before, after }: AccountDecision): Node | string => {
    const which = [
      ...(codeId && codeId !== "0" ? [t("aboutCode", { number: codeId })] : []),
      ...(accountId && accountId !== "0" ? [t("aboutAccount", { number: accountId })] : []),
    ].join(", ");
    if (!before || !after) return which;
    return element("div", {}, which, facts([[t("before"), named(before)], [t("after"), named(after)]]));
  };
  const table = new Table<AccountDecision>([
    { head: t("time"), cell: ({ decided }) => { const at = dateOf(decided); return at ? time(at, locale) : ""; } },
    { head: t("decision"), cell: ({ kind }) => (
      kind === undefined || kind === "DECISION_KIND_UNSPECIFIED" ? "" : t(kind)) },
    { head: t("about"), isLong: true, cell: about },
    { head: t("why"), isLong: true, cell: (decision) => decision.reason ?? "" },
    { head: t("byWhom"), cell: ({ decidedBy }) => decidedBy ?? "" },
  ], { caption: t("decisions"), isLabelled: true }, locale);
  const list = async (pageToken: string): Promise<{ items: AccountDecision[]; nextPageToken: string }> => {
    const page = await client.unary(AdminService.listAccountDecisions, { pageToken }, { signal });
    return { items: page.decisions ?? [], nextPageToken: page.nextPageToken ?? "" };
  };
  const form = new Form({
    fields: [account, what, reason], submit: t("doRace"), label: t("outOfUse"),
    async send() {
      done.show("");
      const isDisabled = what.value()?.[0] !== "enable";
      const text = account.value() ?? "";
      // Usernames have 3 characters at least, and a number of an account is longer than any that somebody would choose.
      const which = /^[1-9][0-9]{9,18}$/.test(text) ? { accountId: text } : { name: text };
      const answer = await client.unary(
        isDisabled ? AdminService.disableAccount : AdminService.enableAccount, { ...which, reason: reason.value() ?? "" },
        { signal });
      done.show(t(isDisabled ? "accountDisabled" : "accountEnabled", { number: answer.accountId ?? "" }));
      reason.set("");
      table.draw((await list("")).items);
    },
    problems: (failure) => (failure instanceof ConnectError && failure.is("NO_SUCH_ACCOUNT")
      ? { fields: { [account.name]: t("accountRefused") } } : undefined),
  }, locale, signal);
  const more = await pagesOf<AccountDecision>(context, list, (items) => table.append(items));
  return {
    title: t("outOfUse"),
    content: [
      adminNavigation("/admin/accounts", locale.language), element("p", {}, t("outOfUseWhat")),
      element("div", { class: "narrow" }, form.node, done.node), table.node, more,
    ],
  };
}
