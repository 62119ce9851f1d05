import { AdminService } from "../../api/admin_v1.js";
import { IdentityService } from "../../api/identity_v1.js";
import type { AccountKind, FormField } from "../../api/identity_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { DoneLine } from "../../parts/done.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { EditedField } from "./form_fields.js";
import { adminNavigation } from "./navigation.js";
import { words } from "./words.js";

/** The fields that a registration asks for beside the fixed ones: of persons, or of third parties with `form=third-parties`. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const kind: AccountKind = query.get("form") === "third-parties" ? "ACCOUNT_KIND_THIRD_PARTY" : "ACCOUNT_KIND_PERSON";
  const answer = await client.unary(IdentityService.getRegistrationForm, { kind }, { signal });
  let etag = answer.etag ?? "";
  const place = element("div");
  const done = new DoneLine(context);

  const draw = (fields: readonly FormField[], focus?: (edited: readonly EditedField[]) => void): void => {
    const edited: EditedField[] = [];
    const values = (): FormField[] => edited.map((field) => field.value());
    const button = (text: string, label: string, act: () => void): HTMLElement => {
      const made = element("button", { type: "button", "aria-label": label }, text);
      made.addEventListener("click", act);
      return made;
    };
    for (const [index, field] of fields.entries()) {
      const number = String(index + 1);
      edited.push(new EditedField(index, field, locale, [
        ...(index === 0 ? [] : [button(t("up"), t("moveUp", { number }), () => {
          const moved = values();
          moved.splice(index - 1, 0, ...moved.splice(index, 1));
          draw(moved, (now) => now[index - 1]?.name.focus());
        })]),
        button(t("remove"), t("removeField", { number }), () => {
          draw(values().filter((_, other) => other !== index), () => add.focus());
        }),
      ]));
    }
    const add = button(t("addField"), t("addField"), () => {
      draw([...values(), { type: "FIELD_TYPE_TEXT" }], (now) => now[now.length - 1]?.name.focus());
    });
    const form = new Form({
      fields: edited.flatMap((field) => field.fields), submit: t("save"), label: t("forms"),
      content: [
        ...(edited.length === 0 ? [element("p", {}, t("noFields"))] : edited.map(({ node }) => node)),
        element("div", { class: "buttons" }, add),
      ],
      async send() {
        done.show("");
        const changed = await client.unary(
          AdminService.updateRegistrationForm, { kind, etag, fields: values() }, { signal });
        etag = changed.etag ?? "";
        done.show(t("formSaved"));
      },
      problems: (failure) => (failure instanceof ConnectError && failure.is("STALE_ETAG")
        ? { fields: {}, whole: t("formStale") } : undefined),
    }, locale, signal);
    place.replaceChildren(form.node);
    focus?.(edited);
  };
  draw(answer.fields ?? []);
  return {
    title: t("forms"),
    content: [
      adminNavigation("/admin/forms", locale.language), element("p", {}, t("formsWhat")),
      choices(t("formOf"), [
        { label: t("ofPersons"), query: { form: undefined } }, { label: t("ofThirdParties"), query: { form: "third-parties" } },
      ], "/admin/forms", query),
      place, done.node,
    ],
  };
}
