import type { FieldType, FormField } from "../../api/identity_v1.js";
import { toNumber } from "../../json/scalars.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { choiceField, numberField, switchField, textField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import type { FormOptions } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

const types = [
  "FIELD_TYPE_TEXT", "FIELD_TYPE_NUMBER", "FIELD_TYPE_BOOLEAN", "FIELD_TYPE_DATE", "FIELD_TYPE_CHOICE",
] as const;

/** One field of a registration form, as it is edited. */
export class EditedField {
  readonly node: HTMLElement;
  readonly fields: FormOptions["fields"];
  readonly name: Field<string>;
  private readonly label: Field<string>;
  private readonly type: Field<typeof types[number]>;
  private readonly required: Field<boolean>;
  private readonly choices: Field<string>;
  private readonly minimum: Field<number>;
  private readonly maximum: Field<number>;

  /**
   * @param index of the field in the form: the API names it by this.
   * @param buttons what can be done with it as a whole.
   */
  constructor(index: number, field: FormField, locale: Locale, buttons: readonly Node[]) {
    const t = translator(words, locale.language);
    const named = (part: string): { name: string; api: readonly string[] } => (
      { name: `field-${index}-${part}`, api: [`fields[${index}].${part}`] });
    this.name = textField({
      ...named("name"), label: t("fieldName"), hint: t("fieldNameHint"), refused: t("fieldNameRefused"), maxLength: 63,
      autocomplete: "off", value: field.name ?? "",
    }, locale);
    this.label = textField({ ...named("label"), label: t("fieldLabel"), autocomplete: "off", value: field.label ?? "" }, locale);
    this.type = choiceField({
      ...named("type"), label: t("fieldType"), choices: types.map((value) => ({ value, label: t(value) })),
      value: types.find((value) => value === field.type) ?? "FIELD_TYPE_TEXT",
    }, locale);
    this.required = switchField({ ...named("required"), label: t("fieldRequired"), value: field.required ?? false });
    this.choices = textField({
      ...named("choices"), label: t("fieldChoices"), isLong: true, optional: true, value: (field.choices ?? []).join("\n"),
    }, locale);
    this.minimum = numberField({
      ...named("minimum"), label: t("fieldMinimum"), hint: t("fieldBounds"), value: toNumber(field.minimum),
    }, locale);
    this.maximum = numberField({
      ...named("maximum"), label: t("fieldMaximum"), hint: t("fieldBounds"), value: toNumber(field.maximum),
    }, locale);
    this.fields = [this.name, this.label, this.type, this.required, this.choices, this.minimum, this.maximum];
    const select = this.type.node.querySelector("select");
    select?.addEventListener("change", () => this.show());
    this.show();
    this.node = element(
      "fieldset", { class: "card" }, element("legend", {}, t("field", { number: String(index + 1) })),
      element("div", { class: "grid" }, ...this.fields.map(({ node }) => node)), element("div", { class: "buttons" }, ...buttons));
  }

  value(): FormField {
    const type: FieldType = this.type.value() ?? "FIELD_TYPE_TEXT";
    const choices = (this.choices.value() ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== "");
    const isNumber = type === "FIELD_TYPE_NUMBER";
    return {
      name: this.name.value() ?? "", label: this.label.value() ?? "", type, required: this.required.value() ?? false,
      choices: type === "FIELD_TYPE_CHOICE" ? choices : [], minimum: isNumber ? this.minimum.value() ?? 0 : 0,
      maximum: isNumber || type === "FIELD_TYPE_TEXT" ? this.maximum.value() ?? 0 : 0,
    };
  }

  /** What belongs to the type that is chosen. */
  private show(): void {
    const type = this.type.value();
    this.choices.node.hidden = type !== "FIELD_TYPE_CHOICE";
    this.minimum.node.hidden = type !== "FIELD_TYPE_NUMBER";
    this.maximum.node.hidden = type !== "FIELD_TYPE_NUMBER" && type !== "FIELD_TYPE_TEXT";
  }
}
