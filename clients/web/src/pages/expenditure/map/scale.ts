import type { GetMapResponse, TerritoryValue } from "../../../api/expenditure_v1.js";
import type { ShownMeasure, ViewState } from "../../../expenditure/address.js";
import { classOf, classesAroundZero, classesOf } from "../../../expenditure/classes.js";
import type { Classes } from "../../../expenditure/classes.js";
import { scaleOf } from "../../../expenditure/colour.js";
import type { Theme } from "../../../expenditure/colour.js";
import { changeText, compactEuroText, percentText, wholeEuroText } from "../../../expenditure/format.js";
import { missingClass } from "../../../expenditure/legend.js";
import type { ClassKey } from "../../../expenditure/legend.js";
import { numberOf } from "../../../expenditure/reports/say.js";
import type { Locale } from "../../../language/choice.js";

/** Classes out of the values of all years, so that colours stay what they are while the year moves. */
export class Scale {
  private readonly classes: Classes | undefined;

  constructor(answer: GetMapResponse, private readonly state: ViewState) {
    const values = (answer.years ?? []).flatMap((year) => regionsOf(year.values).map(({ value }) => numberOf(value)));
    const divide = this.isChange ? classesAroundZero : classesOf;
    this.classes = divide(values, state.classes, state.method);
  }

  private get isChange(): boolean {
    return this.state.measure === "MEASURE_CHANGE";
  }

  get count(): number {
    return this.classes ? this.classes.limits.length - 1 : 0;
  }

  /** Lower and upper limit of a class. */
  limits(index: number): readonly [number, number] {
    const limits = this.classes?.limits ?? [];
    return [limits[index] ?? 0, limits[index + 1] ?? 0];
  }

  keyOf(territory: TerritoryValue | undefined): ClassKey {
    return (this.classes && classOf(this.classes, numberOf(territory?.value))) ?? missingClass;
  }

  colours(theme: Theme): readonly string[] {
    return this.count === 0 ? [] : scaleOf(this.isChange ? "diverging" : "sequential", this.count, theme);
  }
}

/** Without Italy, which would make every class but one empty. */
export function regionsOf(values: readonly TerritoryValue[] | undefined): TerritoryValue[] {
  return (values ?? []).filter(({ territory }) => territory !== "IT");
}

/** A number of a measure in few letters. */
export function mapNumber(number: number, measure: ShownMeasure, locale: Locale): string {
  if (measure === "MEASURE_SHARE") return percentText(number / 1e6, locale);
  if (measure === "MEASURE_CHANGE") return changeText(number / 1e6, locale);
  const cents = BigInt(Math.round(number));
  return measure === "MEASURE_EUROS" ? compactEuroText(cents, locale) : wholeEuroText(cents, locale);
}
