import type { DictionaryEntry } from "../../../api/expenditure_v1.js";
import { yearsText } from "../../../expenditure/origin.js";
import { TextEditor } from "../../../expenditure/text_editor.js";
import { translator } from "../../../language/words.js";
import { facts } from "../../../parts/facts.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { words } from "./words.js";

/** A code of the dictionary: its definition, or else what the official form calls it. */
export class Entry {
  readonly node = element("li", { class: "card" });
  private readonly t;

  constructor(
    private readonly context: PageContext, private entry: DictionaryEntry, private readonly canEdit: boolean,
  ) {
    this.t = translator(words, context.locale.language);
    this.node.id = `entry-${this.code}`;
    this.draw();
  }

  get code(): string {
    return this.entry.code ?? "";
  }

  /** Brings it into sight. */
  focus(): void {
    const heading = this.node.querySelector("h2");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }

  /** What it can be found by. */
  get text(): string {
    const { code, definition, descriptions } = this.entry;
    return [
      code, definition?.italian, definition?.english, ...(descriptions ?? []).map(({ text }) => text),
    ].join(" ");
  }

  private draw(): void {
    const { t, entry } = this;
    const { locale } = this.context;
    const [newest, ...older] = entry.descriptions ?? [];
    const { italian = "", english = "" } = entry.definition ?? {};
    const own = locale.language === "it" ? italian : english;
    const other = locale.language === "it" ? english : italian;
    const definition = own !== ""
      ? element("p", { class: "definition" }, own)
      : other !== ""
        ? element("p", { class: "definition", lang: locale.language === "it" ? "en" : "it" }, other)
        : element("p", { class: "hint" }, t("noDefinition"));
    const said = older.map(({ text, firstYear, lastYear }) => (
      element("span", { lang: "it" }, `${text ?? ""} (${range(firstYear, lastYear)})`)));
    this.node.replaceChildren(
      element(
        "h2", {}, element("span", { class: "code" }, this.code), " ",
        element("span", { lang: "it" }, newest?.text ?? "")),
      definition,
      facts([
        [t("years"), (entry.years ?? []).length === 0 ? t("noYears") : yearsText(entry.years ?? [])],
        [t("formerly"), said.length === 0 ? undefined : element("span", {}, ...said.flatMap((one, index) => (
          index === 0 ? [one] : ["; ", one])))],
      ]));
    if (this.canEdit) this.node.append(this.editButton());
  }

  private editButton(): HTMLElement {
    const button = element(
      "button", { type: "button", "aria-label": this.t("editWhat", { code: this.code }) }, this.t("edit"));
    button.addEventListener("click", () => {
      const { code } = this;
      const editor = new TextEditor(this.context, {
        name: code, label: this.t("editWhat", { code }), subject: { code }, text: this.entry.definition ?? {},
        etag: this.entry.etag ?? "",
        saved: (text, etag) => {
          this.entry = { ...this.entry, definition: text, etag };
          this.draw();
          this.node.querySelector("button")?.focus();
        },
      });
      button.replaceWith(editor.node);
      editor.focus();
    });
    return button;
  }
}

const range = (first = 0, last = 0): string => (first === last ? String(first) : `${first}–${last}`);
