import { AdminService } from "../../api/admin_v1.js";
import type { ThirdPartyCode } from "../../api/admin_v1.js";
import { translator } from "../../language/words.js";
import { shownOnce } from "../../parts/copy.js";
import { numberField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { pagesOf } from "../../parts/pages_of.js";
import { RequestIds } from "../../parts/request_ids.js";
import { Table } from "../../parts/table.js";
import { dateOf, momentText, time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { onceProblems } from "./problems.js";
import { words } from "./words.js";

const usualDays = 30;
const mostDays = 365;

/** Codes with which third parties register: each shown once, when it is issued. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const company = textField({ name: "company", label: t("company"), maxLength: 200, autocomplete: "off" }, locale);
  const days = numberField({
    name: "lifetime_days", label: t("lifetime"), least: 1, most: mostDays, step: 1, value: usualDays,
  }, locale);
  const issued = element("div");
  const table = new Table<ThirdPartyCode>([
    { head: t("company"), cell: (code) => code.company ?? "" },
    { head: t("issued"), cell: (code) => moment(code.issued) },
    { head: t("expires"), cell: (code) => moment(code.expires) },
    { head: t("codeState"), isValue: true, cell: (code) => state(code) },
  ], { caption: t("codesCaption") }, locale);
  const moment = (timestamp: string | undefined): Node | string => {
    const date = dateOf(timestamp);
    return date ? time(date, locale, { dateStyle: "medium" }) : "";
  };
  const state = ({ used, expires }: ThirdPartyCode): string => {
    const date = dateOf(used);
    if (date) return t("codeUsed", { time: momentText(date, locale, { dateStyle: "medium" }) });
    return (dateOf(expires) ?? new Date()) <= new Date() ? t("codeExpired") : t("codeOpen");
  };
  const codes: ThirdPartyCode[] = [];
  const ids = new RequestIds();
  const form = new Form({
    fields: [company, days], submit: t("issue"), label: t("issue"),
    async send() {
      const wanted = { company: company.value() ?? "", lifetimeDays: days.value() ?? usualDays };
      const answer = await client.unary(
        AdminService.issueThirdPartyCode, { ...wanted, requestId: ids.of(wanted) }, { signal });
      ids.renew();
      const made = shownOnce(t("codeFor", { company: wanted.company }), answer.code ?? "", context);
      issued.replaceChildren(made);
      made.tabIndex = -1;
      made.focus();
      company.set("");
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
