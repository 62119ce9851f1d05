import type { Metric } from "../api/readings_v1.js";
import type { AccessScope, AccessState, Cadence, Granularity } from "../api/sharing_v1.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { metricName } from "../metrics/format.js";
import { dateOf, momentText } from "../parts/time.js";
import { words } from "./words.js";

type Key = keyof typeof words;

const states: Partial<Record<AccessState, Key>> = {
  ACCESS_STATE_AWAITING_PAYMENT: "awaitingPayment",
  ACCESS_STATE_PENDING: "pending",
  ACCESS_STATE_ACCEPTED: "accepted",
  ACCESS_STATE_REFUSED: "refused",
  ACCESS_STATE_WITHDRAWN: "withdrawn",
  ACCESS_STATE_REVOKED: "revoked",
  ACCESS_STATE_EXPIRED: "expired",
};

const granularities: Partial<Record<Granularity, Key>> = {
  GRANULARITY_SECOND: "second",
  GRANULARITY_MINUTE: "minute",
  GRANULARITY_HOUR: "hour",
};

const cadences: Partial<Record<Cadence, Key>> = {
  CADENCE_AS_PRODUCED: "asProduced",
  CADENCE_HOURLY: "hourly",
  CADENCE_DAILY: "daily",
  CADENCE_WEEKLY: "weekly",
  CADENCE_MONTHLY: "monthly",
};

function text(key: Key | undefined, locale: Locale): string {
  return key === undefined ? "" : translator(words, locale.language)(key);
}

/** Where a request stands, as whoever has made it is told. */
export function stateText(state: AccessState | undefined, locale: Locale): string {
  return text(states[state ?? "ACCESS_STATE_UNSPECIFIED"], locale);
}

/** How fine a grant is. */
export function granularityText(granularity: Granularity | undefined, locale: Locale): string {
  return text(granularities[granularity ?? "GRANULARITY_UNSPECIFIED"], locale);
}

/** How often a subscription delivers. */
export function cadenceText(cadence: Cadence | undefined, locale: Locale): string {
  return text(cadences[cadence ?? "CADENCE_UNSPECIFIED"], locale);
}

/** Which readings a request is for, by when they were taken. */
export function intervalText(scope: AccessScope | undefined, locale: Locale): string {
  const [from, to] = [dateOf(scope?.from), dateOf(scope?.to)];
  const values = { from: from ? momentText(from, locale) : "", to: to ? momentText(to, locale) : "" };
  const key = from ? (to ? "fromUntil" : "from") : (to ? "until" : "always");
  return translator(words, locale.language)(key, values);
}

/** Names of metrics, one after the other. */
export function metricsText(names: readonly string[] | undefined, registry: readonly Metric[], locale: Locale): string {
  return (names ?? [])
    .map((name) => metricName(name, registry.find((metric) => metric.name === name), locale))
    .join(", ");
}
