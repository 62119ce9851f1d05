import type { ConnectClient } from "../connect/client.js";
import type { Surroundings } from "../connect/surroundings.js";
import type { Locale } from "../language/choice.js";
import type { Inbox } from "../notifications/inbox.js";
import type { Session } from "../session/session.js";

/** What a page is made with. */
export interface PageContext {
  readonly client: ConnectClient;
  readonly surroundings: Surroundings;
  readonly locale: Locale;
  readonly session: Session | undefined;
  /** The parts of the address that its route names. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Aborted when the page is left: what it has begun ends then. */
  readonly signal: AbortSignal;
  /** Goes to another page of this site. */
  go(address: string): void;
  /**
   * Puts the address that brings the page back as it is now in place of the one that it was opened by.
   * @param how "asNext" keeps the one before too: the browser's button leads back to it, which draws the page anew.
   */
  keep(address: string, how?: "asNext"): void;
  /** The same after a session has begun: asks whose it is. False, and nothing else, where the browser has kept none. */
  signedIn(address: string): Promise<boolean>;
  /** Does what ends the session by itself, such as leaving for good. The page stays, with nobody signed in. */
  endSession<Answer>(act: () => Promise<Answer>): Promise<Answer>;
  /** The notifications of the account, as they arise; there where somebody is signed in. */
  readonly inbox: Inbox | undefined;
  /** Says something to those who listen to the page; at most once in ten seconds. */
  announce(message: string): void;
}

/** What is shown: the title is also the heading above the content. */
export interface Page {
  readonly title: string;
  readonly content: readonly Node[];
}

/** A page's module. */
export interface PageModule {
  /** @throws ConnectError, which is then shown in the page's place. */
  open(context: PageContext): Page | Promise<Page>;
}
