import { IdentityService } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** Who still has the administrator's password chooses another one before any call is shown. */
export function passwordForm(context: PageContext, changed: () => void): Node[] {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const old = textField({
    name: "old_password", label: t("oldPassword"), type: "password", autocomplete: "current-password",
  }, locale);
  const chosen = textField({
    name: "new_password", label: t("newPassword"), type: "password", autocomplete: "new-password",
    hint: t("newPasswordHint"), refused: t("newPasswordRefused"),
  }, locale);
  const form = new Form({
    fields: [old, chosen], submit: t("changePassword"), label: t("passwordTitle"),
    async send() {
      await client.unary(
        IdentityService.changePassword, { oldPassword: old.value() ?? "", newPassword: chosen.value() ?? "" }, { signal });
      changed();
    },
    problems: (failure) => (failure instanceof ConnectError && failure.is("WRONG_PASSWORD")
      ? { fields: { [old.name]: t("wrongPassword") } } : undefined),
  }, locale, signal);
  return [
    element("h2", {}, t("passwordTitle")), element("p", {}, t("passwordText")),
    element("div", { class: "narrow" }, form.node),
  ];
}
