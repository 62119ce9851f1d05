/**
 * Reasons of errors that pages act upon: `ErrorInfo.reason` of the server. It has more, and may get more at any time,
 * so a page needs an answer to those that it does not know. A test finds each of these in the server's sources.
 */
export const reasons = [
  "ACCESS_ENDED",
  "CALL_OVER",
  "CALL_TAKEN",
  "CODE_USED",
  "ACCESS_STATE",
  "DELIVERY_FIXED",
  "CONTACT_REFUSED",
  "EMERGENCY_OVER",
  "INVALID_ARGUMENT",
  "LOG_IN_LOCKED",
  "NOT_PERMITTED",
  "NO_SUCH_PERSON",
  "NO_CALL",
  "NO_CONTACT_CODE",
  "PASSWORD_CHANGE_DUE",
  "STALE_ETAG",
  "SUBSCRIPTION_ENDED",
  "TOO_BUSY",
  "TOO_LATE",
  "TOO_MANY_ANSWERS",
  "TOO_MANY_CALLS",
  "TOO_MANY_LOOKUPS",
  "TOO_MANY_REQUESTS",
  "TOO_MANY_SUBSCRIPTIONS",
  "TOO_MANY_CONTACT_ANSWERS",
  "TOO_MANY_EXERTIONS",
  "TOO_MANY_WRONG_PASSWORDS",
  "USERNAME_TAKEN",
  "WRONG_NAME_OR_PASSWORD",
  "WRONG_PASSWORD",
] as const;

export type Reason = typeof reasons[number];
