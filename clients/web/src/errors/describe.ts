import { ConnectError } from "../connect/errors.js";
import type { Code } from "../connect/errors.js";
import { translator } from "../language/words.js";
import type { Language } from "../language/words.js";
import { words as reasons } from "./reasons/words.js";
import { words } from "./words.js";

const keys: Partial<Record<Code, keyof typeof words>> = {
  unavailable: "unavailable",
  deadline_exceeded: "unavailable",
  resource_exhausted: "busy",
  permission_denied: "notPermitted",
  unauthenticated: "unauthenticated",
  not_found: "notFound",
  invalid_argument: "invalid",
};

/**
 * What happened, for whoever sits before the page, where the page has nothing better to say: by the server's reason, or
 * by the code alone where it has given none that pages know.
 */
export function describeError(error: unknown, language: Language): string {
  if (error instanceof ConnectError && Object.prototype.hasOwnProperty.call(reasons, error.reason)) {
    return translator(reasons, language)(error.reason as keyof typeof reasons);
  }
  const key = error instanceof ConnectError ? keys[error.code] : undefined;
  return translator(words, language)(key ?? "other");
}
