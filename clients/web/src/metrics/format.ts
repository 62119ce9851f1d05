import type { Metric, Reading } from "../api/readings_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { words } from "./words.js";

/** A metric's name for people. */
export function metricName(name: string, metric: Metric | undefined, locale: Locale): string {
  return known(name, locale) ?? metric?.displayName ?? name;
}

/** A unit as people write it, for the UCUM code of the registry. */
export function unitName(code: string | undefined, locale: Locale): string {
  return known(code ?? "", locale) ?? code ?? "";
}

/** A reading's value, with its unit where it is one number. */
export function valueText(reading: Reading, metric: Metric | undefined, locale: Locale): string {
  const t = translator(words, locale.language);
  const number = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 2 });
  if (reading.position) {
    const latitude = toNumber(reading.position.latitude);
    const longitude = toNumber(reading.position.longitude);
    const degrees = new Intl.NumberFormat(locale.tag, { minimumFractionDigits: 5, maximumFractionDigits: 5 });
    return `${degrees.format(Math.abs(latitude))}° ${t(latitude < 0 ? "south" : "north")}, `
      + `${degrees.format(Math.abs(longitude))}° ${t(longitude < 0 ? "west" : "east")}`;
  }
  if (reading.waveform) {
    return t("waveform", {
      count: number.format(reading.waveform.samples?.length ?? 0),
      rate: number.format(toNumber(reading.waveform.rateHz)),
    });
  }
  return `${number.format(toNumber(reading.scalar))} ${unitName(metric?.unit, locale)}`.trim();
}

/** How long ago a moment was, in the greatest unit that fits; seconds in tens. */
export function ageText(moment: Date, now: Date, locale: Locale): string {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1000);
  const format = new Intl.RelativeTimeFormat(locale.tag, { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 60) return format.format(Math.trunc(seconds / 10) * 10, "second");
  if (size < 3600) return format.format(Math.trunc(seconds / 60), "minute");
  if (size < 86_400) return format.format(Math.trunc(seconds / 3600), "hour");
  return format.format(Math.trunc(seconds / 86_400), "day");
}

function known(key: string, locale: Locale): string | undefined {
  const isKnown = Object.prototype.hasOwnProperty.call(words, key);
  return isKnown ? words[key as keyof typeof words][locale.language] : undefined;
}
