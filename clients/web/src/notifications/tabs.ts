/** The pages of one browser among themselves: one leads, and all hear what each of them says. */
export interface Tabs {
  /**
   * Waits until no other page leads under this name, and then leads until the signal ends it, as one that waits is ended.
   * @param lead called once, if it ever comes to that.
   */
  lead(name: string, signal: AbortSignal, lead: () => void): void;
  /** Says something to the other pages under this name, and hears what they say. */
  channel(name: string, hear: (message: unknown) => void): { say(message: unknown): void; close(): void };
}

/** A browser's own. */
export const browserTabs: Tabs = {
  lead(name, signal, lead) {
    const ended = new Promise<void>((resolve) => { signal.addEventListener("abort", () => resolve()); });
    navigator.locks.request(name, { signal }, () => {
      // The signal does not end what is held, and may have come between the two.
      if (signal.aborted) return undefined;
      lead();
      return ended;
    }).catch(() => {
      // Ended while it waited.
    });
  },
  channel(name, hear) {
    const channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }) => hear(data));
    return { say: (message) => channel.postMessage(message), close: () => channel.close() };
  },
};
