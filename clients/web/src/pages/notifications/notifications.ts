import { NotificationService } from "../../api/notifications_v1.js";
import type { Notification } from "../../api/notifications_v1.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { pagesOf } from "../../parts/pages_of.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { Entry } from "./entry.js";
import { words } from "./words.js";

/** The account's notifications, newest first; new ones appear as they arise. With `?unread=1` those alone that are not read. */
export async function open(context: PageContext): Promise<Page> {
  const { client, inbox, locale, query, signal } = context;
  const t = translator(words, locale.language);
  const unreadOnly = query.get("unread") === "1";
  const entries = new Map<string, Entry>();
  const list = element("ul", { class: "plain", "aria-label": t("list") });
  const none = element("p", {}, t(unreadOnly ? "noneUnread" : "none"));
  const problem = element("p", { class: "problem", role: "alert" });

  const read = async (ids: readonly string[]): Promise<void> => {
    problem.textContent = "";
    try {
      await inbox?.markRead(ids);
    } catch (failure) {
      if (!signal.aborted) problem.textContent = describeError(failure, locale.language);
      throw failure;
    }
  };
  const add = (notification: Notification, place: "first" | "last"): void => {
    const id = notification.notificationId ?? "";
    // One that has just arrived may be in the list that was asked for at the same time.
    if (entries.has(id)) return;
    const entry = new Entry(notification, context, () => read([id]));
    entries.set(id, entry);
    if (place === "first") list.prepend(entry.node);
    else list.append(entry.node);
    none.hidden = true;
  };
  inbox?.listen({
    arrived: (notification) => add(notification, "first"),
    read: (ids) => { for (const id of ids) entries.get(id)?.show(true); },
  }, signal);

  const all = element("button", { type: "button" }, t("readAll"));
  all.addEventListener("click", () => {
    if (all.disabled) return;
    all.disabled = true;
    unread(context).then(read).then(() => context.announce(t("allRead"))).catch((failure: unknown) => {
      if (!signal.aborted) problem.textContent = describeError(failure, locale.language);
    }).finally(() => { all.disabled = false; });
  });

  const more = await pagesOf<Notification>(context, async (pageToken) => {
    const page = await client.unary(NotificationService.listNotifications, { unreadOnly, pageToken }, { signal });
    return { items: page.notifications ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (notifications) => { for (const notification of notifications) add(notification, "last"); });
  const which = choices(t("which"), [
    { label: t("all"), query: { unread: undefined } }, { label: t("unreadOnly"), query: { unread: "1" } },
  ], "/notifications", query);
  return { title: t("title"), content: [which, element("p", {}, all), problem, none, list, more] };
}

/** The numbers of all that are not read. */
async function unread({ client, signal }: PageContext): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = "";
  do {
    const page = await client.unary(
      NotificationService.listNotifications, { unreadOnly: true, pageSize: 100, pageToken }, { signal });
    ids.push(...(page.notifications ?? []).map(({ notificationId }) => notificationId ?? ""));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return ids;
}
