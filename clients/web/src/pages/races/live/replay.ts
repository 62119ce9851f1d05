import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { clockText } from "../../../races/format.js";
import { element } from "../../../shell/element.js";
import { words } from "./words.js";

/** Seconds of the race between two moments that can be chosen. */
const stepS = 5;
const minuteMs = 60_000;
/** How much of the race passes in one of its steps when it plays, which is about a second. */
const playedMs = 30_000;

/** Who is told what of a race somebody wants to see. */
export interface ReplayListener {
  /** A moment, in milliseconds since the start; undefined for what is now. */
  wanted(moment: number | undefined): void;
}

/** Where somebody chooses a moment of a race: a slider, steps of a minute, and to let it play. */
export class Replay {
  readonly node: HTMLElement;
  private readonly slider = element("input", { type: "range", id: "moment", min: "0", step: String(stepS) });
  private readonly output = element("output", { for: "moment" });
  private readonly player = element("button", { type: "button", "aria-pressed": "false" });
  private readonly toNow: HTMLElement;
  private isPlaying = false;
  /** Somebody is moving the slider: it is left to them. */
  private isHeld = false;
  private endMs = 0;

  /** @param isOver whether there is no "now" to go back to. */
  constructor(private readonly locale: Locale, isOver: boolean, private readonly listener: ReplayListener) {
    const t = translator(words, locale.language);
    const button = (text: string, act: () => void): HTMLElement => {
      const made = element("button", { type: "button" }, text);
      made.addEventListener("click", act);
      return made;
    };
    this.slider.addEventListener("input", () => {
      this.isHeld = true;
      this.say();
    });
    this.slider.addEventListener("change", () => {
      this.isHeld = false;
      this.go(this.moment);
    });
    this.player.addEventListener("click", () => {
      this.play(!this.isPlaying);
      if (this.isPlaying) this.go(this.moment >= this.endMs ? 0 : this.moment);
    });
    this.toNow = button(t(isOver ? "toEnd" : "toNow"), () => {
      this.play(false);
      listener.wanted(undefined);
    });
    this.play(false);
    this.node = element(
      "section", { class: "card replay" }, element("h2", {}, t("replay")), element("p", { class: "hint" }, t("replayHint")),
      element("div", { class: "moment" }, element("label", { for: "moment" }, t("moment")), this.slider, this.output),
      element(
        "div", { class: "buttons" }, button(t("earlier"), () => this.go(this.moment - minuteMs)),
        button(t("later"), () => this.go(this.moment + minuteMs)), this.player, this.toNow));
    this.say();
  }

  /** How far the race has come, in milliseconds since its start. */
  set end(milliseconds: number) {
    this.endMs = Math.max(milliseconds, 0);
    this.slider.max = String(Math.floor(this.endMs / 1000 / stepS) * stepS);
  }

  /** Shows which moment is on the page; undefined for what is now. */
  show(moment: number | undefined): void {
    this.toNow.hidden = moment === undefined;
    if (this.isHeld) return;
    this.slider.value = String(Math.round((moment ?? this.endMs) / 1000));
    this.say();
  }

  /** The moment that was wanted is shown: when it plays, the next one is due. */
  arrived(): void {
    if (!this.isPlaying) return;
    if (this.moment >= this.endMs - 1000 * stepS) this.play(false);
    else this.go(this.moment + playedMs);
  }

  /** Plays no further, because somebody wants something else, or something has failed. */
  rest(): void {
    this.play(false);
  }

  private get moment(): number {
    return Number(this.slider.value) * 1000;
  }

  private go(moment: number): void {
    this.slider.value = String(Math.min(Math.max(moment, 0), this.endMs) / 1000);
    this.say();
    this.listener.wanted(this.moment);
  }

  private play(isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    this.player.textContent = translator(words, this.locale.language)(isPlaying ? "stop" : "play");
    this.player.setAttribute("aria-pressed", String(isPlaying));
  }

  private say(): void {
    const text = clockText(this.moment, this.locale);
    this.output.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }
}
