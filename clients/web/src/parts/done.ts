import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";

/** A line that says what was done, to those who see it and to those who hear it. */
export class DoneLine {
  readonly node = element("p", { class: "done" });

  constructor(private readonly context: Pick<PageContext, "announce">) {}

  say(text: string): void {
    this.node.textContent = text;
    this.context.announce(text);
  }

  clear(): void {
    this.node.textContent = "";
  }
}
