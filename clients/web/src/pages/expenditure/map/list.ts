import type { TerritoryValue } from "../../../api/expenditure_v1.js";
import { addressOf, reportPath } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import { comparedMost, isComparable } from "../../../expenditure/compare.js";
import { rankOf, rankText } from "../../../expenditure/rank.js";
import { missingText, numberOf, territoryName } from "../../../expenditure/reports/say.js";
import { whereHeadsAreHidden } from "../../../expenditure/reports/tables.js";
import { words as told } from "../../../expenditure/reports/words.js";
import { translator } from "../../../language/words.js";
import type { Translate } from "../../../language/words.js";
import { Table } from "../../../parts/table.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { mapNumber, regionsOf } from "./scale.js";
import { words } from "./words.js";

type Order = "value" | "name";

/** The same regions as on the map, as a table: each leads to its report, and can be chosen to be compared. */
export class RegionList {
  readonly node: HTMLElement;
  private readonly table: Table<TerritoryValue>;
  private readonly compare = element("a", { class: "button" });
  private readonly orders: Readonly<Record<Order, HTMLButtonElement>>;
  private readonly t: Translate<typeof words>;
  private order: Order = "value";
  private values: readonly TerritoryValue[] = [];

  /** @param choose told of the regions that are to be compared. */
  constructor(
    private readonly context: PageContext, private readonly state: () => ViewState,
    private readonly choose: (regions: readonly string[]) => void,
  ) {
    const { locale } = context;
    const t = this.t = translator(words, locale.language);
    this.table = new Table<TerritoryValue>([
      { head: t("region"), cell: ({ territory = "" }) => this.link(territory) },
      { head: t("value"), isValue: true, cell: (value) => this.valueText(value) },
      { head: translator(told, locale.language)("rank"), cell: ({ territory = "" }) => this.placeText(territory) },
      { head: t("compare"), cell: ({ territory = "" }) => this.choice(territory) },
    ], { caption: t("listCaption") }, locale);
    const order = (name: Order): HTMLButtonElement => {
      const button = element(
        "button", { type: "button", "aria-pressed": String(name === this.order) },
        t(name === "value" ? "byValue" : "byName"));
      button.addEventListener("click", () => {
        this.order = name;
        for (const [one, other] of Object.entries(this.orders)) {
          other.setAttribute("aria-pressed", String(one === name));
        }
        this.draw(this.values);
      });
      return button;
    };
    this.orders = { value: order("value"), name: order("name") };
    this.node = element(
      "section", { class: "region-list", id: "region-list", "aria-labelledby": "list-title" },
      element("h2", { id: "list-title" }, t("list")),
      element(
        "div", { class: "buttons", role: "group", "aria-label": t("order") }, this.orders.value, this.orders.name),
      this.table.node, element("p", { class: "buttons" }, this.compare));
  }

  draw(values: readonly TerritoryValue[]): void {
    this.values = values;
    const { locale } = this.context;
    const name = ({ territory = "" }: TerritoryValue): string => territoryName(territory, locale);
    const collator = new Intl.Collator(locale.tag);
    const number = ({ value }: TerritoryValue): number => numberOf(value) ?? -Infinity;
    const sorted = [...values].sort((one, other) => (
      this.order === "value" && number(one) !== number(other) ? (number(one) > number(other) ? -1 : 1)
        : collator.compare(name(one), name(other))));
    this.table.draw(sorted);
    this.drawCompare();
  }

  private drawCompare(): void {
    const { regions } = this.state();
    const isOffered = isComparable(regions);
    const count = String(regions.length);
    this.compare.textContent = isOffered ? this.t("compareThem", { count }) : this.t("compareHow");
    if (isOffered) this.compare.setAttribute("href", addressOf("/expenditure/compare", this.state()));
    else this.compare.removeAttribute("href");
  }

  private link(territory: string): HTMLElement {
    return element(
      "a", { id: `list-${territory}`, href: addressOf(reportPath(territory), this.state()) },
      territoryName(territory, this.context.locale));
  }

  private valueText({ value }: TerritoryValue): string {
    const number = numberOf(value);
    const { locale } = this.context;
    return number === undefined ? missingText(value?.missing, locale) : mapNumber(number, this.state().measure, locale);
  }

  /** Its place among the 21 accounts; Italy has none. */
  private placeText(territory: string): string {
    const all = regionsOf(this.values).map(({ territory: code = "", value }) => ({ code, value: numberOf(value) }));
    const rank = rankOf(all, territory);
    return rank ? rankText(rank, this.context.locale) : "–";
  }

  private choice(territory: string): HTMLElement {
    const { regions } = this.state();
    const name = territoryName(territory, this.context.locale);
    const box = element("input", {
      type: "checkbox", id: `compare-${territory}`, "aria-label": this.t("compareWhat", { name }),
    });
    box.checked = regions.includes(territory);
    box.disabled = !box.checked && regions.length >= comparedMost;
    box.addEventListener("change", () => {
      const others = this.state().regions.filter((code) => code !== territory);
      this.choose(box.checked ? [...others, territory] : others);
      this.draw(this.values);
    });
    return element("label", { class: "compared" }, box, whereHeadsAreHidden(this.t("compare")));
  }
}
