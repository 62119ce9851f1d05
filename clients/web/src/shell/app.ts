import { ConnectClient } from "../connect/client.js";
import { ConnectError } from "../connect/errors.js";
import type { Surroundings } from "../connect/surroundings.js";
import { describeError } from "../errors/describe.js";
import { currentLanguage, keepLanguage, localeOf } from "../language/choice.js";
import { translator } from "../language/words.js";
import type { Language } from "../language/words.js";
import { Inbox } from "../notifications/inbox.js";
import type { Tabs } from "../notifications/tabs.js";
import { currentSession, logOut } from "../session/session.js";
import type { Session } from "../session/session.js";
import { Announcer } from "./announcer.js";
import { drawChrome } from "./chrome.js";
import type { Places } from "./chrome.js";
import { element } from "./element.js";
import { NoticesLink } from "./notices_link.js";
import type { Page } from "./page.js";
import { match, routes } from "./routes.js";
import type { Match } from "./routes.js";
import { words } from "./words.js";

/** Where the app draws. */
export interface AppPlaces extends Places {
  readonly main: HTMLElement;
  readonly live: HTMLElement;
}

/** What becomes of the focus when a page is drawn: whoever has followed a link is brought to the new heading. */
type Focus = "heading" | "kept";

/** Shows the page of the address, and goes from one to the next without loading anything twice. */
export class App {
  private language: Language = currentLanguage();
  private session: Session | undefined;
  private isSessionKnown = false;
  /** The address of the page that is shown. */
  private address = "";
  /** Ends what the page that is shown has begun. */
  private shown = new AbortController();
  private readonly client: ConnectClient;
  private readonly announcer: Announcer;
  /** Of the account that is signed in. */
  private inbox: Inbox | undefined;
  private inboxOf: string | undefined;
  private notices: NoticesLink | undefined;
  /** What a page does now ends the session: that is no reason to draw another one. */
  private isEnding = false;

  constructor(
    private readonly places: AppPlaces, private readonly surroundings: Surroundings, private readonly tabs: Tabs,
  ) {
    this.client = new ConnectClient({
      fetch: (input, init) => fetch(input, init), surroundings, onUnauthenticated: () => this.sessionEnded(),
    });
    this.announcer = new Announcer((message) => { places.live.textContent = message; }, surroundings);
  }

  /** Shows the first page, and listens to links and to the browser's buttons. */
  start(): void {
    document.addEventListener("click", (event) => this.followLink(event));
    addEventListener("popstate", () => {
      // A link to a place on the same page, such as the one that skips to the content, comes here too.
      if (location.pathname + location.search !== this.address) void this.draw("heading");
    });
    void this.draw("kept");
  }

  private go(address: string): void {
    history.pushState(null, "", address);
    void this.draw("heading");
  }

  private followLink(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest("a");
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    // A place on the same page, or an address without a page, is the browser's.
    if (link.hash || !match(routes, link.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }

  /** Draws the page of the address. Of two drawings that overlap, the later one counts. */
  private async draw(focus: Focus): Promise<void> {
    this.shown.abort();
    const shown = new AbortController();
    this.shown = shown;
    const t = translator(words, this.language);
    document.documentElement.lang = this.language;
    this.places.main.setAttribute("aria-busy", "true");
    let page: Page;
    try {
      if (!this.isSessionKnown) {
        this.session = await currentSession(this.client);
        this.isSessionKnown = true;
      }
      page = await this.open(match(routes, location.pathname), shown.signal);
    } catch (failure) {
      const again = element("button", { type: "button" }, t("again"));
      // What is no answer of the server may be a bundle that it has no more: the page as it is now names others.
      again.addEventListener("click", () => {
        if (failure instanceof ConnectError) void this.draw("heading");
        else location.reload();
      });
      page = { title: t("failed"), content: [element("p", {}, describeError(failure, this.language)), again] };
    }
    if (this.shown !== shown) return;
    this.address = location.pathname + location.search;
    this.drawAround();
    const heading = element("h1", { tabindex: "-1" }, page.title);
    this.places.main.replaceChildren(heading, ...page.content);
    this.places.main.removeAttribute("aria-busy");
    document.title = `${page.title} – TrackMe`;
    if (focus === "heading") heading.focus();
  }

  private async open(found: Match | undefined, signal: AbortSignal): Promise<Page> {
    const t = translator(words, this.language);
    if (!found) return { title: t("notFound"), content: [element("p", {}, t("notFoundText"))] };
    const { route, parameters } = found;
    if (route.kinds && !this.session) {
      history.replaceState(null, "", `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
      return this.open(match(routes, location.pathname), signal);
    }
    if (route.kinds && this.session && !route.kinds.includes(this.session.kind)) {
      return { title: t("otherKind"), content: [element("p", {}, t("otherKindText"))] };
    }
    this.keepInbox();
    const module = await route.load();
    return module.open({
      client: this.client, surroundings: this.surroundings, locale: localeOf(this.language, navigator.languages),
      session: this.session, parameters, query: new URLSearchParams(location.search), signal,
      go: (address) => this.go(address),
      keep: (address, how) => {
        if (signal.aborted) return;
        if (how === "asNext") history.pushState(null, "", address);
        else history.replaceState(null, "", address);
        this.address = location.pathname + location.search;
      },
      signedIn: async (address) => {
        this.session = await currentSession(this.client);
        if (this.session) this.go(address);
        return this.session !== undefined;
      },
      endSession: (act) => this.endSession(act),
      announce: (message) => this.announcer.announce(message), inbox: this.inbox,
    });
  }

  private drawAround(): void {
    this.keepInbox();
    const locale = localeOf(this.language, navigator.languages);
    this.notices = this.session && new NoticesLink(locale, location.pathname === "/notifications");
    this.notices?.show(this.inbox?.unread);
    drawChrome(this.places, this.language, this.session, location.pathname, this.notices?.node, {
      signOut: () => void this.signOut(),
      choose: (language) => {
        this.language = language;
        keepLanguage(language);
        void this.draw("kept").then(() => {
          this.places.footer.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
        });
      },
    });
  }

  private async signOut(): Promise<void> {
    try {
      await this.withoutInbox(() => logOut(this.client));
    } catch (failure) {
      this.announcer.announce(describeError(failure, this.language));
      return;
    }
    this.session = undefined;
    this.announcer.announce(translator(words, this.language)("signedOut"));
    this.go("/sign-in");
  }

  private async endSession<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    this.isEnding = true;
    try {
      const answer = await this.withoutInbox(act);
      this.session = undefined;
      this.drawAround();
      return answer;
    } finally {
      this.isEnding = false;
    }
  }

  /** Does what ends the session. The inbox's stream would end with it, and be opened anew in vain. */
  private async withoutInbox<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    this.dropInbox();
    try {
      return await act();
    } catch (failure) {
      this.keepInbox();
      throw failure;
    }
  }

  /** Has the inbox of the session's account, and no other. */
  private keepInbox(): void {
    if (this.session?.accountId === this.inboxOf) return;
    this.dropInbox();
    if (!this.session) return;
    const { accountId } = this.session;
    this.inboxOf = accountId;
    this.inbox = new Inbox(this.client, accountId, this.surroundings, this.tabs);
    this.inbox.listen({
      counted: (unread) => this.notices?.show(unread),
      arrived: async (notification) => {
        const t = translator(words, this.language);
        try {
          const { sentenceOf } = await import("../notifications/describe.js");
          this.announcer.announce(t("arrived", { text: sentenceOf(notification, this.language) }));
        } catch {
          // The server has gone since; the list says what it is.
          this.announcer.announce(t("arrivedOnly"));
        }
      },
    }, new AbortController().signal);
  }

  private dropInbox(): void {
    this.inbox?.stop();
    this.inbox = undefined;
    this.inboxOf = undefined;
  }

  /** A call was refused for want of a session: the page asks anew, and then leads to the sign-in. */
  private sessionEnded(): void {
    if (!this.session || this.isEnding) return;
    this.session = undefined;
    void this.draw("heading");
  }
}
