import type { PriceIndex, Rank, Value } from "../../api/expenditure_v1.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { facts } from "../../parts/facts.js";
import { element } from "../../shell/element.js";
import type { ShownMeasure } from "../address.js";
import { centsText, numberOf, placeText, residentsText, sourceText, valueText } from "./say.js";
import { words } from "./words.js";

/** A number with all that stands behind it: amount, denominator, prices, rank and the row that it is out of. */
export function valueFacts(
  value: Value | undefined, measure: ShownMeasure, year: number, about: { index?: PriceIndex; rank?: Rank },
  locale: Locale,
): HTMLElement {
  const t = translator(words, locale.language);
  const { index, rank } = about;
  const big = element(
    "p", { class: numberOf(value) === undefined ? "whole-missing" : "whole" }, valueText(value, measure, locale),
    " ", element("span", { class: "hint" }, `${t(measure)}, ${year}`));
  return element("div", { class: "value-facts" }, big, facts([
    [t("amount"), value?.source ? centsText(value.amountCents, locale) : undefined],
    [t("dividedBy"), residentsText(value?.denominator, locale)],
    [t("prices"), index?.year
      ? t("inPrices", { year: String(index.year), index: index.name ?? "" }) : t("inCurrentPrices")],
    [t("rank"), placeText(rank, locale)],
    [t("source"), sourceText(value?.source, locale)],
  ]));
}
