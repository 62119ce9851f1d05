import { NotificationService } from "../api/notifications_v1.js";
import type { Notification, WatchNotificationsRequest, WatchNotificationsResponse } from "../api/notifications_v1.js";
import type { ConnectClient } from "../connect/client.js";
import { follow } from "../connect/follow.js";
import type { Surroundings } from "../connect/surroundings.js";
import type { Int64 } from "../json/scalars.js";
import type { Tabs } from "./tabs.js";

/** Who is told of an inbox, on whichever page of the browser it is noticed. */
export interface InboxListener {
  /** A notification has just been made. Each is told once. */
  arrived?(notification: Notification): void;
  /** Somebody has read these. */
  read?(ids: readonly Int64[]): void;
  /** How many are not read is known, or is another number. */
  counted?(unread: number): void;
}

/** What pages of one browser tell each other. */
type Message =
  | { readonly type: "frame"; readonly cursor: string; readonly notification?: Notification }
  | { readonly type: "read"; readonly ids: readonly Int64[] }
  | { readonly type: "unread"; readonly count: number }
  | { readonly type: "hello" };

/** The most that MarkRead takes at once. */
const mostIds = 1000;
/** So many are remembered, so that one which two pages have received is told once. */
const mostTold = 200;

/**
 * The notifications of the account that is signed in, as they arise. Of all pages of a browser the one that somebody
 * looks at holds the one stream, and tells the others what comes; when it is hidden or closed, another one that is looked
 * at goes on after the cursor that all of them know.
 */
export class Inbox {
  /** How many are not read; undefined until it is known. */
  unread: number | undefined;
  private cursor = "";
  private told: Int64[] = [];
  private isLeading = false;
  private isCounting = false;
  private countAgain = false;
  private readonly listeners = new Set<InboxListener>();
  private readonly channel: ReturnType<Tabs["channel"]>;
  private readonly name: string;
  /** Ends standing for the lead, and leading. */
  private standing: AbortController | undefined;
  private isStopped = false;
  private readonly stopWatching: () => void;

  constructor(
    private readonly client: Pick<ConnectClient, "unary" | "stream">, accountId: Int64,
    private readonly surroundings: Surroundings, private readonly tabs: Tabs,
  ) {
    this.name = `trackme.notifications.${accountId}`;
    this.channel = tabs.channel(this.name, (message) => this.hear(message as Message));
    this.stopWatching = surroundings.onVisibilityChange(() => this.look());
    this.channel.say({ type: "hello" });
    this.look();
  }

  /** Tells somebody from now on, until the signal ends it. */
  listen(listener: InboxListener, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.listeners.add(listener);
    signal.addEventListener("abort", () => this.listeners.delete(listener));
  }

  /**
   * Marks notifications as read.
   * @throws ConnectError where that fails.
   */
  async markRead(ids: readonly Int64[]): Promise<void> {
    for (let start = 0; start < ids.length; start += mostIds) {
      const some = ids.slice(start, start + mostIds);
      await this.client.unary(NotificationService.markRead, { notificationIds: some });
      this.say({ type: "read", ids: some });
    }
    await this.count();
  }

  /** Nobody is told anything any more. */
  stop(): void {
    this.isStopped = true;
    this.standing?.abort();
    this.stopWatching();
    this.channel.close();
    this.listeners.clear();
  }

  /** Stands for the lead while somebody looks at the page. */
  private look(): void {
    if (this.surroundings.isHidden()) {
      this.standing?.abort();
      this.standing = undefined;
    } else if (!this.standing) {
      const standing = new AbortController();
      this.standing = standing;
      this.tabs.lead(this.name, standing.signal, () => this.lead(standing.signal));
    }
  }

  private lead(signal: AbortSignal): void {
    this.isLeading = true;
    const following = follow<WatchNotificationsRequest, WatchNotificationsResponse>(this.client, {
      method: NotificationService.watchNotifications,
      request: (cursor) => ({ cursor: cursor ?? this.cursor }),
      cursor: (frame) => frame.cursor,
    }, {
      message: ({ cursor, notification }) => {
        this.say({ type: "frame", cursor: cursor ?? this.cursor, ...(notification ? { notification } : {}) });
        if (notification) void this.count();
      },
      // Before the first frame something may have come that no stream has told.
      freshness: (freshness) => { if (freshness === "live") void this.count(); },
      // The session has ended, which whoever calls next is told.
      ended: () => {},
    }, this.surroundings);
    signal.addEventListener("abort", () => {
      this.isLeading = false;
      following.stop();
    });
  }

  /** Asks how many are not read, and once more if something happens meanwhile. */
  private async count(): Promise<void> {
    this.countAgain = this.isCounting;
    if (this.isCounting) return;
    this.isCounting = true;
    try {
      const { unreadCount } = await this.client.unary(
        NotificationService.listNotifications, { unreadOnly: true, pageSize: 1 });
      this.say({ type: "unread", count: Number(unreadCount ?? 0) });
    } catch {
      // The next one that comes is counted with those before it.
    } finally {
      this.isCounting = false;
    }
    if (this.countAgain && !this.isStopped) await this.count();
  }

  /** Tells the other pages, and this one. */
  private say(message: Message): void {
    if (this.isStopped) return;
    this.channel.say(message);
    this.hear(message);
  }

  private hear(message: Message): void {
    switch (message.type) {
      case "frame":
        this.cursor = message.cursor;
        if (message.notification) this.take(message.notification);
        break;
      case "read":
        for (const listener of this.listeners) listener.read?.(message.ids);
        break;
      case "unread":
        if (this.unread === message.count) break;
        this.unread = message.count;
        for (const listener of this.listeners) listener.counted?.(message.count);
        break;
      case "hello":
        if (this.isLeading && this.unread !== undefined) this.channel.say({ type: "unread", count: this.unread });
        break;
    }
  }

  private take(notification: Notification): void {
    const id = notification.notificationId ?? "";
    if (this.told.includes(id)) return;
    this.told = [...this.told.slice(1 - mostTold), id];
    for (const listener of this.listeners) listener.arrived?.(notification);
  }
}
