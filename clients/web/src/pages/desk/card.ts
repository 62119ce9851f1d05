import { DispatchService } from "../../api/sos_v1.js";
import type { AnswerKind, DeskCall } from "../../api/sos_v1.js";
import { elapsedText, headline } from "../../emergencies/format.js";
import { dateOfMicroseconds } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { textField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { facts } from "./facts.js";
import { answerProblem } from "./problems.js";
import { words } from "./words.js";

/** The most characters of a note. */
const noteLength = 500;
/** Answers that end a call for everybody. */
const final: readonly AnswerKind[] = ["ANSWER_KIND_RESOLVED", "ANSWER_KIND_FALSE_ALARM"];

type Translate = ReturnType<typeof translator<typeof words>>;

/** One call on the screen. What is typed into it, and where the focus is, stays when news of it come. */
export class CallCard {
  readonly node: HTMLElement;
  private readonly t: Translate;
  private readonly title: HTMLElement;
  private readonly exercise: HTMLElement;
  private readonly standing = element("p", { class: "standing" });
  private readonly facts = element("div");
  private readonly text = element("pre", { lang: "en", tabindex: "0" });
  private readonly note: Field<string>;
  private readonly problem = element("p", { class: "problem", role: "alert" });
  private readonly answers = element("div");
  private drawn = "";
  private drawnAnswers = "";
  private isAnswering = false;
  private growing: Array<() => void> = [];

  /**
   * @param number of the card on this page, also on the map: part of the ids of its elements.
   * @param answered told of a call as it stands after an answer.
   */
  constructor(
    private readonly id: string, readonly number: number, private readonly context: PageContext,
    private readonly answered: (call: DeskCall) => void,
  ) {
    const { locale } = context;
    this.t = translator(words, locale.language);
    this.title = element("h3", { id: `call-${number}`, tabindex: "-1" });
    this.exercise = element("p", { class: "exercise" }, this.t("exercise"));
    this.note = textField(
      { name: `note-${number}`, label: this.t("note"), maxLength: noteLength, optional: true, autocomplete: "off" }, locale);
    this.node = element(
      "article", { class: "card call", "aria-labelledby": this.title.id }, this.title, this.exercise, this.standing,
      this.problem, this.answers, this.facts,
      element("details", {}, element("summary", {}, this.t("text")), this.text));
  }

  draw(call: DeskCall): void {
    this.node.dataset["place"] = call.place ?? "";
    this.exercise.hidden = call.emergency?.status !== "DISPATCH_STATUS_EXERCISE";
    if (this.text.textContent !== call.text) this.text.textContent = call.text ?? "";
    // Its text has ages in it, and its steps are those of SMS and voice calls: neither is drawn here.
    const drawn = JSON.stringify({ ...call, text: "", emergency: { ...call.emergency, transitions: [] } });
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.title.textContent = this.t("numbered", {
        number: String(this.number), what: headline(call.emergency ?? {}, this.context.locale),
      });
      this.growing = [];
      const hadFocus = this.facts.contains(document.activeElement);
      this.facts.replaceChildren(...facts(call, (moment, key) => this.age(moment, key), this.context));
      this.standing.replaceChildren(this.stands(call));
      this.offer(call);
      if (hadFocus) this.focus();
    }
    this.grow();
  }

  /** Says anew how long ago things were. */
  grow(): void {
    for (const grow of this.growing) grow();
  }

  /** Leads to what the card is about. */
  focus(): void {
    this.title.focus();
  }

  private age(moment: Date, key: keyof typeof words, values: Record<string, string> = {}): HTMLElement {
    const span = element("span");
    this.growing.push(() => {
      span.textContent = this.t(key, { ...values, time: elapsedText(Date.now() - moment.getTime()) });
    });
    return span;
  }

  /** Where the call stands, in a sentence. */
  private stands(call: DeskCall): Node {
    const detected = dateOfMicroseconds(call.emergency?.detectedUs);
    switch (call.place) {
      case "CALL_PLACE_WAITING": return this.age(detected, "waitsFor");
      case "CALL_PLACE_REFUSED": return this.age(detected, "givenBack");
      case "CALL_PLACE_OURS":
        return this.isMine(call) ? this.age(detected, "mine") : this.age(detected, "theirs", { name: this.holder(call) });
      case "CALL_PLACE_TAKEN": return element("span", {}, this.t("takenElsewhere"));
      default: {
        const isFalse = call.emergency?.state === "EMERGENCY_STATE_CANCELLED";
        return element("span", {}, this.t(isFalse ? "overCancelled" : "overResolved"));
      }
    }
  }

  private isMine(call: DeskCall): boolean {
    return call.holder?.accountId !== undefined && call.holder.accountId === this.context.session?.accountId;
  }

  private holder(call: DeskCall): string {
    return call.holder?.name ? call.holder.name : this.t("program");
  }

  /** The answers that are left, as buttons. */
  private offer(call: DeskCall): void {
    const isTheirs = call.place === "CALL_PLACE_OURS" && !this.isMine(call);
    const left = call.left ?? [];
    const drawn = JSON.stringify([left, call.place, isTheirs, call.holder]);
    if (drawn === this.drawnAnswers) return;
    this.drawnAnswers = drawn;
    const hadFocus = this.answers.contains(document.activeElement);
    this.answers.replaceChildren();
    const buttons = left.filter((kind) => kind in words).map((kind) => this.button(kind, kind as keyof typeof words));
    if (isTheirs) {
      if (buttons.length > 0) {
        this.answers.append(element(
          "details", {}, element("summary", {}, this.t("takeOver", { name: this.holder(call) })),
          element("p", { class: "hint" }, this.t("takeOverHint")), this.note.node,
          element("div", { class: "buttons" }, ...buttons)));
      }
    } else if (buttons.length > 0) {
      // Who has a call can give it back: others are asked then.
      if (call.place === "CALL_PLACE_OURS") buttons.push(this.button("ANSWER_KIND_REFUSED", "giveBack"));
      this.answers.append(this.note.node, element("div", { class: "buttons" }, ...buttons));
    }
    if (hadFocus) this.focus();
  }

  private button(kind: AnswerKind, name: keyof typeof words): HTMLElement {
    const isFirst = kind === "ANSWER_KIND_ACCEPTED" || kind === "ANSWER_KIND_EN_ROUTE";
    const button = element(
      "button", { type: "button", "aria-describedby": this.title.id, ...(isFirst ? { class: "first" } : {}) }, this.t(name));
    button.addEventListener("click", () => void (final.includes(kind) ? this.confirm(kind, this.t(name)) : this.send(kind)));
    return button;
  }

  private async confirm(kind: AnswerKind, name: string): Promise<void> {
    const { locale, signal } = this.context;
    this.problem.textContent = "";
    const isDone = await ask({
      title: this.t("closeTitle"),
      content: [
        element("p", {}, this.title.textContent ?? ""), element("p", {}, this.t("closeText", { answer: name })),
      ],
      confirm: name, act: () => this.answer(kind), problem: (failure) => answerProblem(failure, locale.language),
    }, locale, signal);
    if (isDone) this.focus();
  }

  private async send(kind: AnswerKind): Promise<void> {
    if (this.isAnswering) return;
    this.isAnswering = true;
    this.problem.textContent = "";
    try {
      await this.answer(kind);
    } catch (failure) {
      if (!this.context.signal.aborted) this.problem.textContent = answerProblem(failure, this.context.locale.language);
    } finally {
      this.isAnswering = false;
    }
  }

  private async answer(kind: AnswerKind): Promise<void> {
    const { client, signal } = this.context;
    const note = this.note.value() ?? "";
    const { call } = await client.unary(
      DispatchService.answerCall, { emergencyId: this.id, kind, ...(note === "" ? {} : { note }) }, { signal });
    this.note.set("");
    if (call) this.answered(call);
  }
}
