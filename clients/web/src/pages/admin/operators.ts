import { AdminService } from "../../api/admin_v1.js";
import type { DeskOperator } from "../../api/admin_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { DoneLine } from "../../parts/done.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { pagesOf } from "../../parts/pages_of.js";
import { RequestIds } from "../../parts/request_ids.js";
import { Table } from "../../parts/table.js";
import { dateOf, momentText } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { numberOf } from "./number.js";
import { words } from "./words.js";

/** People who answer the calls of dispatchers. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const operators: DeskOperator[] = [];
  const state = ({ revoked, passwordChangeDue }: DeskOperator): string => {
    const date = dateOf(revoked);
    if (date) return t("operatorRevoked", { time: momentText(date, locale, { dateStyle: "medium" }) });
    return t(passwordChangeDue ? "operatorDue" : "operatorWorks");
  };
  const revoke = async (operator: DeskOperator): Promise<void> => {
    const name = operator.name ?? "";
    const isDone = await ask({
      title: t("revokeOperator", { name }), content: [element("p", {}, t("revokeOperatorText"))], confirm: t("revoke"),
      act: async () => {
        await client.unary(AdminService.revokeDeskOperator, { accountId: operator.accountId ?? "0" }, { signal });
      },
    }, locale, signal);
    if (!isDone) return;
    operators[operators.indexOf(operator)] = { ...operator, username: "", email: "", revoked: new Date().toISOString() };
    table.draw(operators);
    heading.focus();
  };
  const table = new Table<DeskOperator>([
    { head: t("name"), cell: (operator) => operator.name ?? "" },
    { head: t("username"), cell: (operator) => operator.username || "–" },
    { head: t("email"), cell: (operator) => operator.email || "–" },
    { head: t("dispatcher"), cell: (operator) => operator.dispatcherId ?? "" },
    { head: t("operatorState"), isValue: true, cell: state },
    {
      head: t("action"), cell(operator) {
        if (operator.revoked) return "–";
        const label = t("revokeNamed", { name: operator.name ?? "" });
        const button = element("button", { type: "button", "aria-label": label }, t("revoke"));
        button.addEventListener("click", () => void revoke(operator));
        return button;
      },
    },
  ], { caption: t("operatorsCaption") }, locale);
  const more = await pagesOf<DeskOperator>(context, async (pageToken) => {
    const page = await client.unary(AdminService.listDeskOperators, { pageToken }, { signal });
    return { items: page.deskOperators ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (items) => {
    operators.push(...items);
    table.draw(operators);
  });

  const dispatcher = numberOf("dispatcher_id", t("dispatcherNumber"), context, { refused: t("numberRefused") });
  const name = textField({ name: "name", label: t("fullName"), maxLength: 100, autocomplete: "off" }, locale);
  const username = textField({
    name: "username", label: t("username"), hint: t("nameHint"), refused: t("nameRefused"), maxLength: 64, autocomplete: "off",
  }, locale);
  const email = textField({
    name: "email", label: t("email"), type: "email", autocomplete: "off", refused: t("emailRefused"),
  }, locale);
  const password = textField({
    name: "initial_password", label: t("initialPassword"), type: "password", autocomplete: "new-password",
    hint: t("passwordHint"), refused: t("passwordRefused"),
  }, locale);
  const done = new DoneLine(context);
  const ids = new RequestIds();
  const form = new Form({
    fields: [dispatcher, name, username, email, password], submit: t("createOperator"), label: t("newOperator"),
    async send() {
      done.show("");
      const wanted = {
        dispatcherId: dispatcher.value() ?? "0", name: name.value() ?? "", username: username.value() ?? "",
        email: email.value() ?? "", initialPassword: password.value() ?? "",
      };
      const { deskOperator } = await client.unary(
        AdminService.createDeskOperator, { ...wanted, requestId: ids.of(wanted) }, { signal });
      ids.renew();
      for (const field of [name, username, email, password]) field.set("");
      if (deskOperator) operators.unshift(deskOperator);
      table.draw(operators);
      done.show(t("operatorCreated", { name: wanted.name }));
    },
    problems: (failure) => (failure instanceof ConnectError && failure.is("NO_SUCH_DISPATCHER")
      ? { fields: { [dispatcher.name]: t("numberRefused") } } : undefined),
  }, locale, signal);
  const heading = element("h2", { tabindex: "-1" }, t("accounts"));
  return {
    title: t("operators"),
    content: [
      adminNavigation("/admin/operators", locale.language), element("p", {}, t("operatorsWhat")),
      element("h2", {}, t("newOperator")), element("div", { class: "narrow" }, form.node, done.node), heading, table.node, more,
    ],
  };
}
