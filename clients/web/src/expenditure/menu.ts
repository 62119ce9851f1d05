import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";
import { translator } from "../language/words.js";
import { addressOf } from "./address.js";
import type { ViewState } from "./address.js";
import { words } from "./menu/words.js";

/** Where the menu leads, in its order (S-UC4). */
const entries = [
  { key: "about", path: "/expenditure/about" },
  { key: "dictionary", path: "/expenditure/dictionary" },
  { key: "tutorial", path: "/expenditure/tutorial" },
] as const;

/** The drop-down menu of the map. Its entries are links, so they can also be opened in a window of their own. */
export class Menu {
  readonly node: HTMLElement;
  readonly button: HTMLButtonElement;
  private readonly list: HTMLElement;
  private readonly links: readonly HTMLAnchorElement[];

  constructor(context: PageContext, private readonly state: () => ViewState) {
    const t = translator(words, context.locale.language);
    this.button = element(
      "button",
      { type: "button", id: "menu", "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": "menu-list" },
      element("span", { "aria-hidden": "true" }, "☰ "), t("menu"));
    this.links = entries.map(({ key, path }) => element(
      "a", { role: "menuitem", tabindex: "-1", href: path }, t(key)));
    this.list = element(
      "ul", { role: "menu", id: "menu-list", "aria-label": t("menu") },
      ...this.links.map((link) => element("li", { role: "none" }, link)));
    this.list.hidden = true;
    this.node = element("div", { class: "menu" }, this.button, this.list);
    this.button.addEventListener("click", () => {
      if (this.isOpen) this.close();
      else this.open(0);
    });
    this.node.addEventListener("keydown", (event) => this.key(event));
    // Where the focus goes, or the pointer, the menu does not follow.
    this.node.addEventListener("focusout", (event) => {
      if (event.relatedTarget instanceof Node && !this.node.contains(event.relatedTarget)) this.close();
    });
    document.addEventListener("pointerdown", (event) => {
      if (event.target instanceof Node && !this.node.contains(event.target)) this.close();
    }, { signal: context.signal });
  }

  get isOpen(): boolean {
    return !this.list.hidden;
  }

  private open(index: number): void {
    for (const [at, { path }] of entries.entries()) this.links[at]?.setAttribute("href", addressOf(path, this.state()));
    this.list.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.links[index]?.focus();
  }

  private close(): void {
    this.list.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.links.length - 1;
    const at = this.links.findIndex((link) => link === document.activeElement);
    if (event.key === "Escape" && this.isOpen) {
      this.close();
      this.button.focus();
    } else if (event.key === "ArrowDown") {
      if (this.isOpen) this.focus(at === last ? 0 : at + 1);
      else this.open(0);
    } else if (event.key === "ArrowUp") {
      if (this.isOpen) this.focus(at <= 0 ? last : at - 1);
      else this.open(last);
    } else if (event.key === "Home" && this.isOpen) {
      this.focus(0);
    } else if (event.key === "End" && this.isOpen) {
      this.focus(last);
    } else if (event.key === " " && at >= 0) {
      this.links[at]?.click();
    } else if (event.key === "Tab") {
      this.close();
      return;
    } else {
      if (event.key.length === 1 && event.key !== " " && this.isOpen) this.focusLetter(event.key, at);
      return;
    }
    event.preventDefault();
  }

  private focus(index: number): void {
    this.links[index]?.focus();
  }

  /** The next entry that begins with a letter. */
  private focusLetter(letter: string, at: number): void {
    const order = [...this.links.slice(at + 1), ...this.links.slice(0, at + 1)];
    order.find((link) => link.textContent?.toLowerCase().startsWith(letter.toLowerCase()))?.focus();
  }
}
