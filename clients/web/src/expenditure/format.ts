import { toBigInt } from "../json/scalars.js";
import type { Int64 } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { words } from "./words.js";

/** An amount in whole cents, as the server sends it or calculated from that. */
export type Cents = Int64 | bigint;

/** How an amount is written; a change has a plus too. */
interface Sign {
  readonly isChange?: boolean;
}

const centsOf = (amount: Cents): bigint => (typeof amount === "bigint" ? amount : toBigInt(amount));

const sizeOf = (cents: bigint): bigint => (cents < 0n ? -cents : cents);

/** Half away from zero. */
const divided = (cents: bigint, by: bigint): bigint => {
  const rounded = (sizeOf(cents) + by / 2n) / by;
  return cents < 0n ? -rounded : rounded;
};

const signs = ({ isChange }: Sign): Pick<Intl.NumberFormatOptions, "signDisplay"> => (
  { signDisplay: isChange ? "exceptZero" : "auto" });

/** An amount of hundredths, written with so many of the two decimals; exact however great it is. */
function decimal(hundredths: bigint, digits: 0 | 1 | 2, locale: Locale, options: Intl.NumberFormatOptions): string {
  const rest = sizeOf(hundredths % 100n), whole = hundredths / 100n;
  const format = new Intl.NumberFormat(
    locale.tag, { ...options, useGrouping: true, minimumFractionDigits: digits, maximumFractionDigits: digits });
  // Between -1 and 1 a number is exact enough, and keeps its sign; beyond, the decimals are put in by hand.
  if (whole === 0n) return format.format(Number(hundredths) / 100);
  const decimals = String(rest).padStart(2, "0").slice(0, digits);
  return format.formatToParts(whole).map(({ type, value }) => (type === "fraction" ? decimals : value)).join("");
}

const euros: Intl.NumberFormatOptions = { style: "currency", currency: "EUR" };

/** To the cent: "149.195.793.345,67 €", "€149,195,793,345.67". */
export function euroText(amount: Cents, locale: Locale, sign: Sign = {}): string {
  return decimal(centsOf(amount), 2, locale, { ...euros, ...signs(sign) });
}

/** In whole euros, such as an amount per resident: "2.396 €", "€2,396". */
export function wholeEuroText(amount: Cents, locale: Locale, sign: Sign = {}): string {
  return decimal(divided(centsOf(amount), 100n) * 100n, 0, locale, { ...euros, ...signs(sign) });
}

/** In billions or millions with a decimal, below that in whole euros: "149,2 mld €", "€149.2 bn". */
export function compactEuroText(amount: Cents, locale: Locale, sign: Sign = {}): string {
  const cents = centsOf(amount), million = 100_000_000n;
  // In tenths; what rounds up to 1,000 millions is a billion.
  const tenths = divided(cents, million / 10n), isBillions = sizeOf(tenths) >= 10_000n;
  if (sizeOf(cents) < million) return wholeEuroText(cents, locale, sign);
  const scaled = isBillions ? divided(cents, million * 100n) : tenths;
  const number = decimal(scaled * 10n, 1, locale, { signDisplay: "never" });
  const t = translator(words, locale.language);
  const text = t(isBillions ? "billions" : "millions", { value: number });
  return `${cents < 0n ? "-" : sign.isChange ? "+" : ""}${text}`;
}

/** A share, 0.125 for an eighth, with one decimal: "12,5%". */
export function percentText(share: number, locale: Locale, sign: Sign = {}): string {
  return new Intl.NumberFormat(locale.tag, {
    style: "percent", useGrouping: true, minimumFractionDigits: 1, maximumFractionDigits: 1, ...signs(sign),
  }).format(share === 0 ? 0 : share);
}

/** A relative change with its sign: "+3,2%". */
export function changeText(change: number, locale: Locale): string {
  return percentText(change, locale, { isChange: true });
}

/** A whole number, such as of residents: "5.573". */
export function countText(count: Int64 | bigint | number, locale: Locale): string {
  const number = typeof count === "string" ? BigInt(count) : count;
  return new Intl.NumberFormat(locale.tag, { useGrouping: true, maximumFractionDigits: 0 }).format(number);
}

/** An amount as a number of euros, to draw with: not exact beyond 90,000 billions. */
export function eurosOf(amount: Cents): number {
  return Number(centsOf(amount)) / 100;
}
