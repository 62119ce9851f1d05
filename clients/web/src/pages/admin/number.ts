import { translator } from "../../language/words.js";
import { textField } from "../../parts/field.js";
import type { Field, TextOptions } from "../../parts/field.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** A number of an account or a race: digits, of which there may be more than a JSON number keeps. */
export function numberOf(
  name: string, label: string, context: PageContext, more: Partial<Pick<TextOptions, "hint" | "refused" | "value">> = {},
): Field<string> {
  const t = translator(words, context.locale.language);
  const field = textField({
    name, label, maxLength: 19, autocomplete: "off", ...more,
    check: (text) => (/^[1-9][0-9]{0,18}$/.test(text) ? undefined : t("numberNeeded")),
  }, context.locale);
  field.node.querySelector("input")?.setAttribute("inputmode", "numeric");
  return field;
}
