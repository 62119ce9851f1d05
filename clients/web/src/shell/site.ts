import type { ConnectClient } from "../connect/client.js";
import type { Language } from "../language/words.js";

// What whoever runs the server has decided, and pages have to know before anybody has signed in.

type Caller = Pick<ConnectClient, "exchange">;

/** How people sign in. */
export interface Site {
  /** What people know the issuer by at which they sign in; absent where there is none. */
  readonly openIdName?: string;
}

/** A statement about accessibility: elsewhere, or as text. */
export type Statement = { readonly address: string } | { readonly text: string };

/** What is said of how accessible the pages are. */
export interface Accessibility {
  readonly statements: Readonly<Partial<Record<Language, Statement>>>;
  /** An address to follow: of a page, or of e-mail. */
  readonly feedback?: string;
}

/** @throws ConnectError where the server does not say. */
export async function siteFacts(client: Caller, signal: AbortSignal): Promise<Site> {
  return await client.exchange("GET", "/web/site", undefined, { signal }) as Site;
}

/** @throws ConnectError where the server does not say. */
export async function accessibilityFacts(client: Caller, signal: AbortSignal): Promise<Accessibility> {
  return await client.exchange("GET", "/web/accessibility", undefined, { signal }) as Accessibility;
}
