import type { Locale } from "../../../language/choice.js";

/** A length in kilometres with two digits: "9.84 km". */
export function lengthText(metres: number, locale: Locale): string {
  return new Intl.NumberFormat(
    locale.tag, { style: "unit", unit: "kilometer", minimumFractionDigits: 0, maximumFractionDigits: 2 },
  ).format(metres / 1_000);
}

/** A height in whole metres: "120 m". */
export function heightText(metres: number, locale: Locale): string {
  return new Intl.NumberFormat(
    locale.tag, { style: "unit", unit: "meter", maximumFractionDigits: 0 }).format(metres);
}
