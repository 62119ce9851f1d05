import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import { words } from "./words.js";

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  cell(row: Row): Node | string;
  /** Its cells say what a row is about. The first one does where none is said to. */
  readonly isHeading?: boolean;
  /** Its cells are numbers, or what a row is looked at for. */
  readonly isValue?: boolean;
  /** Where cells are labelled: it has a line of its own on a narrow screen. */
  readonly isLong?: boolean;
}

interface TableOptions {
  readonly caption: string;
  /** What is said where there are no rows. */
  readonly none?: string;
  /** On a narrow screen, where the heads of columns are not seen, each cell says what it is. */
  readonly isLabelled?: boolean;
}

/**
 * A table with a caption. On a narrow screen rows are drawn as blocks, which some browsers take for rows no more: so
 * their roles are said. Where it is wider than a screen, it scrolls by itself, also with the keyboard.
 */
export class Table<Row> {
  readonly node: HTMLElement;
  private readonly table: HTMLElement;
  private readonly body = element("tbody", { role: "rowgroup" });
  private readonly none: HTMLElement;

  constructor(private readonly columns: ReadonlyArray<Column<Row>>, private readonly options: TableOptions, locale: Locale) {
    const heads = columns.map(({ head }) => element("th", { scope: "col", role: "columnheader" }, head));
    this.table = element(
      "table", { role: "table", ...(options.isLabelled ? { class: "labelled" } : {}) }, element("caption", {}, options.caption),
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)), this.body);
    this.none = element("p", {}, options.none ?? translator(words, locale.language)("none"));
    this.node = element(
      "div", { class: "scrolls", role: "region", tabindex: "0", "aria-label": options.caption }, this.table, this.none);
    this.draw([]);
  }

  /** Shows these rows instead of those before. What has the focus in them keeps it, if it has an id that is there again. */
  draw(rows: readonly Row[]): void {
    const focused = document.activeElement;
    const id = this.body.contains(focused) ? focused?.id : "";
    this.body.replaceChildren();
    this.append(rows);
    if (id) document.getElementById(id)?.focus();
  }

  /** Shows these rows below those that are there. */
  append(rows: readonly Row[]): void {
    this.body.append(...rows.map((row) => this.row(row)));
    this.table.hidden = this.body.children.length === 0;
    this.none.hidden = !this.table.hidden;
  }

  private row(row: Row): HTMLElement {
    const heading = Math.max(this.columns.findIndex(({ isHeading }) => isHeading), 0);
    return element("tr", { role: "row" }, ...this.columns.map((column, index) => {
      const content = column.cell(row);
      if (index === heading) return element("th", { scope: "row", role: "rowheader" }, content);
      const label = this.options.isLabelled ? { "data-head": column.head } : {};
      const kind = [...(column.isValue ? ["value"] : []), ...(column.isLong ? ["long"] : [])].join(" ");
      return element("td", { role: "cell", ...(kind ? { class: kind } : {}), ...label }, content);
    }));
  }
}
