import { ConnectError } from "../connect/errors.js";
import { describeError } from "../errors/describe.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { Field } from "./field.js";
import { words } from "./words.js";

/** What is wrong with a form: at its fields, by their names, and with the whole. */
export interface Problems {
  readonly fields: Readonly<Record<string, string>>;
  readonly whole?: string;
}

type AnyField = Field<never>;

export interface FormOptions {
  // A field takes its own kind of value, and a form asks none for it.
  readonly fields: ReadonlyArray<Pick<AnyField, "name" | "node" | "problem" | "show" | "focus" | "refused" | "api">>;
  readonly submit: string;
  /** Done when what was entered is right as far as a page can tell. What it throws is said in the form. */
  send(): Promise<void>;
  /** What an error means here, where the page knows better than `problemsOf`; undefined where it does not. */
  problems?(failure: unknown): Problems | undefined;
  /** What stands among the fields besides them, in this order; by default the fields alone. */
  readonly content?: readonly Node[];
  /** What it is about, for those who cannot see what stands above it. */
  readonly label?: string;
}

/** A form that says at its fields what is wrong, before and after it is sent, and sends nothing twice. */
export class Form {
  readonly node: HTMLFormElement;
  private readonly whole = element("p", { class: "problem", role: "alert" });
  private readonly button: HTMLButtonElement;

  /** @param signal of the page: a failure that comes when it has been left is said to nobody. */
  constructor(
    private readonly options: FormOptions, private readonly locale: Locale, private readonly signal: AbortSignal,
  ) {
    this.button = element("button", { type: "submit" }, options.submit);
    this.node = element(
      "form", { novalidate: "", ...(options.label === undefined ? {} : { "aria-label": options.label }) }, this.whole,
      ...(options.content ?? options.fields.map(({ node }) => node)), this.button);
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      // With its button disabled, a browser submits no form.
      void this.send();
    });
  }

  /** Says what is wrong, and leads to the first field that is. */
  show(problems: Problems): void {
    this.whole.textContent = problems.whole ?? "";
    let first: AnyField | undefined;
    for (const field of this.options.fields) {
      const problem = problems.fields[field.name];
      field.show(problem);
      if (problem !== undefined) first ??= field as AnyField;
    }
    first?.focus();
  }

  private async send(): Promise<void> {
    const fields: Record<string, string> = {};
    for (const field of this.options.fields) {
      const problem = field.problem();
      if (problem !== undefined) fields[field.name] = problem;
    }
    this.show({ fields });
    if (Object.keys(fields).length > 0) return;
    this.button.disabled = true;
    try {
      await this.options.send();
    } catch (failure) {
      if (this.signal.aborted) return;
      this.show(this.options.problems?.(failure) ?? problemsOf(failure, this.options.fields, this.locale));
    } finally {
      this.button.disabled = false;
    }
  }
}

/** What the server's answer means for the fields that it names; with the whole, if it names none of these. */
export function problemsOf(
  failure: unknown, fields: ReadonlyArray<Pick<AnyField, "name" | "refused" | "api">>, locale: Locale,
): Problems {
  const found: Record<string, string> = {};
  const paths = failure instanceof ConnectError ? [...failure.violations.keys()] : [];
  const t = translator(words, locale.language);
  for (const { name, refused, api } of fields) {
    const isOwn = (path: string): boolean => (
      (api ?? [name]).some((own) => path === own || path.startsWith(`${own}.`) || path.startsWith(`${own}[`)));
    if (paths.some(isOwn)) found[name] = refused ?? t("refused");
  }
  if (Object.keys(found).length > 0) return { fields: found, whole: t("problems") };
  return { fields: {}, whole: describeError(failure, locale.language) };
}
