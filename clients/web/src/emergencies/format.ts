import type { Crossing, Emergency, EmergencyTransition, LastPosition, Vital } from "../api/sos_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { metricName, unitName, valueText } from "../metrics/format.js";
import { words } from "./words.js";

function numberText(value: number, locale: Locale): string {
  return new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 2 }).format(value);
}

/** "Heart rate 35 per minute". */
export function vitalText(vital: Vital, locale: Locale): string {
  const value = `${numberText(toNumber(vital.value), locale)} ${unitName(vital.unit, locale)}`.trim();
  return `${metricName(vital.metric ?? "", undefined, locale)} ${value}`;
}

/** What was crossed, and by what value. */
export function crossingText(crossing: Crossing, locale: Locale): string {
  const t = translator(words, locale.language);
  const [value, limit] = [toNumber(crossing.value), toNumber(crossing.limit)];
  switch (crossing.kind) {
    case "CROSSING_KIND_SCORE":
      return t("score", { value: numberText(value, locale), limit: numberText(limit, locale) });
    case "CROSSING_KIND_SILENCE": {
      const cause = crossing.silenceCause ?? "SILENCE_CAUSE_UNKNOWN";
      return t("silence", {
        value: numberText(value, locale),
        cause: t(cause === "SILENCE_CAUSE_UNSPECIFIED" ? "SILENCE_CAUSE_UNKNOWN" : cause),
      });
    }
    default: {
      const vital: Vital = { ...(crossing.readings?.[0] ?? {}), metric: crossing.metric ?? "", value };
      return t(crossing.kind === "CROSSING_KIND_LOW" ? "low" : "high", {
        value: vitalText(vital, locale), limit: numberText(limit, locale),
      });
    }
  }
}

/** What opened an emergency. */
export function headline(emergency: Emergency, locale: Locale): string {
  const first = emergency.crossings?.[0];
  return first ? crossingText(first, locale) : "";
}

/** Latitude and longitude as people read them. */
export function placeText(position: LastPosition, locale: Locale): string {
  return valueText({ position: { latitude: position.latitude ?? 0, longitude: position.longitude ?? 0 } }, undefined, locale);
}

/** The same as programs take them: "45.46420, 9.19000". */
export function coordinates(position: LastPosition): string {
  return `${toNumber(position.latitude).toFixed(5)}, ${toNumber(position.longitude).toFixed(5)}`;
}

/** Who or what did a step: the API's words for it, for people. */
export function actorText(actor: string, locale: Locale): string {
  const t = translator(words, locale.language);
  const [kind = "", number = "", medium] = actor.split(" ");
  switch (kind) {
    case "desk": return t("evaluator");
    case "evaluator": case "person": case "sms": case "voice": return t(kind);
    case "contact": {
      // The API counts from 0.
      const name = t("contact", { number: String(Number(number) + 1) });
      return medium === "sms" ? `${name} (${t("sms")})` : name;
    }
    case "webhook": case "dispatcher": return t(kind, { number });
    default: return actor;
  }
}

/** What a step of an emergency says of it. */
export function transitionText(step: EmergencyTransition, locale: Locale): string {
  const t = translator(words, locale.language);
  const state = step.state ?? "EMERGENCY_STATE_UNSPECIFIED";
  const status = step.callStatus ?? "CALL_STATUS_UNSPECIFIED";
  if (status !== "CALL_STATUS_UNSPECIFIED") return t(status);
  return state === "EMERGENCY_STATE_UNSPECIFIED" ? "" : t(state);
}

/** A time that has passed: "0:07", "12:30", "1:02:05". */
export function elapsedText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
