import type { ConnectError } from "../connect/errors.js";
import { follow } from "../connect/follow.js";
import type { Followed, Freshness } from "../connect/follow.js";
import { describeError } from "../errors/describe.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";
import { momentText } from "./time.js";
import { words } from "./words.js";

/** Who is told of the messages of a page's stream. */
export interface LiveListener<Response> {
  /** May ask for more of what a message is about: where that cannot be had, the page catches up with the next message. */
  message(message: Response): void | Promise<void>;
  /**
   * Asks for what lies between the page's first answer and the stream's first message: called with that one and, heartbeats
   * too, with those after it until it has succeeded.
   */
  catchUp?(): Promise<void>;
  /** The stream is over for good. What it showed is to be taken away where it was shown by a right that has ended. */
  ended?(error: ConnectError): void;
  /** Told at each change, and at the beginning. */
  freshness?(freshness: Freshness): void;
}

/**
 * Follows a page's stream for as long as the page is shown.
 * @returns a line that says how fresh what the page shows is; that it broke, and that it is back, are also heard.
 */
export function live<Request, Response>(
  context: Pick<PageContext, "client" | "surroundings" | "locale" | "signal" | "announce">,
  followed: Followed<Request, Response>, listener: LiveListener<Response>,
): HTMLElement {
  const { client, surroundings, locale, signal, announce } = context;
  const t = translator(words, locale.language);
  const state = element("p", { class: "freshness" });
  let asOf = new Date();
  let hasCaughtUp = false;
  const missed = (): void => { hasCaughtUp = false; };
  const following = follow<Request, Response>(client, followed, {
    message(message) {
      asOf = new Date();
      if (!hasCaughtUp) {
        hasCaughtUp = true;
        listener.catchUp?.().catch(missed);
      }
      Promise.resolve(listener.message(message)).catch(missed);
    },
    freshness(freshness) {
      const before = state.dataset["freshness"];
      state.dataset["freshness"] = freshness;
      state.textContent = t(freshness, { time: momentText(asOf, locale, { timeStyle: "medium" }) });
      if (freshness === "stale" || (freshness === "live" && before === "stale")) announce(state.textContent);
      listener.freshness?.(freshness);
    },
    ended(error) {
      state.textContent = describeError(error, locale.language);
      state.dataset["freshness"] = "stale";
      announce(state.textContent);
      listener.ended?.(error);
    },
  }, surroundings);
  signal.addEventListener("abort", () => following.stop());
  if (signal.aborted) following.stop();
  return state;
}
