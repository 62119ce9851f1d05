import type { ConnectClient } from "../connect/client.js";
import { ConnectError, isObject } from "../connect/errors.js";
import type { Int64 } from "../json/scalars.js";

// The browser's session: its tokens are in cookies that no script can read, so a page asks who it is.

const kinds = ["person", "thirdParty", "administrator", "dispatcher"] as const;

/** A kind of account. */
export type Kind = typeof kinds[number];

/** Whose session it is. */
export interface Session {
  readonly kind: Kind;
  readonly accountId: Int64;
  readonly username: string;
}

type Caller = Pick<ConnectClient, "exchange">;

/**
 * The session of this browser; undefined if there is none.
 * @throws ConnectError where the server does not say.
 */
export async function currentSession(client: Caller): Promise<Session | undefined> {
  let answer: unknown;
  try {
    answer = await client.exchange("GET", "/web/session", undefined);
  } catch (failure) {
    if (failure instanceof ConnectError && failure.code === "unauthenticated") return undefined;
    throw failure;
  }
  const { kind, accountId, username } = isObject(answer) ? answer : ({} as Record<string, unknown>);
  const known = kinds.find((name) => name === kind);
  if (!known || typeof accountId !== "string" || typeof username !== "string") {
    throw new ConnectError("internal", "the session is none that this page knows");
  }
  return { kind: known, accountId, username };
}

/**
 * Begins a session. The username may be an e-mail address.
 * @throws ConnectError "unauthenticated" for a wrong name or password.
 */
export async function logIn(client: Caller, username: string, password: string): Promise<void> {
  await client.exchange("POST", "/web/session/log-in", { username, password });
}

/** Ends the session. */
export async function logOut(client: Caller): Promise<void> {
  await client.exchange("POST", "/web/session/log-out", {});
}
