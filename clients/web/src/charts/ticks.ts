import type { Locale } from "../language/choice.js";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** What stands below a tick: as much of a moment as tells it from its neighbours. */
export function tickText(tick: Date, spanMs: number, locale: Locale): string {
  const say = (options: Intl.DateTimeFormatOptions): string => new Intl.DateTimeFormat(locale.tag, options).format(tick);
  const isMidnight = tick.getHours() === 0 && tick.getMinutes() === 0 && tick.getSeconds() === 0;
  if (spanMs > 800 * dayMs) return say({ year: "numeric", month: "short" });
  if (spanMs > 4 * dayMs || (isMidnight && spanMs > 30 * minuteMs)) return say({ day: "numeric", month: "short" });
  if (spanMs > 5 * minuteMs) return say({ hour: "2-digit", minute: "2-digit" });
  return say({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** To what moments are told: those of days say no hour, and only those within seconds say milliseconds. */
export type Precision = "day" | "minute" | "second" | "millisecond";

/** The precision that tells moments apart: as coarse as they are. */
export function precisionOf(moments: readonly number[], spanMs: number): Precision {
  if (spanMs <= minuteMs) return "millisecond";
  const isMidnight = (time: number): boolean => {
    const moment = new Date(time);
    return moment.getHours() === 0 && moment.getMinutes() === 0 && time % minuteMs === 0;
  };
  if (moments.length > 0 && spanMs > 4 * dayMs && moments.every(isMidnight)) return "day";
  return moments.every((time) => time % minuteMs === 0) ? "minute" : "second";
}

/** A moment of a chart in full. */
export function pointMoment(time: number, precision: Precision, locale: Locale): string {
  const options: Intl.DateTimeFormatOptions & { fractionalSecondDigits?: number } = {
    day: "numeric", month: "short", year: "numeric",
    ...(precision === "day" ? {} : { hour: "2-digit", minute: "2-digit" }),
    ...(precision === "second" || precision === "millisecond" ? { second: "2-digit" } : {}),
    ...(precision === "millisecond" ? { fractionalSecondDigits: 3 } : {}),
  };
  return new Intl.DateTimeFormat(locale.tag, options).format(time);
}
