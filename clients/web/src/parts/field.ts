import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import { words } from "./words.js";

/** What every field of a form has. */
export interface FieldOptions {
  /** Unlike that of every other field of the page; also what a form calls it. */
  readonly name: string;
  readonly label: string;
  /** What may be entered, in a sentence below the label. */
  readonly hint?: string;
  /** Whether it may stay empty. */
  readonly optional?: boolean;
  /** What is said where the server refuses it; by default that it does. */
  readonly refused?: string;
  /** Its names in the API, as violations have them: those below one ("scope.metrics[0]") are its own too. By default `name`. */
  readonly api?: readonly string[];
}

/** A field of a form with its label, hint and problem. */
export interface Field<Value> extends FieldOptions {
  readonly node: HTMLElement;
  /** What was entered. Text that is no value of the field's is undefined, and `problem` says why. */
  value(): Value | undefined;
  set(value: Value): void;
  /** What is wrong with what was entered, before anything is sent; undefined if nothing is. */
  problem(): string | undefined;
  /** Says what is wrong at the field, or nothing any more. */
  show(problem: string | undefined): void;
  focus(): void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Label, hint and problem around one control. */
function around<Value>(
  control: Control, options: FieldOptions,
  rest: Pick<Field<Value>, "value" | "set" | "problem">,
): Field<Value> {
  const { name, label, hint } = options;
  control.setAttribute("id", name);
  control.setAttribute("name", name);
  if (!options.optional) control.setAttribute("required", "");
  const hints = hint === undefined ? [] : [element("p", { id: `${name}-hint`, class: "hint" }, hint)];
  const problem = element("p", { id: `${name}-problem`, class: "problem" });
  const describe = (isWrong: boolean): void => {
    const ids = [...hints.map(({ id }) => id), ...(isWrong ? [problem.id] : [])];
    if (ids.length > 0) control.setAttribute("aria-describedby", ids.join(" "));
    else control.removeAttribute("aria-describedby");
  };
  describe(false);
  return {
    ...options, ...rest,
    node: element("div", { class: "field" }, element("label", { for: name }, label), ...hints, control, problem),
    show(text) {
      problem.textContent = text ?? "";
      if (text === undefined) control.removeAttribute("aria-invalid");
      else control.setAttribute("aria-invalid", "true");
      describe(text !== undefined);
    },
    focus: () => control.focus(),
  };
}

/** "Fill this in." for a field that must not stay empty and has. */
function missing(text: string, options: FieldOptions, locale: Locale): string | undefined {
  return text === "" && !options.optional ? translator(words, locale.language)("required") : undefined;
}

export interface TextOptions extends FieldOptions {
  readonly type?: "text" | "email" | "password" | "url" | "tel" | "search";
  readonly autocomplete?: string;
  readonly maxLength?: number;
  /** Several lines. */
  readonly isLong?: boolean;
  readonly value?: string;
  /** Said where it is left empty; by default that it must not be. */
  readonly missing?: string;
  /** What is wrong with a text that is there; undefined if nothing is. */
  check?(text: string): string | undefined;
}

/** A line of text, or several. Spaces around it do not count, except in a password. */
export function textField(options: TextOptions, locale: Locale): Field<string> {
  const type = options.type ?? "text";
  const control = options.isLong ? element("textarea", { rows: "4" }) : element("input", { type });
  if (options.autocomplete) control.setAttribute("autocomplete", options.autocomplete);
  if (options.maxLength) control.setAttribute("maxlength", String(options.maxLength));
  if (options.autocomplete === "username" || type === "email") control.setAttribute("autocapitalize", "none");
  control.value = options.value ?? "";
  const text = (): string => (type === "password" ? control.value : control.value.trim());
  return around<string>(control, options, {
    value: text,
    set(value) { control.value = value; },
    problem() {
      const problem = missing(text(), options, locale);
      if (problem !== undefined) return options.missing ?? problem;
      return text() === "" ? undefined : options.check?.(text());
    },
  });
}

export interface NumberOptions extends FieldOptions {
  readonly least?: number;
  readonly most?: number;
  /** Only multiples of it; by default whatever number. */
  readonly step?: number;
  readonly value?: number;
}

/** A number; empty is undefined. */
export function numberField(options: NumberOptions, locale: Locale): Field<number> {
  const t = translator(words, locale.language);
  const { least, most, step } = options;
  const control = element("input", {
    type: "number", inputmode: step !== undefined && Number.isInteger(step) ? "numeric" : "decimal",
    step: step === undefined ? "any" : String(step),
    ...(least === undefined ? {} : { min: String(least) }), ...(most === undefined ? {} : { max: String(most) }),
  });
  if (options.value !== undefined) control.value = String(options.value);
  const number = (): number | undefined => (
    control.value.trim() === "" || Number.isNaN(control.valueAsNumber) ? undefined : control.valueAsNumber);
  return around<number>(control, options, {
    value: number,
    set(value) { control.value = String(value); },
    problem() {
      const value = number();
      const format = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 6 });
      if (value === undefined) return control.validity.badInput ? t("notANumber") : missing("", options, locale);
      if (least !== undefined && value < least) return t("tooSmall", { least: format.format(least) });
      if (most !== undefined && value > most) return t("tooLarge", { most: format.format(most) });
      return control.validity.stepMismatch ? t("notANumber") : undefined;
    },
  });
}

export interface DateOptions extends FieldOptions {
  /** "2026-11-25", as are the ends. */
  readonly value?: string;
  readonly least?: string;
  readonly most?: string;
  readonly autocomplete?: string;
}

/** A day, as "2026-11-25"; empty is "". */
export function dateField(options: DateOptions, locale: Locale): Field<string> {
  const control = element("input", { type: "date" });
  if (options.least) control.min = options.least;
  if (options.most) control.max = options.most;
  if (options.autocomplete) control.setAttribute("autocomplete", options.autocomplete);
  control.value = options.value ?? "";
  return around<string>(control, options, {
    value: () => control.value,
    set(value) { control.value = value; },
    problem() {
      const { badInput, rangeUnderflow, rangeOverflow } = control.validity;
      const notADate = translator(words, locale.language)("notADate");
      if (badInput) return notADate;
      if (rangeUnderflow || rangeOverflow) return options.refused ?? notADate;
      return missing(control.value, options, locale);
    },
  });
}

export interface MomentOptions extends FieldOptions {
  readonly value?: Date;
}

/** A day and a time to the minute, by the clock of the browser; empty is undefined. */
export function momentField(options: MomentOptions, locale: Locale): Field<Date> {
  const control = element("input", { type: "datetime-local" });
  const set = (value: Date): void => {
    const local = new Date(value.getTime() - value.getTimezoneOffset() * 60_000);
    control.value = local.toISOString().slice(0, 16);
  };
  if (options.value) set(options.value);
  return around<Date>(control, options, {
    value: () => (control.value === "" ? undefined : new Date(control.value)),
    set,
    problem() {
      if (control.validity.badInput) return translator(words, locale.language)("notATime");
      return missing(control.value, options, locale);
    },
  });
}

/** Something to choose, and what people read. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export interface ChoiceOptions<Value extends string> extends FieldOptions {
  readonly choices: ReadonlyArray<Choice<Value>>;
  readonly value?: Value;
}

/** One of several, in a list that opens. Nothing is chosen at first unless `value` is; then `value()` is undefined. */
export function choiceField<Value extends string>(options: ChoiceOptions<Value>, locale: Locale): Field<Value> {
  const control = element("select");
  if (options.value === undefined) control.append(element("option", { value: "" }, "–"));
  for (const { value, label } of options.choices) control.append(element("option", { value }, label));
  control.value = options.value ?? "";
  return around<Value>(control, options, {
    value: () => (control.value === "" ? undefined : control.value as Value),
    set(value) { control.value = value; },
    problem: () => missing(control.value, options, locale),
  });
}

export interface SwitchOptions extends FieldOptions {
  readonly value?: boolean;
}

/** Yes or no, as a box to tick. It is never missing. */
export function switchField(options: SwitchOptions): Field<boolean> {
  const control = element("input", { type: "checkbox" });
  control.checked = options.value ?? false;
  const field = around<boolean>(control, { ...options, optional: true }, {
    value: () => control.checked,
    set(value) { control.checked = value; },
    problem: () => undefined,
  });
  field.node.classList.add("switch");
  return field;
}

export interface SetOptions<Value extends string> extends FieldOptions {
  readonly choices: ReadonlyArray<Choice<Value>>;
  readonly value?: readonly Value[];
  /** One of them alone may be chosen. */
  readonly isOne?: boolean;
}

/** Any of several, as boxes to tick in a group; at least one unless it is optional. */
export function setField<Value extends string>(options: SetOptions<Value>, locale: Locale): Field<readonly Value[]> {
  const { name, label, hint } = options;
  const boxes = options.choices.map((choice) => {
    const box = element(
      "input", { type: options.isOne ? "radio" : "checkbox", id: `${name}-${choice.value}`, name, value: choice.value });
    box.checked = options.value?.includes(choice.value) ?? false;
    return { choice, box };
  });
  const hints = hint === undefined ? [] : [element("p", { id: `${name}-hint`, class: "hint" }, hint)];
  const problem = element("p", { id: `${name}-problem`, class: "problem" });
  const rows = boxes.map(({ choice, box }) => (
    element("div", { class: "choice" }, box, element("label", { for: box.id }, choice.label))));
  const node = element("fieldset", { class: "field" }, element("legend", {}, label), ...hints, problem, ...rows);
  const chosen = (): Value[] => boxes.filter(({ box }) => box.checked).map(({ choice }) => choice.value);
  return {
    ...options, node, value: chosen,
    set(values) { for (const { choice, box } of boxes) box.checked = values.includes(choice.value); },
    problem: () => missing(chosen().join(), options, locale),
    show(text) {
      problem.textContent = text ?? "";
      const ids = [...hints.map(({ id }) => id), ...(text === undefined ? [] : [problem.id])];
      if (ids.length > 0) node.setAttribute("aria-describedby", ids.join(" "));
      else node.removeAttribute("aria-describedby");
    },
    focus: () => boxes[0]?.box.focus(),
  };
}
