import type { ListVoicesResponse, Voice } from "../../../api/expenditure_v1.js";
import { classCounts, measures } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import { classMethods } from "../../../expenditure/classes.js";
import { voiceText } from "../../../expenditure/reports/say.js";
import { words as told } from "../../../expenditure/reports/words.js";
import { words as methods } from "../../../expenditure/words.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { choiceField } from "../../../parts/field.js";
import type { Choice, Field } from "../../../parts/field.js";
import { element } from "../../../shell/element.js";
import { words } from "./words.js";

/** The code of the total costs of production, which an address leaves out. */
export const totalVoice = "BZ9999";

/** What the map shows: voice, measure, prices and classes. Each choice holds at once. */
export class MapControls {
  readonly node: HTMLElement;
  readonly measure: Field<string>;

  constructor(
    state: ViewState, { voices = [], priceYears = [] }: ListVoicesResponse, locale: Locale,
    changed: (what: Partial<ViewState>) => void,
  ) {
    const t = translator(words, locale.language);
    const say = translator(told, locale.language);
    const method = translator(methods, locale.language);
    const field = <Value extends string>(
      name: string, label: string, value: Value, choices: ReadonlyArray<Choice<Value>>,
      change: (value: Value) => Partial<ViewState>,
    ): Field<Value> => {
      const made = choiceField<Value>({ name, label, value, choices, optional: true }, locale);
      made.node.addEventListener("change", () => {
        const chosen = made.value();
        if (chosen !== undefined) changed(change(chosen));
      });
      return made;
    };
    const voice = field("voice", say("voice"), state.voice || totalVoice, voiceChoices(voices, state.voice || totalVoice),
      (value) => ({ voice: value === totalVoice ? "" : value }));
    this.measure = field("measure", say("measure"), state.measure,
      measures.map((value) => ({ value, label: say(value) })), (value) => ({ measure: value }));
    const years = [...new Set([...priceYears, ...(state.pricesOf === 0 ? [] : [state.pricesOf])])].sort((a, b) => b - a);
    const prices = field("prices", say("prices"), String(state.pricesOf), [
      { value: "0", label: say("currentPrices") },
      ...years.map((year) => ({ value: String(year), label: say("pricesOf", { year: String(year) }) })),
    ], (value) => ({ pricesOf: Number(value) }));
    const classes = field("method", t("method"), state.method,
      classMethods.map((value) => ({ value, label: method(value) })), (value) => ({ method: value }));
    const count = field("count", t("count"), String(state.classes),
      classCounts.map((value) => ({ value: String(value), label: String(value) })), (value) => ({ classes: Number(value) }));
    voice.node.querySelector("select")?.setAttribute("lang", "it");
    this.node = element(
      "div", { class: "map-controls", role: "group", "aria-label": say("shown") },
      ...[voice, this.measure, prices, classes, count].map(({ node }) => node));
  }
}

/** The tree of voices as lines, each farther in than what it is a part of. */
function voiceChoices(voices: readonly Voice[], chosen: string): Array<Choice<string>> {
  const depths = new Map<string, number>();
  const choices = voices.map((voice) => {
    const depth = voice.parent ? (depths.get(voice.parent) ?? 0) + 1 : 0;
    depths.set(voice.code ?? "", depth);
    return { value: voice.code ?? "", label: "\u00a0\u00a0".repeat(depth) + voiceText(voice) };
  });
  // What an address asks for can be chosen, even if there is no such voice: the page then says so.
  return depths.has(chosen) ? choices : [...choices, { value: chosen, label: chosen }];
}
