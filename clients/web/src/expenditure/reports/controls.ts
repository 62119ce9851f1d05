import type { PageContext } from "../../shell/page.js";
import { translator } from "../../language/words.js";
import { choiceField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { addressOf } from "../address.js";
import type { ViewState } from "../address.js";
import { measureField, pricesField, yearChoices } from "./choices.js";
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
  const year = choiceField({
    name: "year", label: t("year"), value: String(shownYear), choices: yearChoices(years, shownYear),
  }, locale);
  const measure = measureField(state.measure, locale);
  const prices = pricesField(priceYears, state.pricesOf, locale);
  const form = new Form({
    fields: [year, measure, prices], submit: t("show"), label: t("shown"),
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
