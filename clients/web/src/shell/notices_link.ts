import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "./element.js";
import { words } from "./words.js";

/** The header's link to the notifications, with how many are not read. */
export class NoticesLink {
  readonly node: HTMLAnchorElement;
  private readonly count = element("span", { class: "count" });

  constructor(private readonly locale: Locale, isCurrent: boolean) {
    const t = translator(words, locale.language);
    this.node = element(
      "a", { href: "/notifications", class: "notices", ...(isCurrent ? { "aria-current": "page" } : {}) },
      t("notifications"), this.count);
    this.show(undefined);
  }

  /** @param unread undefined where it is not known yet. */
  show(unread: number | undefined): void {
    const t = translator(words, this.locale.language);
    const number = new Intl.NumberFormat(this.locale.tag).format(unread ?? 0);
    this.count.textContent = unread ? t("unread", { count: number }) : "";
  }
}
