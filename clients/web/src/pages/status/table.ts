import type { Metric, Reading } from "../../api/readings_v1.js";
import { dateOfMicroseconds } from "../../json/scalars.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { ageText, metricName, valueText } from "../../metrics/format.js";
import { NewestReadings } from "../../metrics/newest.js";
import { Table } from "../../parts/table.js";
import { time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import { words } from "./words.js";

/** The newest reading of each metric as a table, a row for each metric. */
export class StatusTable {
  private readonly newest = new NewestReadings();
  private readonly table: Table<Reading>;
  private ages: Array<{ readonly cell: HTMLElement; readonly moment: Date }> = [];

  /** @param metrics the registry, in the order of the rows. */
  constructor(private readonly metrics: readonly Metric[], private readonly locale: Locale) {
    const t = translator(words, locale.language);
    const metricOf = (reading: Reading): Metric | undefined => metrics.find(({ name }) => name === reading.metric);
    this.table = new Table<Reading>([
      { head: t("kind"), cell: (reading) => metricName(reading.metric ?? "", metricOf(reading), locale) },
      { head: t("value"), isValue: true, cell: (reading) => valueText(reading, metricOf(reading), locale) },
      {
        head: t("time"),
        cell: (reading) => time(dateOfMicroseconds(reading.timeUs), locale, { dateStyle: "medium", timeStyle: "medium" }),
      },
      { head: t("age"), cell: (reading) => this.age(reading) },
    ], { caption: t("caption"), none: t("none") }, locale);
  }

  get node(): HTMLElement {
    return this.table.node;
  }

  /** Takes readings in, in any order, and draws what has changed. */
  take(readings: readonly Reading[] | undefined, now: Date): void {
    if (this.newest.take(readings).length === 0) return;
    this.ages = [];
    this.table.draw(this.newest.sorted(this.metrics.map((metric) => metric.name ?? "")));
    this.grow(now);
  }

  /** Says anew how old the readings are. */
  grow(now: Date): void {
    for (const { cell, moment } of this.ages) cell.textContent = ageText(moment, now, this.locale);
  }

  private age(reading: Reading): HTMLElement {
    const cell = element("span");
    this.ages.push({ cell, moment: dateOfMicroseconds(reading.timeUs) });
    return cell;
  }
}
