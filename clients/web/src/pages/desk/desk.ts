import { DispatchService } from "../../api/sos_v1.js";
import type { DeskCall, WatchCallsRequest, WatchCallsResponse } from "../../api/sos_v1.js";
import { headline } from "../../emergencies/format.js";
import { translator } from "../../language/words.js";
import { live } from "../../parts/live.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { Alarm } from "./alarm.js";
import type { SoundState } from "./alarm.js";
import { Calls } from "./calls.js";
import { CallCard } from "./card.js";
import { passwordForm } from "./password.js";
import { CallPlaces } from "./places.js";
import { words } from "./words.js";

/** How often it is said anew how long calls wait. */
const ageMs = 1000;
/** A desk that has lost its server asks again at least so often. */
const longestPauseMs = 2000;

/** The calls of a dispatcher, for somebody at its desk. They come also while the page is hidden: they are heard then. */
export function open(context: PageContext): Page {
  const { locale, signal, surroundings } = context;
  const t = translator(words, locale.language);
  const desk = new Desk(context);
  const state = live<WatchCallsRequest, WatchCallsResponse>(context, {
    method: DispatchService.watchCalls,
    request: (cursor) => (cursor === undefined ? {} : { cursor }),
    cursor: (frame) => frame.cursor,
    isKeptWhileHidden: true,
    longestPauseMs,
  }, {
    message: (frame) => desk.take(frame),
    freshness: (freshness) => desk.connection(freshness !== "stale"),
    ended: (error) => {
      desk.connection(false);
      if (error.is("PASSWORD_CHANGE_DUE")) content.replaceChildren(...passwordForm(context, () => context.go("/desk")));
    },
  });
  const content = element("div", {}, state, desk.node);
  let cancelAges = (): void => {};
  const grow = (): void => {
    desk.grow();
    cancelAges = surroundings.timer(ageMs, grow);
  };
  grow();
  const end = (): void => {
    cancelAges();
    desk.close();
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  return { title: t("title"), content: [content] };
}

/** What is on the screen. */
class Desk {
  readonly node: HTMLElement;
  private readonly calls = new Calls();
  private readonly cards = new Map<string, CallCard>();
  private readonly alarm: Alarm;
  private readonly t: ReturnType<typeof translator<typeof words>>;
  private readonly exercise = element("p", { class: "exercise banner", hidden: "" });
  private readonly bell = element("p", { class: "bell", hidden: "" });
  private readonly silence: HTMLButtonElement;
  private readonly lost: HTMLElement;
  private readonly sound = element("p", { class: "sound" });
  private readonly arm: HTMLButtonElement;
  private readonly sections: ReadonlyArray<{
    readonly heading: HTMLElement; readonly name: string; readonly list: HTMLElement; readonly none: HTMLElement; calls(): DeskCall[];
  }>;
  private readonly places: CallPlaces;
  private number = 0;
  private isConnected = true;
  private isClosed = false;

  constructor(private readonly context: PageContext) {
    const t = translator(words, context.locale.language);
    this.t = t;
    this.alarm = new Alarm((state) => this.say(state));
    this.silence = element("button", { type: "button", hidden: "" }, t("silence"));
    this.silence.addEventListener("click", () => {
      this.alarm.silence();
      this.ring();
      this.arm.focus();
    });
    this.lost = element("p", { class: "problem", hidden: "" }, t("lost"));
    this.arm = element("button", { type: "button" });
    this.arm.addEventListener("click", () => void (this.alarm.state === "on" ? this.alarm.disarm() : this.alarm.arm()));
    const section = (name: string, none: string, calls: () => DeskCall[]) => ({
      name, calls, heading: element("h2", {}, name), list: element("div", { class: "calls" }),
      none: element("p", { class: "hint" }, none),
    });
    this.sections = [
      section(t("waiting"), t("noneWaiting"), () => this.calls.waiting),
      section(t("ours"), t("noneOurs"), () => this.calls.ours),
      section(t("gone"), t("noneGone"), () => this.calls.gone),
    ];
    this.places = new CallPlaces(context, (id) => this.cards.get(id)?.focus());
    this.node = element(
      "div", { class: "desk" }, this.exercise, this.lost, this.bell,
      element("div", { class: "sounds", role: "group", "aria-label": t("sound") }, this.sound, this.arm, this.silence),
      element("div", { class: "board" },
        ...this.sections.map(({ heading, list, none }) => element("section", {}, heading, none, list)), this.places.node));
    this.say(this.alarm.state);
    this.draw();
  }

  take(frame: WatchCallsResponse): void {
    this.heard(this.calls.take(frame));
    this.draw();
  }

  connection(isThere: boolean): void {
    this.isConnected = isThere;
    this.lost.hidden = isThere;
    this.ring();
  }

  grow(): void {
    for (const card of this.cards.values()) card.grow();
  }

  close(): void {
    this.isClosed = true;
    this.alarm.close();
  }

  private answered(call: DeskCall): void {
    this.calls.put(call);
    this.draw();
  }

  /** Calls that wait now and did not before. */
  private heard(ids: readonly string[]): void {
    for (const id of ids) {
      this.alarm.ring();
      this.context.announce(this.t("newCall", { what: headline(this.calls.find(id)?.emergency ?? {}, this.context.locale) }));
    }
  }

  private draw(): void {
    const shown = new Set<string>();
    for (const { name, heading, list, none, calls } of this.sections) {
      const wanted = calls();
      heading.textContent = `${name} (${wanted.length})`;
      none.hidden = wanted.length > 0;
      const nodes = wanted.map((call) => {
        const id = call.emergency?.emergencyId ?? "";
        shown.add(id);
        let card = this.cards.get(id);
        if (!card) {
          card = new CallCard(id, ++this.number, this.context, (answered) => this.answered(answered));
          this.cards.set(id, card);
        }
        card.draw(call);
        return { card, node: card.node };
      });
      // What is in its place already is not touched: it would lose the focus.
      nodes.forEach(({ card, node }, place) => {
        if (list.children[place] === node) return;
        const hadFocus = node.contains(document.activeElement);
        list.insertBefore(node, list.children[place] ?? null);
        if (hadFocus) card.focus();
      });
    }
    for (const [id, card] of this.cards) {
      if (shown.has(id)) continue;
      card.node.remove();
      this.cards.delete(id);
    }
    this.places.draw(
      [...this.calls.waiting, ...this.calls.ours], (id) => String(this.cards.get(id)?.number ?? ""));
    const { status, hasExercise } = this.calls;
    this.exercise.hidden = status === undefined;
    this.exercise.classList.toggle("actual", !hasExercise);
    this.exercise.textContent = this.t(status === "DISPATCH_STATUS_ACTUAL" ? "actualBanner" : "exerciseBanner");
    this.ring();
  }

  /** The alarm that is seen, and the end of the one that is heard. */
  private ring(): void {
    const count = this.calls.ringing.length;
    if (count === 0) this.alarm.silence();
    const text = count === 1 ? this.t("oneWaits") : this.t("manyWait", { count: String(count) });
    this.bell.hidden = count === 0;
    this.bell.textContent = count === 0 ? "" : text;
    this.silence.hidden = !this.alarm.isSounding;
    this.node.dataset["sounding"] = String(this.alarm.isSounding);
    if (this.isClosed) return;
    const parts = [
      ...(this.isConnected ? [] : [`⚠ ${this.t("lostShort")}`]), ...(count > 0 ? [`(${count}) ${text}`] : []), this.t("title"),
    ];
    document.title = `${parts.join(" – ")} – TrackMe`;
  }

  private say(state: SoundState): void {
    if (this.isClosed) return;
    this.sound.textContent = this.t(state === "on" ? "soundOn" : state === "off" ? "soundOff" : "soundNone");
    this.sound.dataset["sound"] = state;
    this.arm.hidden = state === "none";
    this.arm.textContent = this.t(state === "on" ? "disarm" : "arm");
    this.ring();
  }
}
