import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { countText } from "./format.js";
import { words } from "./words.js";

/** A territory's value, if it has one. */
export interface Ranked {
  readonly code: string;
  readonly value: number | bigint | null | undefined;
}

export interface Rank {
  /** One more than there are greater values: equal ones have the same. */
  readonly rank: number;
  /** How many have a value. */
  readonly count: number;
  /** The codes of those with the same value. */
  readonly tiedWith: readonly string[];
}

/** The place of a territory from the greatest value down; undefined where it has none. */
export function rankOf(all: readonly Ranked[], code: string): Rank | undefined {
  const own = all.find((one) => one.code === code)?.value;
  if (own === undefined || own === null) return undefined;
  const present = all.filter(({ value }) => value !== undefined && value !== null);
  return {
    rank: 1 + present.filter(({ value }) => (value as number | bigint) > own).length,
    count: present.length,
    tiedWith: present.filter((one) => one.code !== code && one.value === own).map((one) => one.code),
  };
}

/** "3rd of 21, tied with two". */
export function rankText({ rank, count, tiedWith }: Rank, locale: Locale): string {
  const t = translator(words, locale.language);
  const ordinals = { one: "ordinalOne", two: "ordinalTwo", few: "ordinalFew" } as const;
  const kind = new Intl.PluralRules(locale.tag, { type: "ordinal" }).select(rank);
  const ordinal = t(ordinals[kind as keyof typeof ordinals] ?? "ordinalOther", { rank: countText(rank, locale) });
  const values = { rank: ordinal, count: countText(count, locale) };
  if (tiedWith.length === 0) return t("ranked", values);
  if (tiedWith.length === 1) return t("rankedWithOne", values);
  const numbers = { 2: "two", 3: "three", 4: "four" } as const;
  const number = numbers[tiedWith.length as keyof typeof numbers];
  return t("rankedWithMore", { ...values, others: number ? t(number) : countText(tiedWith.length, locale) });
}
