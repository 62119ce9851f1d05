import type { AccountKind, GetAccountResponse } from "../api/identity_v1.js";
import type { ConnectClient } from "../connect/client.js";
import { ConnectError } from "../connect/errors.js";
import type { Int64 } from "../json/scalars.js";

// The browser's session: its tokens are in cookies that no script can read, so a page asks whose account it is.

const kinds = {
  ACCOUNT_KIND_PERSON: "person",
  ACCOUNT_KIND_THIRD_PARTY: "thirdParty",
  ACCOUNT_KIND_ADMINISTRATOR: "administrator",
  ACCOUNT_KIND_DESK_OPERATOR: "deskOperator",
} as const;

/** A kind of account that has pages. */
export type Kind = typeof kinds[keyof typeof kinds];

/** Whose session it is. */
export interface Session {
  readonly kind: Kind;
  readonly accountId: Int64;
  readonly username: string;
  /** An administrator has disabled it: there is nothing but the way out. */
  readonly isDisabled: boolean;
}

type Caller = Pick<ConnectClient, "exchange">;

/**
 * The session of this browser; undefined if there is none.
 * @throws ConnectError where the server does not say.
 */
export async function currentSession(client: Caller): Promise<Session | undefined> {
  // Not by the RPC: where nobody is signed in it fails, and the browser would say so in its console.
  const { account } = await client.exchange("GET", "/web/session", undefined) as GetAccountResponse;
  if (!account) return undefined;
  const { kind, accountId, username, disabled } = account;
  const known = kinds[kind as AccountKind & keyof typeof kinds] as Kind | undefined;
  if (!known || accountId === undefined || username === undefined) {
    throw new ConnectError("internal", "the account is none that has pages");
  }
  return { kind: known, accountId, username, isDisabled: disabled !== undefined };
}

/**
 * Begins a session. The username may be an e-mail address.
 * @throws ConnectError "unauthenticated" for a wrong name or password.
 */
export async function logIn(client: Caller, username: string, password: string): Promise<void> {
  await client.exchange("POST", "/web/session/log-in", { name: username, password });
}

/** Ends the session. */
export async function logOut(client: Caller): Promise<void> {
  await client.exchange("POST", "/web/session/log-out", {});
}
