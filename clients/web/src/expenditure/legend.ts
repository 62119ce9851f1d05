import { svg } from "../charts/svg.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import { words } from "./legend/words.js";

/** The class of regions without a number. */
export const missingClass = "missing";
/** The number of a class, from 0, or those without one. */
export type ClassKey = number | typeof missingClass;

/** An entry of the legend. */
export interface LegendEntry {
  readonly key: ClassKey;
  /** Limits of the class, or why there is no number. */
  readonly text: string;
  /** How many regions have it in the year that is shown. */
  readonly count: number;
  readonly fill: string;
}

/** The scale of the map (S-NFR4): each class with its limits and its count of regions; pressed ones are picked out. */
export class Legend {
  readonly node: HTMLElement;
  private readonly list: HTMLElement;
  private readonly title = element("h2", { id: "legend-title" });
  private readonly t;
  private readonly chosen = new Set<ClassKey>();

  /** @param changed told when classes are picked out, or no more. */
  constructor(private readonly locale: Locale, private readonly changed: () => void) {
    this.t = translator(words, locale.language);
    this.list = element("ul", { class: "legend-classes" });
    this.node = element(
      "section", { class: "map-legend", id: "legend", "aria-labelledby": "legend-title" }, this.title,
      element("p", { class: "hint" }, this.t("hint")), this.list);
  }

  /** Whether regions of a class are picked out; undefined while none are. */
  isPicked(key: ClassKey): boolean | undefined {
    return this.chosen.size === 0 ? undefined : this.chosen.has(key);
  }

  /** Picks nothing out any more: classes have become others. */
  clear(): void {
    this.chosen.clear();
  }

  /** Shows these classes. */
  draw(title: string, entries: readonly LegendEntry[]): void {
    const focused = document.activeElement?.id ?? "";
    this.title.textContent = title;
    // What is not there any more cannot be let go of.
    for (const key of this.chosen) if (!entries.some((entry) => entry.key === key)) this.chosen.delete(key);
    this.list.replaceChildren(...entries.map((entry) => element("li", {}, this.button(entry))));
    if (focused.startsWith("class-")) document.getElementById(focused)?.focus();
  }

  private button({ key, text, count, fill }: LegendEntry): HTMLElement {
    const regions = new Intl.NumberFormat(this.locale.tag).format(count);
    const button = element(
      "button", { type: "button", id: `class-${key}`, "aria-pressed": String(this.chosen.has(key)) },
      swatch(fill), element("span", { class: "legend-limits" }, text),
      element("span", { class: "legend-count" }, this.t(count === 1 ? "oneRegion" : "regions", { count: regions })));
    button.addEventListener("click", () => {
      if (this.chosen.has(key)) this.chosen.delete(key);
      else this.chosen.add(key);
      button.setAttribute("aria-pressed", String(this.chosen.has(key)));
      this.changed();
    });
    return button;
  }
}

function swatch(fill: string): SVGElement {
  return svg(
    "svg", { class: "swatch", viewBox: "0 0 28 18", "aria-hidden": "true", focusable: "false" },
    svg("rect", { x: 1, y: 1, width: 26, height: 16, fill }));
}
