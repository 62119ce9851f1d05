import { ExpenditureService } from "../api/expenditure_v1.js";
import type { Text } from "../api/expenditure_v1.js";
import { ConnectError } from "../connect/errors.js";
import { translator } from "../language/words.js";
import { textField } from "../parts/field.js";
import { Form } from "../parts/form.js";
import type { PageContext } from "../shell/page.js";
import { words } from "./text_editor/words.js";

export interface EditedText {
  /** Unlike that of every other text of the page. */
  readonly name: string;
  readonly label: string;
  readonly subject: { readonly code: string } | { readonly step: number };
  readonly text: Text;
  readonly etag: string;
  /** Done when the server has it. */
  saved(text: Text, etag: string): void;
}

/** A form for administrators: a text in both languages. What somebody else has changed meanwhile is not overwritten. */
export class TextEditor {
  readonly node: HTMLElement;
  private readonly italian;

  constructor({ client, locale, signal, announce }: PageContext, edited: EditedText) {
    const t = translator(words, locale.language);
    const field = (language: "italian" | "english") => textField({
      name: `${edited.name}-${language}`, label: t(language), isLong: true, maxLength: 4000, optional: true,
      value: edited.text[language] ?? "", api: [`text.${language}`],
      ...(language === "italian" ? { hint: t("empty") } : {}),
    }, locale);
    this.italian = field("italian");
    const english = field("english");
    const form = new Form({
      fields: [this.italian, english], submit: t("save"), label: edited.label,
      send: async () => {
        const text = { italian: this.italian.value() ?? "", english: english.value() ?? "" };
        const { etag } = await client.unary(
          ExpenditureService.updateDefinition, { ...edited.subject, text, etag: edited.etag }, { signal });
        announce(t("saved"));
        edited.saved(text, etag ?? "");
      },
      problems: (failure) => (
        failure instanceof ConnectError && failure.code === "aborted" ? { fields: {}, whole: t("changed") }
          : undefined),
    }, locale, signal);
    this.node = form.node;
  }

  focus(): void {
    this.italian.focus();
  }
}
