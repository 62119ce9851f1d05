import type { FieldValue, FormField } from "../api/identity_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { choiceField, dateField, numberField, textField } from "../parts/field.js";
import type { Field, FieldOptions } from "../parts/field.js";
import { words } from "./words.js";

// The fields that administrators have decided on, as a form asks for them.

/** The labels of the forms that a server begins with, and what pages say instead; others stand as they were typed. */
const labels = new Map<string, keyof typeof words>([
  ["Social status", "socialStatus"], ["Address", "address"], ["Working hours per day", "workingHours"],
  ["Sport hours per week", "sportHours"], ["Website", "website"], ["Research interests", "researchInterests"],
]);

/** A field of a registration form and what was entered in it, as text. */
export interface AskedField {
  readonly field: Pick<Field<never>, "name" | "node" | "problem" | "show" | "focus" | "refused" | "api">;
  text(): string;
}

/** What a field is called. */
export function labelOf(definition: FormField, locale: Locale): string {
  const known = labels.get(definition.label ?? "");
  return known ? translator(words, locale.language)(known) : definition.label || (definition.name ?? "");
}

/** A label that says that nothing has to be entered. */
export function optional(label: string, locale: Locale): string {
  return translator(words, locale.language)("optional", { label });
}

/**
 * Fields for all of a form's, in its order and with its rules.
 * @param values what is known of them already, by their names.
 */
export function askedFields(
  form: readonly FormField[], values: ReadonlyMap<string, string>, locale: Locale,
): AskedField[] {
  return form.map((definition, index) => asked(definition, index, values.get(definition.name ?? ""), locale));
}

/** What was entered, in the order of the form: what is left empty is sent too, so that violations name the right field. */
export function fieldValues(form: readonly FormField[], fields: readonly AskedField[]): FieldValue[] {
  return fields.map((field, index) => ({ name: form[index]?.name ?? "", value: field.text() }));
}

function asked(definition: FormField, index: number, value: string | undefined, locale: Locale): AskedField {
  const label = labelOf(definition, locale);
  const options: FieldOptions = {
    // A page has names of its own.
    name: `form-${definition.name}`, api: [`fields[${index}]`],
    ...(definition.required ? { label } : { label: optional(label, locale), optional: true }),
  };
  const least = toNumber(definition.minimum);
  const most = toNumber(definition.maximum);
  switch (definition.type) {
    case "FIELD_TYPE_NUMBER": {
      const number = value === undefined || value === "" ? {} : { value: Number(value) };
      const field = numberField({ ...options, ...number, ...(least === 0 && most === 0 ? {} : { least, most }) }, locale);
      return { field, text: () => field.value()?.toString() ?? "" };
    }
    case "FIELD_TYPE_DATE": {
      const field = dateField({ ...options, value: value ?? "" }, locale);
      return { field, text: () => field.value() ?? "" };
    }
    case "FIELD_TYPE_BOOLEAN": {
      const t = translator(words, locale.language);
      return chosen(options, [{ value: "true", label: t("yes") }, { value: "false", label: t("no") }], value, locale);
    }
    case "FIELD_TYPE_CHOICE":
      return chosen(options, (definition.choices ?? []).map((choice) => ({ value: choice, label: choice })), value, locale);
    default: {
      const maxLength = most || 1000;
      const field = textField({ ...options, maxLength, isLong: maxLength > 300, value: value ?? "" }, locale);
      return { field, text: () => field.value() ?? "" };
    }
  }
}

function chosen(
  options: FieldOptions, choices: ReadonlyArray<{ value: string; label: string }>, value: string | undefined,
  locale: Locale,
): AskedField {
  // What was chosen once may be no choice any more.
  const isChoice = choices.some((choice) => choice.value === value);
  const field = choiceField({ ...options, choices }, locale);
  if (isChoice && value !== undefined) field.set(value);
  return { field, text: () => field.value() ?? "" };
}
