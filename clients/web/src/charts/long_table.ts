import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { Table } from "../parts/table.js";
import type { Column } from "../parts/table.js";
import { element } from "../shell/element.js";
import { words } from "./words.js";

/** Rows that are shown at first, and how many more each time. */
const step = 50;

/** A table of many rows that are all at hand: the first ones, and more by a button. How many are shown, stays. */
export class LongTable<Row> {
  readonly node: HTMLElement;
  private readonly table: Table<Row>;
  private readonly more: HTMLButtonElement;
  private rows: readonly Row[] = [];
  private most = step;

  constructor(
    columns: ReadonlyArray<Column<Row>>, options: { readonly caption: string; readonly none: string }, locale: Locale,
  ) {
    this.table = new Table(columns, options, locale);
    this.more = element("button", { type: "button" }, translator(words, locale.language)("more"));
    this.more.addEventListener("click", () => {
      this.table.append(this.rows.slice(this.most, this.most + step));
      this.most += step;
      this.more.hidden = this.rows.length <= this.most;
      // A button that is gone keeps no focus.
      if (this.more.hidden) this.table.node.focus();
    });
    this.node = element("div", { class: "chart-table" }, this.table.node, this.more);
    this.draw([]);
  }

  /** Shows these rows instead of those before. */
  draw(rows: readonly Row[]): void {
    this.rows = rows;
    this.table.draw(rows.slice(0, this.most));
    this.more.hidden = rows.length <= this.most;
  }
}
