import type { Notification } from "../../api/notifications_v1.js";
import { translator } from "../../language/words.js";
import { messageOf, placeOf, sentenceOf } from "../../notifications/describe.js";
import { dateOf, time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** One notification in the list: what it says, when, the whole message, and where something can be done about it. */
export class Entry {
  readonly node: HTMLLIElement;
  private readonly fresh: HTMLElement;
  private readonly button: HTMLButtonElement;

  /** @param read marks it as read. */
  constructor(notification: Notification, context: Pick<PageContext, "locale" | "session">, read: () => Promise<void>) {
    const { locale, session } = context;
    const t = translator(words, locale.language);
    const titleId = `notice-${notification.notificationId}`;
    const sentence = sentenceOf(notification, locale.language);
    const place = session && placeOf(notification, session.kind);
    this.fresh = element("span", { class: "count" }, t("fresh"));
    this.button = element("button", { type: "button", "aria-describedby": titleId }, t("read"));
    this.button.addEventListener("click", () => {
      if (this.button.disabled) return;
      this.button.disabled = true;
      read().catch(() => { this.button.disabled = false; });
    });
    const title = element("p", { class: "sentence", id: titleId });
    if (place === undefined) title.append(sentence);
    else {
      const link = element("a", { href: place }, sentence);
      // Whoever goes where it leads has read it.
      link.addEventListener("click", () => { if (!this.button.hidden) read().catch(() => {}); });
      title.append(link);
    }
    const created = dateOf(notification.created);
    const when = element("p", { class: "hint" }, this.fresh, ...(created ? [" ", time(created, locale)] : []));
    const message = messageOf(notification, locale.language);
    const whole = element(
      "details", {}, element("summary", {}, t("message")), element("p", { class: "message" }, message));
    this.node = element(
      "li", { class: "card notice" }, title, when, ...(message ? [whole] : []), this.button);
    this.show(notification.isRead ?? false);
  }

  show(isRead: boolean): void {
    this.fresh.hidden = isRead;
    this.button.hidden = isRead;
    this.node.classList.toggle("unread", !isRead);
  }
}
