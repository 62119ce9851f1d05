import type { PageContext } from "../shell/page.js";
import { addressOf, parseView } from "./address.js";
import type { ViewState } from "./address.js";

/** What the page's address shows, in the language of the page; from now on the address names that too. */
export function openView(context: PageContext, path: string): ViewState {
  const state = { ...parseView(context.query), language: context.locale.language };
  context.keep(addressOf(path, state));
  return state;
}

/** Whether the map that is drawn next begins with its menu, because somebody comes back from what the menu led to. */
let isReturning = false;

/** Leads back to the map, with the focus on the menu's button. */
export function returnToMenu(context: PageContext, state: ViewState): void {
  isReturning = true;
  context.go(addressOf("/expenditure", state));
}

/** Puts the focus on the menu's button once the page is drawn, if somebody comes back to it. */
export function focusIfReturning(context: PageContext, button: HTMLElement): void {
  if (!isReturning) return;
  isReturning = false;
  afterDrawing(context, () => button.focus());
}

/** Does something when the page that is being opened has been drawn, and its heading has the focus. */
export function afterDrawing(context: PageContext, act: () => void): void {
  context.surroundings.timer(0, () => {
    if (!context.signal.aborted) act();
  });
}
