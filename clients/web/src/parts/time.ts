import type { Timestamp } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { element } from "../shell/element.js";

/** A moment as people write it, by the clock of the browser. */
export function momentText(moment: Date, locale: Locale, options: Intl.DateTimeFormatOptions = {}): string {
  const how = Object.keys(options).length > 0 ? options : { dateStyle: "medium", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat(locale.tag, how).format(moment);
}

/** From one moment to another, each part of them once where both have it: "25 Nov 2026, 16:48–17:02". */
export function rangeText(from: Date, to: Date, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: "medium", timeStyle: "short" });
  return to < from ? `${format.format(from)} – ${format.format(to)}` : format.formatRange(from, to);
}

/** A moment, for machines too. */
export function time(moment: Date, locale: Locale, options: Intl.DateTimeFormatOptions = {}): HTMLElement {
  return element("time", { datetime: moment.toISOString() }, momentText(moment, locale, options));
}

/** A moment of the API; undefined where there is none. */
export function dateOf(timestamp: Timestamp | undefined): Date | undefined {
  return timestamp === undefined ? undefined : new Date(timestamp);
}

/** A day of the API, such as "2026-11-25", as people write it. */
export function dayText(day: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale.tag, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}
