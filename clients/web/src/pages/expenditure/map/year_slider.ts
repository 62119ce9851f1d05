import { translator } from "../../../language/words.js";
import { element } from "../../../shell/element.js";
import type { Locale } from "../../../language/choice.js";
import { words } from "./words.js";

/** Moves through the years that there are, without gaps between them. */
export class YearSlider {
  readonly node: HTMLElement;
  private readonly input = element("input", { type: "range", id: "map-year", min: "0", step: "1" });
  private readonly output = element("output", { for: "map-year" });
  private readonly only: HTMLElement;
  private years: readonly number[] = [];

  /** @param changed told while it is moved. */
  constructor(locale: Locale, changed: (year: number) => void) {
    const t = translator(words, locale.language);
    this.only = element("p", { class: "hint", id: "map-year-hint" }, t("onlyYear"));
    this.node = element(
      "div", { class: "year-slider" }, element("label", { for: "map-year" }, t("year")),
      element("div", { class: "moment" }, this.input, this.output), this.only);
    this.input.addEventListener("input", () => {
      const year = this.years[this.input.valueAsNumber];
      if (year === undefined) return;
      this.say(year);
      changed(year);
    });
  }

  draw(years: readonly number[], year: number): void {
    this.years = years;
    this.input.max = String(Math.max(years.length - 1, 0));
    this.input.value = String(Math.max(years.indexOf(year), 0));
    this.input.disabled = years.length < 2;
    this.only.hidden = years.length !== 1;
    if (years.length === 1) this.input.setAttribute("aria-describedby", this.only.id);
    else this.input.removeAttribute("aria-describedby");
    this.say(year);
  }

  private say(year: number): void {
    const text = year === 0 ? "–" : String(year);
    this.output.textContent = text;
    this.input.setAttribute("aria-valuetext", text);
  }
}
