import type { PageContext } from "../../shell/page.js";
import { translator } from "../../language/words.js";
import { choiceField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { addressOf, measures } from "../address.js";
import type { ViewState } from "../address.js";
import { words } from "./words.js";

/** What a view can be chosen from. */
export interface Offered {
  /** Years that can be shown, ascending. */
  readonly years: readonly number[];
  /** Years whose prices amounts can be in, ascending. */
  readonly priceYears: readonly number[];
}

/** Chooses year, measure and prices. Nothing changes before it is said that it should. */
export function controls(
  context: PageContext, path: string, state: ViewState, shownYear: number, { years, priceYears }: Offered,
): HTMLElement {
  const { locale } = context;
  const t = translator(words, locale.language);
  // The year that is shown can be chosen too, whatever else there is.
  const offered = [...new Set([...years, shownYear])].sort((one, other) => other - one);
  const year = choiceField({
    name: "year", label: t("year"), value: String(shownYear),
    choices: offered.map((one) => ({ value: String(one), label: String(one) })),
  }, locale);
  const measure = choiceField({
    name: "measure", label: t("measure"), value: state.measure,
    choices: measures.map((one) => ({ value: one, label: t(one) })),
  }, locale);
  const prices = choiceField({
    name: "prices", label: t("prices"), value: String(state.pricesOf),
    choices: [
      { value: "0", label: t("currentPrices") },
      ...[...new Set([...priceYears, ...(state.pricesOf === 0 ? [] : [state.pricesOf])])].sort((one, other) => other - one)
        .map((one) => ({ value: String(one), label: t("pricesOf", { year: String(one) }) })),
    ],
  }, locale);
  const fields = [year, measure, prices];
  const form = new Form({
    fields, submit: t("show"), label: t("shown"),
    async send() {
      context.go(addressOf(path, {
        ...state, year: Number(year.value()), measure: measure.value() ?? state.measure,
        pricesOf: Number(prices.value() ?? 0),
      }));
    },
  }, locale, context.signal);
  form.node.classList.add("view-controls");
  return form.node;
}
