import type { ListVoicesResponse } from "../../../api/expenditure_v1.js";
import { classCounts, totalVoice } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import { classMethods } from "../../../expenditure/classes.js";
import { chosenVoice, measureField, pricesField, voiceField } from "../../../expenditure/reports/choices.js";
import { words as told } from "../../../expenditure/reports/words.js";
import { words as methods } from "../../../expenditure/words.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { choiceField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { element } from "../../../shell/element.js";
import { words } from "./words.js";

/** What the map shows: voice, measure, prices and classes. Each choice holds at once. */
export class MapControls {
  readonly node: HTMLElement;
  /** Where the measure is chosen. */
  readonly measure: HTMLElement;
  /** Has every field show what the map shows. */
  readonly show: (state: ViewState) => void;

  constructor(
    state: ViewState, { voices = [], priceYears = [] }: ListVoicesResponse, locale: Locale,
    changed: (what: Partial<ViewState>) => void,
  ) {
    const t = translator(words, locale.language);
    const method = translator(methods, locale.language);
    const voice = voiceField(voices, state.voice, locale);
    const measure = measureField(state.measure, locale);
    const prices = pricesField(priceYears, state.pricesOf, locale);
    const classes = choiceField({
      name: "method", label: t("method"), value: state.method,
      choices: classMethods.map((value) => ({ value, label: method(value) })),
    }, locale);
    const count = choiceField({
      name: "count", label: t("count"), value: String(state.classes),
      choices: classCounts.map((value) => ({ value: String(value), label: String(value) })),
    }, locale);
    const on = <Value extends string>(
      { node, value }: Field<Value>, change: (value: Value) => Partial<ViewState>,
    ): void => {
      node.addEventListener("change", () => {
        const chosen = value();
        if (chosen !== undefined) changed(change(chosen));
      });
    };
    on(voice, () => ({ voice: chosenVoice(voice) }));
    on(measure, (value) => ({ measure: value }));
    on(prices, (value) => ({ pricesOf: Number(value) }));
    on(classes, (value) => ({ method: value }));
    on(count, (value) => ({ classes: Number(value) }));
    this.show = (shown) => {
      voice.set(shown.voice || totalVoice);
      measure.set(shown.measure);
      prices.set(String(shown.pricesOf));
      classes.set(shown.method);
      count.set(String(shown.classes));
    };
    this.measure = measure.node;
    this.node = element(
      "div", { class: "map-controls", role: "group", "aria-label": translator(told, locale.language)("shown") },
      ...[voice, measure, prices, classes, count].map(({ node }) => node));
  }
}
