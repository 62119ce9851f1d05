import { AdminService } from "../../api/admin_v1.js";
import type { ThirdPartyCode } from "../../api/admin_v1.js";
import type { HolderKind } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { shownOnce } from "../../parts/copy.js";
import { ask } from "../../parts/dialog.js";
import { choiceField, numberField, textField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { pagesOf } from "../../parts/pages_of.js";
import { RequestIds } from "../../parts/request_ids.js";
import { Table } from "../../parts/table.js";
import { dateOf, momentText, time } from "../../parts/time.js";
import { holderKindText, holderKinds } from "../../sharing/third_party.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { onceProblems } from "./problems.js";
import { words } from "./words.js";

const usualDays = 30;
const mostDays = 365;

/** Who a code is for, as it is entered. */
interface HolderFields {
  readonly company: Field<string>;
  readonly kind: Field<HolderKind>;
  readonly checked: Field<string>;
}

/** @param prefix of the names of the fields, which no two of a page share. */
function holderFields(locale: Locale, prefix: string, code: ThirdPartyCode = {}): HolderFields {
  const t = translator(words, locale.language);
  const known = holderKinds.find((each) => each === code.kind);
  return {
    company: textField({
      name: `${prefix}company`, api: ["company"], label: t("company"), maxLength: 200, autocomplete: "off",
      value: code.company ?? "",
    }, locale),
    kind: choiceField<HolderKind>({
      name: `${prefix}kind`, api: ["kind"], label: t("holderKind"), ...(known ? { value: known } : {}),
      choices: holderKinds.map((value) => ({ value, label: holderKindText(value, locale) })),
    }, locale),
    checked: textField({
      name: `${prefix}checked`, api: ["checked"], label: t("checkedField"), hint: t("checkedHint"), isLong: true, optional: true,
      maxLength: 500, value: code.checked ?? "",
    }, locale),
  };
}

/** Codes with which third parties register: each shown once, when it is issued; who holds one can be changed. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const { company, kind, checked } = holderFields(locale, "");
  const days = numberField({
    name: "lifetime_days", label: t("lifetime"), least: 1, most: mostDays, step: 1, value: usualDays,
  }, locale);
  const issued = element("div");
  const table = new Table<ThirdPartyCode>([
    { head: t("company"), cell: (code) => code.company ?? "" },
    { head: t("holderKind"), isLong: true, cell: (code) => holderKindText(code.kind, locale) || "–" },
    { head: t("checkedField"), isLong: true, cell: (code) => code.checked || t("checkedNothing") },
    { head: t("issued"), cell: (code) => moment(code.issued) },
    { head: t("expires"), cell: (code) => moment(code.expires) },
    { head: t("codeState"), isValue: true, isLong: true, cell: (code) => state(code) },
    { head: t("action"), isLong: true, cell: (code) => actions(code) },
  ], { caption: t("codesCaption"), isLabelled: true }, locale);
  const moment = (timestamp: string | undefined): Node | string => {
    const date = dateOf(timestamp);
    return date ? time(date, locale, { dateStyle: "medium" }) : "";
  };
  const state = ({ used, expires, withdrawn, thirdPartyId, disabled }: ThirdPartyCode): Node | string => {
    const [date, gone] = [dateOf(used), dateOf(withdrawn)];
    if (gone) return t("codeWithdrawn", { time: momentText(gone, locale, { dateStyle: "medium" }) });
    if (date) {
      const number = thirdPartyId ?? "";
      return element(
        "span", {}, `${t("codeUsed", { time: momentText(date, locale, { dateStyle: "medium" }) })}, `,
        element("a", { href: `/admin/accounts?account=${number}${disabled ? "&what=enable" : ""}` }, t(disabled ? "codeDisabled" : "codeAccount", { number })));
    }
    return (dateOf(expires) ?? new Date()) <= new Date() ? t("codeExpired") : t("codeOpen");
  };
  const codes: ThirdPartyCode[] = [];
  const replace = (before: ThirdPartyCode, after: ThirdPartyCode | undefined): void => {
    if (after) codes[codes.indexOf(before)] = after;
    table.draw(codes);
    // Where the button that was pressed is gone.
    if (document.activeElement === document.body) table.node.focus();
  };
  const change = async (code: ThirdPartyCode): Promise<void> => {
    const fields = holderFields(locale, "new_", code);
    const reason = textField({ name: "new_reason", label: t("reason"), isLong: true, maxLength: 500 }, locale);
    const name = code.thirdPartyName || code.company || "";
    const isOther = Boolean(code.thirdPartyName) && code.thirdPartyName !== code.company;
    let after: ThirdPartyCode | undefined;
    const isDone = await ask({
      title: t("changeCode", { name }), confirm: t("change"),
      content: [
        ...(isOther ? [element("p", {}, t("isCalled", { name }))] : []),
        fields.company.node, fields.kind.node, fields.checked.node, reason.node,
      ],
      async act() {
        const [company, kind, why] = [fields.company.value(), fields.kind.value(), reason.value()];
        if (!company || !kind || !why) throw new Incomplete();
        after = (await client.unary(AdminService.updateThirdPartyCode, {
          codeId: code.codeId ?? "0", etag: code.etag ?? "", company, kind, checked: fields.checked.value() ?? "", reason: why,
        }, { signal })).thirdPartyCode;
      },
      problem: (failure) => {
        if (failure instanceof Incomplete) return t("fillIn");
        return failure instanceof ConnectError && failure.is("STALE_ETAG") ? t("codeStale") : undefined;
      },
    }, locale, signal);
    if (!isDone) return;
    replace(code, after);
    context.announce(t("codeChanged", { name: after?.company ?? "" }));
  };
  const withdraw = async (code: ThirdPartyCode): Promise<void> => {
    const reason = textField({ name: "new_reason", label: t("reason"), isLong: true, maxLength: 500 }, locale);
    let after: ThirdPartyCode | undefined;
    const isDone = await ask({
      title: t("withdrawNamed", { name: code.company ?? "" }), confirm: t("withdraw"),
      content: [element("p", {}, t("withdrawText")), reason.node],
      async act() {
        after = (await client.unary(AdminService.withdrawThirdPartyCode, {
          codeId: code.codeId ?? "0", reason: reason.value() ?? "",
        }, { signal })).thirdPartyCode;
      },
    }, locale, signal);
    if (!isDone) return;
    replace(code, after);
    context.announce(t("codeGone", { name: code.company ?? "" }));
  };
  const actions = (code: ThirdPartyCode): Node | string => {
    if (code.withdrawn) return "–";
    const name = code.company ?? "";
    const button = (id: string, text: string, label: string, act: () => Promise<void>): HTMLElement => {
      const made = element("button", { type: "button", id: `${id}-${code.codeId ?? ""}`, "aria-label": label }, text);
      made.addEventListener("click", () => void act());
      return made;
    };
    return element(
      "div", { class: "buttons" }, button("change", t("change"), t("changeCode", { name }), () => change(code)),
      ...(code.used ? [] : [button("withdraw", t("withdraw"), t("withdrawNamed", { name }), () => withdraw(code))]));
  };
  const ids = new RequestIds();
  const form = new Form({
    fields: [company, kind, checked, days], submit: t("issue"), label: t("issue"),
    async send() {
      const wanted = {
        company: company.value() ?? "", lifetimeDays: days.value() ?? usualDays,
        kind: kind.value() ?? "HOLDER_KIND_UNSPECIFIED" as const, checked: checked.value() ?? "",
      };
      const answer = await client.unary(
        AdminService.issueThirdPartyCode, { ...wanted, requestId: ids.of(wanted) }, { signal });
      ids.renew();
      const made = shownOnce(t("codeFor", { company: wanted.company }), answer.code ?? "", context);
      issued.replaceChildren(made);
      made.tabIndex = -1;
      made.focus();
      company.set("");
      checked.set("");
      if (answer.thirdPartyCode) codes.unshift(answer.thirdPartyCode);
      table.draw(codes);
    },
    problems: onceProblems(t),
  }, locale, signal);
  const more = await pagesOf<ThirdPartyCode>(context, async (pageToken) => {
    const page = await client.unary(AdminService.listThirdPartyCodes, { pageToken }, { signal });
    return { items: page.thirdPartyCodes ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (items) => {
    codes.push(...items);
    table.draw(codes);
  });
  return {
    title: t("codes"),
    content: [
      adminNavigation("/admin/codes", locale.language), element("p", {}, t("codesWhat")),
      element("div", { class: "narrow" }, form.node), issued, table.node, more,
    ],
  };
}

/** A field of the dialog is empty that must not be. */
class Incomplete extends Error {}
