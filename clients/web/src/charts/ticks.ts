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

/** A moment of a chart in full; to the millisecond where the whole chart is only some seconds. */
export function pointMoment(time: number, spanMs: number, locale: Locale): string {
  const options: Intl.DateTimeFormatOptions & { fractionalSecondDigits?: number } = {
    day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
    ...(spanMs <= minuteMs ? { fractionalSecondDigits: 3 } : {}),
  };
  return new Intl.DateTimeFormat(locale.tag, options).format(time);
}
