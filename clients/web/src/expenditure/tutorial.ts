import type { TutorialStep } from "../api/expenditure_v1.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";
import { TextEditor } from "./text_editor.js";
import { words } from "./tutorial/words.js";

/** The controls of the map that steps point at, by the names that the server gives them. */
export type Controls = Readonly<Record<string, HTMLElement>>;

/**
 * The tutorial over the map (S-UC5): a step at a time, each pointing at the control that it is about. While it is
 * there, the browser keeps the focus in it.
 */
export class Tutorial {
  readonly node: HTMLDialogElement;
  private at = 0;
  private pointed: HTMLElement | undefined;
  private readonly t;
  private readonly steps: TutorialStep[];

  /** @param leave leads back to the menu, after Finish, the X or Escape. */
  constructor(
    private readonly context: PageContext, steps: readonly TutorialStep[], private readonly controls: Controls,
    private readonly leave: () => void,
  ) {
    this.t = translator(words, context.locale.language);
    this.steps = [...steps];
    this.node = element(
      "dialog", { class: "tutorial", "aria-labelledby": "tutorial-title", "aria-describedby": "tutorial-text" });
    this.node.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.end();
    });
  }

  /** Begins with the first step. */
  show(): void {
    if (this.steps.length === 0) {
      this.leave();
      return;
    }
    this.node.showModal();
    this.draw();
  }

  private end(): void {
    this.point(undefined);
    this.node.close();
    this.leave();
  }

  private draw(): void {
    const { t } = this;
    const step = this.steps[this.at];
    if (!step) return;
    const isLast = this.at === this.steps.length - 1;
    const button = (
      text: string, act: () => void, attributes: Readonly<Record<string, string>> = {},
    ): HTMLButtonElement => {
      const made = element("button", { type: "button", ...attributes }, text);
      made.addEventListener("click", act);
      return made;
    };
    const go = (by: number) => (): void => {
      this.at += by;
      this.draw();
    };
    const title = element(
      "h2", { id: "tutorial-title", tabindex: "-1" },
      t("step", { number: String(this.at + 1), count: String(this.steps.length) }));
    const buttons = element(
      "div", { class: "buttons" }, ...(this.at === 0 ? [] : [button(t("back"), go(-1))]),
      isLast ? button(t("finish"), () => this.end(), { class: "main-action" })
        : button(t("next"), go(1), { class: "main-action" }));
    const text = element("p", { id: "tutorial-text" }, this.textOf(step));
    this.node.replaceChildren(
      button("✕", () => this.end(), { class: "close", "aria-label": t("close") }), title, text, buttons);
    if (this.context.session?.kind === "administrator") {
      const edit = button(t("edit"), () => this.edit(step, edit));
      this.node.append(edit);
    }
    this.point(this.controls[step.control ?? ""]);
    // Who listens hears the step; Tab then leads to its buttons.
    title.focus();
  }

  private textOf({ text }: TutorialStep): string {
    const { italian = "", english = "" } = text ?? {};
    const own = this.context.locale.language === "it" ? italian : english;
    return own !== "" ? own : italian + english;
  }

  private edit(step: TutorialStep, button: HTMLElement): void {
    const number = step.number ?? 0;
    const editor = new TextEditor(this.context, {
      name: `step-${number}`, label: this.t("edit"), subject: { step: number }, text: step.text ?? {},
      etag: step.etag ?? "",
      saved: (text, etag) => {
        this.steps[this.at] = { ...step, text, etag };
        this.draw();
      },
    });
    button.replaceWith(editor.node);
    editor.focus();
  }

  /** Shows which control a step is about, and keeps out of its way. */
  private point(control: HTMLElement | undefined): void {
    this.pointed?.classList.remove("pointed");
    this.pointed = control;
    if (!control) return;
    control.classList.add("pointed");
    control.scrollIntoView({ block: "center" });
    const { top, bottom } = control.getBoundingClientRect();
    this.node.classList.toggle("at-top", (top + bottom) / 2 > innerHeight / 2);
  }
}
