import type { Metric, Reading } from "../../api/readings_v1.js";
import { dateOfMicroseconds } from "../../json/scalars.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { ageText, metricName, valueText } from "../../metrics/format.js";
import { NewestReadings } from "../../metrics/newest.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

/** The newest reading of each metric as a table, a row for each metric. */
export class StatusTable {
  readonly node: HTMLElement;
  private readonly newest = new NewestReadings();
  private readonly body = element("tbody", { role: "rowgroup" });
  private readonly none: HTMLElement;
  private readonly table: HTMLElement;
  private ages: Array<{ readonly cell: HTMLElement; readonly moment: Date }> = [];

  /** @param metrics the registry, in the order of the rows. */
  constructor(private readonly metrics: readonly Metric[], private readonly locale: Locale) {
    const t = translator(words, locale.language);
    const heads = (["kind", "value", "time", "age"] as const).map(
      (key) => element("th", { scope: "col", role: "columnheader" }, t(key)));
    // On a narrow screen rows are drawn as blocks, which some browsers take for rows no more: so their roles are said.
    this.table = element(
      "table", { role: "table" }, element("caption", {}, t("caption")),
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)), this.body);
    this.none = element("p", {}, t("none"));
    // Where it is wider than a screen, it scrolls by itself, also with the keyboard.
    this.node = element(
      "div", { class: "scrolls", role: "region", tabindex: "0", "aria-label": t("caption") }, this.table, this.none);
  }

  /** Takes readings in, in any order, and draws what has changed. */
  take(readings: readonly Reading[] | undefined, now: Date): void {
    const changed = this.newest.take(readings);
    this.table.hidden = this.newest.isEmpty;
    this.none.hidden = !this.newest.isEmpty;
    if (changed.length > 0) this.draw(now);
  }

  /** Says anew how old the readings are. */
  grow(now: Date): void {
    for (const { cell, moment } of this.ages) cell.textContent = ageText(moment, now, this.locale);
  }

  private draw(now: Date): void {
    this.ages = [];
    const time = new Intl.DateTimeFormat(this.locale.tag, { dateStyle: "medium", timeStyle: "medium" });
    const rows = this.newest.sorted(this.metrics.map((metric) => metric.name ?? "")).map((reading) => {
      const metric = this.metrics.find((metric) => metric.name === reading.metric);
      const moment = dateOfMicroseconds(reading.timeUs);
      const age = element("td", { role: "cell" });
      this.ages.push({ cell: age, moment });
      return element(
        "tr", { role: "row" },
        element("th", { scope: "row", role: "rowheader" }, metricName(reading.metric ?? "", metric, this.locale)),
        element("td", { role: "cell", class: "value" }, valueText(reading, metric, this.locale)),
        element("td", { role: "cell" }, element("time", { datetime: moment.toISOString() }, time.format(moment))),
        age);
    });
    this.body.replaceChildren(...rows);
    this.grow(now);
  }
}
