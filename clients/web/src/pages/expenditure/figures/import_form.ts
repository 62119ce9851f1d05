import type { Release } from "../../../api/expenditure_v1.js";
import { ConnectError } from "../../../connect/errors.js";
import { describeError } from "../../../errors/describe.js";
import { translator } from "../../../language/words.js";
import type { Translate } from "../../../language/words.js";
import { DoneLine } from "../../../parts/done.js";
import { textField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { Form } from "../../../parts/form.js";
import type { Problems } from "../../../parts/form.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { importBytesMax, importFigures } from "../../../expenditure/import_files.js";
import { contentsOf } from "./contents.js";
import { words } from "./words.js";

const noteMost = 1000;
const megabyte = 1_000_000;

/** Brings files in: first it says what they would be, then they become a draft. */
export class ImportForm {
  readonly node: HTMLElement;
  private readonly t: Translate<typeof words>;
  private readonly input = element("input", {
    type: "file", id: "files", name: "files", multiple: "", accept: ".csv,.xlsx,text/csv",
  });
  private readonly note: Field<string>;
  private readonly working = element("p", { class: "hint", role: "status" });
  private readonly result = element("div", { tabindex: "-1" });
  private readonly done: DoneLine;

  /** @param imported is told of a draft that was made. */
  constructor(private readonly context: PageContext, private readonly imported: (release: Release) => void) {
    const { locale, signal } = context;
    const t = this.t = translator(words, locale.language);
    this.done = new DoneLine(context);
    this.note = textField({
      name: "note", label: t("note"), hint: t("noteHint"), optional: true, isLong: true, maxLength: noteMost,
    }, locale);
    this.input.addEventListener("change", () => this.result.replaceChildren());
    const files = this.fileField();
    const form = new Form({
      fields: [files, this.note], submit: t("check"), label: t("importTitle"),
      send: () => this.send(true), problems: (failure) => this.problems(failure),
    }, locale, signal);
    this.node = element(
      "section", { "aria-labelledby": "import-title" }, element("h2", { id: "import-title" }, t("importTitle")),
      element("div", { class: "narrow" }, form.node), this.working, this.done.node, this.result);
  }

  /** Files are chosen as any other field is filled in. */
  private fileField(): ConstructorParameters<typeof Form>[0]["fields"][number] & { node: HTMLElement } {
    const { t, input } = this;
    const most = String(Math.floor(importBytesMax / megabyte));
    const problem = element("p", { id: "files-problem", class: "problem" });
    input.setAttribute("aria-describedby", "files-hint");
    return {
      name: "files", api: ["file", "chunk", "files"],
      node: element(
        "div", { class: "field" }, element("label", { for: "files" }, t("files")),
        element("p", { id: "files-hint", class: "hint" }, t("filesHint", { most })), input, problem),
      problem: () => {
        const files = [...input.files ?? []];
        if (files.length === 0) return t("noFiles");
        return files.reduce((sum, { size }) => sum + size, 0) > importBytesMax ? t("tooLarge", { most }) : undefined;
      },
      show(text) {
        problem.textContent = text ?? "";
        if (text === undefined) input.removeAttribute("aria-invalid");
        else input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", text === undefined ? "files-hint" : "files-hint files-problem");
      },
      focus: () => input.focus(),
    };
  }

  private async send(dryRun: boolean): Promise<void> {
    const { t, context } = this;
    this.done.show("");
    this.working.textContent = t("checking");
    try {
      const { release } = await importFigures(
        context.client, { dryRun, note: this.note.value() ?? "", files: [...this.input.files ?? []] },
        { signal: context.signal });
      if (dryRun) this.show(release ?? {});
      else this.made(release ?? {});
    } finally {
      this.working.textContent = "";
    }
  }

  private show(release: Release): void {
    const { t, context } = this;
    const files = release.files ?? [];
    const isNew = files.some(({ importedBefore }) => !importedBefore);
    const problem = element("div", { class: "problem", role: "alert" });
    const button = element("button", { type: "button", class: "import-now" }, t("importNow"));
    button.addEventListener("click", () => {
      button.disabled = true;
      problem.replaceChildren();
      this.send(false)
        .catch((failure: unknown) => {
          if (!context.signal.aborted) problem.textContent = this.told(failure);
        })
        .finally(() => { button.disabled = false; });
    });
    this.result.replaceChildren(
      element("h3", {}, t("found")), ...contentsOf(release, context.locale),
      ...(isNew ? [element("div", { class: "buttons" }, button)] : [element("p", {}, t("allBefore"))]), problem);
    this.result.focus();
    context.announce(isNew ? t("found") : t("allBefore"));
  }

  private made(release: Release): void {
    this.result.replaceChildren();
    this.input.value = "";
    this.note.set("");
    if (!release.number || release.number === "0") {
      this.done.show(this.t("allBefore"));
      return;
    }
    this.done.show(this.t("imported", { number: release.number }));
    this.imported(release);
  }

  private problems(failure: unknown): Problems {
    const isOfFiles = failure instanceof ConnectError && failure.code === "invalid_argument";
    return {
      fields: isOfFiles ? { files: this.told(failure) } : {},
      whole: describeError(failure, this.context.locale.language),
    };
  }

  /** File, row and column of what is wrong, and what the server says of it. */
  private told(failure: unknown): string {
    const { t, context } = this;
    if (!(failure instanceof ConnectError) || failure.code !== "invalid_argument") {
      return describeError(failure, context.locale.language);
    }
    const { file, row, column } = failure.metadata;
    const unknown = t("unknownPlace");
    const place = file === undefined ? []
      : [t("wrongFile", { file, row: row ?? unknown, column: column ?? unknown })];
    return [...place, t("serverSays"), [...failure.violations.values()].join(" ") || failure.message].join(" ");
  }
}
