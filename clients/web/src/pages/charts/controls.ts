import { moved, possibleSteps, spanWithin, usualStep, zoomed } from "../../charts/interval.js";
import type { Step } from "../../charts/interval.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import type { Translate } from "../../language/words.js";
import { momentField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Kind } from "./kinds.js";
import type { State } from "./state.js";
import { words } from "./words.js";

const spans = [
  ["seconds10", 10_000], ["minutes5", 300_000], ["hours1", 3_600_000], ["hours6", 21_600_000], ["days1", 86_400_000],
  ["days7", 604_800_000], ["days30", 2_592_000_000], ["days365", 31_536_000_000],
] as const;

export interface ControlsListener {
  /** Somebody wants to see something else. */
  choose(state: State): void;
  /** Somebody wants another kind, at the interval that is usual for it. */
  chooseKind(kind: Kind): void;
}

/** What chooses the kind, the interval and the detail. The state is the page's; these say what it becomes. */
export class Controls {
  readonly node: HTMLElement;
  private readonly t: Translate<typeof words>;
  private readonly kind = element("select", { id: "kind" });
  private readonly span = element("select", { id: "span" });
  private readonly step = element("select", { id: "step" });
  private readonly stepField: HTMLElement;
  private readonly live = element("button", { type: "button" });
  private readonly zoomIn: HTMLButtonElement;
  private readonly later: HTMLButtonElement;
  private readonly from: Field<Date>;
  private readonly to: Field<Date>;
  private state: State;

  constructor(
    private readonly kinds: readonly Kind[], state: State, private readonly listener: ControlsListener, locale: Locale,
    signal: AbortSignal,
  ) {
    const t = this.t = translator(words, locale.language);
    this.state = state;
    this.kind.append(...kinds.map(({ name, label }) => element("option", { value: name }, label)));
    this.kind.addEventListener("change", () => {
      const chosen = kinds.find(({ name }) => name === this.kind.value);
      if (!chosen) return;
      if (chosen.shape === this.state.kind.shape) listener.choose({ ...this.state, kind: chosen });
      else listener.chooseKind(chosen);
    });
    this.span.addEventListener("change", () => {
      const spanMs = spans.find(([name]) => name === this.span.value)?.[1];
      if (spanMs === undefined) return;
      const { interval } = this.state;
      listener.choose({ ...this.state, interval: zoomed(interval, spanMs / interval.spanMs, Date.now()) });
    });
    this.step.addEventListener("change", () => {
      const { kind, interval } = this.state;
      listener.choose({ kind, interval, ...(this.step.value ? { step: this.step.value as Step } : {}) });
    });
    const button = (text: string, become: (state: State) => State): HTMLButtonElement => {
      const made = element("button", { type: "button" }, text);
      made.addEventListener("click", () => listener.choose(become(this.state)));
      return made;
    };
    const earlier = button(t("earlier"), (state) => ({ ...state, interval: moved(state.interval, "earlier", Date.now()) }));
    this.later = button(t("later"), (state) => ({ ...state, interval: moved(state.interval, "later", Date.now()) }));
    this.zoomIn = button(t("zoomIn"), (state) => ({ ...state, interval: zoomed(state.interval, 0.5, Date.now()) }));
    const zoomOut = button(t("zoomOut"), (state) => ({ ...state, interval: zoomed(state.interval, 2, Date.now()) }));
    this.live.addEventListener("click", () => {
      const { spanMs, to } = this.state.interval;
      listener.choose({ ...this.state, interval: to === undefined ? { spanMs, to: Date.now() } : { spanMs } });
    });
    this.from = momentField({ name: "from", label: t("from") }, locale);
    this.to = momentField({ name: "to", label: t("to") }, locale);
    const form: Form = new Form({
      fields: [this.from, this.to], submit: t("show"), label: t("choose"),
      content: [element("div", { class: "side-by-side" }, this.from.node, this.to.node)],
      send: async () => this.chooseEnds(form),
    }, locale, signal);
    const field = (label: string, control: HTMLElement): HTMLElement => (
      element("div", { class: "field" }, element("label", { for: control.id }, label), control));
    this.stepField = field(t("step"), this.step);
    this.node = element(
      "div", { class: "chart-controls" },
      element("div", { class: "side-by-side" }, field(t("kind"), this.kind), field(t("span"), this.span), this.stepField),
      element("div", { class: "buttons", role: "group", "aria-label": t("move") }, earlier, this.later, this.zoomIn, zoomOut, this.live),
      element("details", {}, element("summary", {}, t("choose")), form.node));
    this.set(state);
  }

  /** Shows what is chosen now. */
  set(state: State): void {
    this.state = state;
    const { kind, interval } = state;
    this.kind.value = this.kinds.includes(kind) ? kind.name : "";
    const span = spans.find(([, spanMs]) => spanMs === interval.spanMs)?.[0];
    this.span.replaceChildren(
      ...spans.map(([name]) => element("option", { value: name }, this.t(name))),
      ...(span ? [] : [element("option", { value: "other" }, this.t("otherSpan"))]));
    this.span.value = span ?? "other";
    this.step.replaceChildren(
      element("option", { value: "" }, this.t("automatic", { step: this.t(usualStep(interval.spanMs)) })),
      ...possibleSteps(interval.spanMs).map((step) => element("option", { value: step }, this.t(step))));
    this.step.value = state.step ?? "";
    this.stepField.hidden = kind.shape !== "scalar";
    const isLive = interval.to === undefined;
    this.live.textContent = this.t(isLive ? "pause" : "goOn");
    this.later.disabled = isLive;
    this.zoomIn.disabled = spanWithin(interval.spanMs / 2) === interval.spanMs;
    const to = interval.to ?? Date.now();
    this.from.set(new Date(to - interval.spanMs));
    this.to.set(new Date(to));
  }

  private chooseEnds(form: Form): void {
    const from = this.from.value(), to = this.to.value();
    if (!from || !to) return;
    if (from >= to) {
      form.show({ fields: { to: this.t("endsBeforeStart") } });
      return;
    }
    this.listener.choose({ ...this.state, interval: { spanMs: spanWithin(to.getTime() - from.getTime()), to: to.getTime() } });
  }
}
