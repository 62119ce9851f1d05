import { ConnectError } from "../../../connect/errors.js";
import type { Locale } from "../../../language/choice.js";
import { problemsOf } from "../../../parts/form.js";
import type { Field } from "../../../parts/field.js";

type Asked = Pick<Field<never>, "name" | "api" | "refused" | "problem" | "show" | "focus">;

/**
 * Does what a dialog asks for when its fields are right; what is wrong is said at them.
 * @throws ConnectError, for the dialog to say that nothing was done.
 */
export async function sending(fields: readonly Asked[], locale: Locale, send: () => Promise<unknown>): Promise<void> {
  const show = (problems: Readonly<Record<string, string | undefined>>): boolean => {
    for (const field of fields) field.show(problems[field.name]);
    const first = fields.find(({ name }) => problems[name] !== undefined);
    first?.focus();
    return first !== undefined;
  };
  if (show(Object.fromEntries(fields.map((field) => [field.name, field.problem()])))) {
    throw new ConnectError("invalid_argument", "fields are not filled in");
  }
  try {
    await send();
  } catch (failure) {
    show(problemsOf(failure, fields, locale).fields);
    throw failure;
  }
}
