import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";
import type { ViewState } from "./address.js";
import { words } from "./close/words.js";
import { returnToMenu } from "./view_state.js";

/** The X in the upper right corner of what the menu has opened: back to the map, with the focus on the menu. */
export function closeButton(context: PageContext, state: ViewState): HTMLElement {
  const label = translator(words, context.locale.language)("close");
  const button = element("button", { type: "button", class: "close", "aria-label": label }, "✕");
  button.addEventListener("click", () => returnToMenu(context, state));
  return button;
}
