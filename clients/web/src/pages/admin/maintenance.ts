import { AdminService } from "../../api/admin_v1.js";
import { toBigInt } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { DoneLine } from "../../parts/done.js";
import { momentField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { RequestIds } from "../../parts/request_ids.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { words } from "./words.js";

/** Tells everybody of a maintenance. */
export function open(context: PageContext): Page {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const begins = momentField({ name: "begins", label: t("begins"), refused: t("beginsRefused") }, locale);
  const ends = momentField({ name: "ends", label: t("ends"), refused: t("endsRefused") }, locale);
  const message = textField({ name: "message", label: t("message"), isLong: true, maxLength: 1000 }, locale);
  const done = new DoneLine(context);
  const ids = new RequestIds();
  const form = new Form({
    fields: [begins, ends, message], submit: t("announce"), label: t("maintenance"),
    async send() {
      done.show("");
      const wanted = {
        begins: begins.value()?.toISOString() ?? "", ends: ends.value()?.toISOString() ?? "", message: message.value() ?? "",
      };
      const isSure = await ask({
        title: t("announceTitle"), content: [element("p", {}, wanted.message), element("p", {}, t("cannotBeUndone"))],
        confirm: t("announce"), act() {},
      }, locale, signal);
      message.focus();
      if (!isSure) return;
      const { notifiedAccounts } = await client.unary(
        AdminService.announceMaintenance, { ...wanted, requestId: ids.of(wanted) }, { signal });
      ids.renew();
      message.set("");
      done.show(t("announced", { count: new Intl.NumberFormat(locale.tag).format(toBigInt(notifiedAccounts)) }));
    },
  }, locale, signal);
  return {
    title: t("maintenance"),
    content: [
      adminNavigation("/admin/maintenance", locale.language), element("p", {}, t("maintenanceWhat")),
      element("div", { class: "narrow" }, form.node, done.node),
    ],
  };
}
