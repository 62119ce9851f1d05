import { IdentityService } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { DoneLine } from "../../parts/done.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { newPasswordFields } from "../../registration/passwords.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** Another password. */
export function passwordSection(context: PageContext): Node[] {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const old = textField({
    name: "old-password", api: ["old_password"], label: t("oldPassword"), type: "password",
    autocomplete: "current-password",
  }, locale);
  const [password, again] = newPasswordFields(t("newPassword"), "new_password", locale);
  const done = new DoneLine(context);
  const form: Form = new Form({
    label: t("password"), submit: t("changePassword"), fields: [old, password, again],
    async send() {
      done.show("");
      const [oldPassword, newPassword] = [old.value() ?? "", password.value() ?? ""];
      if (oldPassword === newPassword) {
        form.show({ fields: { [password.name]: t("samePassword") } });
        return;
      }
      await client.unary(IdentityService.changePassword, { oldPassword, newPassword }, { signal });
      for (const field of [old, password, again]) field.set("");
      done.show(t("passwordChanged"));
    },
    problems(failure) {
      const isWrong = failure instanceof ConnectError && failure.is("WRONG_PASSWORD");
      return isWrong ? { fields: { [old.name]: t("wrongPassword") } } : undefined;
    },
  }, locale, signal);
  return [
    element("h2", {}, t("password")), element("p", {}, t("passwordText")),
    element("div", { class: "narrow" }, form.node, done.node),
  ];
}
