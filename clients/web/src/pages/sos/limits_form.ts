import type { Metric } from "../../api/readings_v1.js";
import type { Limits, Threshold } from "../../api/sos_v1.js";
import { toBigInt, toNumber } from "../../json/scalars.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { numberField, switchField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import type { FormOptions, Problems } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

/** The hold time that is suggested, in seconds: longer ones are the person's own risk. */
const usualHold = 3;
const mostHold = 600;

/** The limits of one state of the body, as fields. */
class LimitsFields {
  readonly node: HTMLElement;
  readonly fields: FormOptions["fields"];
  private readonly isThere: Field<boolean>;
  private readonly low: Field<number>;
  private readonly high: Field<number>;
  private readonly hold: Field<number>;
  private readonly hysteresis: Field<number>;

  constructor(
    private readonly name: "rest" | "exertion", limits: Limits | undefined, metric: Metric, private readonly locale: Locale,
  ) {
    const t = translator(words, locale.language);
    const number = (part: string, api: string, options: Omit<Parameters<typeof numberField>[0], "name" | "api">): Field<number> => (
      numberField({ name: `${name}_${part}`, api: [`threshold.${name}.${api}`], ...options }, locale));
    const least = toNumber(metric.minimum);
    const most = toNumber(metric.maximum);
    const value = (limit: Limits["low"]): { value: number } | {} => (limit === undefined ? {} : { value: toNumber(limit) });
    this.isThere = switchField({
      name: `${name}_on`, label: t(name === "rest" ? "hasRest" : "hasExertion"), value: limits !== undefined,
    });
    const limit = { least, most, optional: true, refused: t("limitRefused") };
    this.low = number("low", "low", { ...limit, label: t("low"), ...value(limits?.low) });
    this.high = number("high", "high", { ...limit, label: t("high"), ...value(limits?.high) });
    this.hold = number("hold", "hold_ms", {
      label: t("hold"), hint: t("holdHint"), least: 0, most: mostHold,
      value: limits ? Number(toBigInt(limits.holdMs)) / 1000 : usualHold,
    });
    this.hysteresis = number("hysteresis", "hysteresis", {
      label: t("hysteresis"), hint: t("hysteresisHint"), least: 0, value: toNumber(limits?.hysteresis),
      refused: t("hysteresisRefused"),
    });
    const inner = [this.low, this.high, this.hold, this.hysteresis];
    const group = element("div", { class: "limits" }, ...inner.map(({ node }) => node));
    const box = this.isThere.node.querySelector("input");
    const show = (): void => { group.hidden = !this.isThere.value(); };
    box?.addEventListener("change", show);
    show();
    // What is not shown cannot be wrong.
    const whenThere = <Value>(field: Field<Value>): Field<Value> => (
      { ...field, problem: () => (this.isThere.value() ? field.problem() : undefined) });
    this.fields = [this.isThere, ...inner.map(whenThere)];
    this.node = element(
      "fieldset", {}, element("legend", {}, t(name === "rest" ? "rest" : "exertion")), this.isThere.node, group);
  }

  /** What was entered; undefined where nothing calls. */
  value(): Limits | undefined {
    if (!this.isThere.value()) return undefined;
    const [low, high] = [this.low.value(), this.high.value()];
    return {
      ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }),
      holdMs: String(Math.round((this.hold.value() ?? 0) * 1000)), hysteresis: this.hysteresis.value() ?? 0,
    };
  }

  /** What a form cannot tell of one field alone. */
  problem(): Record<string, string> {
    const limits = this.value();
    if (!limits || limits.low !== undefined || limits.high !== undefined) return {};
    return { [`${this.name}_low`]: translator(words, this.locale.language)("limitMissing") };
  }
}

/** The limits of one metric, as fields. */
export class ThresholdFields {
  readonly fields: FormOptions["fields"];
  readonly nodes: readonly Node[];
  private readonly rest: LimitsFields;
  private readonly exertion: LimitsFields;

  constructor(threshold: Threshold | undefined, private readonly metric: Metric, locale: Locale) {
    this.rest = new LimitsFields("rest", threshold?.rest, metric, locale);
    this.exertion = new LimitsFields("exertion", threshold?.exertion, metric, locale);
    this.fields = [...this.rest.fields, ...this.exertion.fields];
    this.nodes = [this.rest.node, this.exertion.node];
  }

  value(): Threshold {
    const [rest, exertion] = [this.rest.value(), this.exertion.value()];
    return { metric: this.metric.name ?? "", ...(rest ? { rest } : {}), ...(exertion ? { exertion } : {}) };
  }

  /** What is wrong before anything is sent; undefined if nothing is. */
  problems(): Problems | undefined {
    const found: Record<string, string> = { ...this.rest.problem(), ...this.exertion.problem() };
    for (const field of this.fields) {
      const problem = field.problem();
      if (problem !== undefined) found[field.name] = problem;
    }
    return Object.keys(found).length > 0 ? { fields: found } : undefined;
  }
}
