import type { Freshness } from "../connect/follow.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import { words } from "./words.js";

/**
 * What is shown by a right that somebody else may end at any moment. It is on screen only while a stream says that the
 * right stands: without a connection nobody can tell, so it is covered until there is one again.
 */
export class Guarded {
  readonly node: HTMLElement;
  private readonly notice: HTMLElement;
  private hasEnded = false;

  constructor(private readonly content: HTMLElement, locale: Locale) {
    this.notice = element("p", {}, translator(words, locale.language)("covered"));
    this.node = element("div", {}, this.notice, content);
    this.freshness("connecting");
  }

  /** Shows or covers it. */
  freshness(freshness: Freshness): void {
    if (this.hasEnded) return;
    this.content.hidden = freshness !== "live";
    this.notice.hidden = freshness === "live" || freshness === "connecting";
  }

  /** The right has ended: nothing of it stays in the page. */
  end(...instead: readonly Node[]): void {
    this.hasEnded = true;
    this.content.replaceChildren();
    this.node.replaceChildren(...instead);
  }
}
