import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";

/** A line below a form that says what was done, also to those who listen to the page. */
export class DoneLine {
  readonly node = element("p", { class: "done" });

  constructor(private readonly context: Pick<PageContext, "announce" | "signal">) {}

  /** Says it, or nothing any more. */
  show(text: string): void {
    if (this.context.signal.aborted) return;
    this.node.textContent = text;
    if (text !== "") this.context.announce(text);
  }
}
