import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import type { Runner } from "../../../races/standing.js";
import { element } from "../../../shell/element.js";
import { BoardRow } from "./board_row.js";
import type { RowView } from "./board_row.js";
import { words } from "./words.js";

/** So many rows are on one page of the board, whatever the number of runners. */
export const pageRows = 50;

/**
 * The leaderboard as a table of one page. The rows of those who stay are moved and changed, and that which has the
 * focus is not even moved: the others go around it.
 */
export class BoardTable {
  readonly node: HTMLElement;
  /** Of the filtered board, from 0. */
  page = 0;
  private readonly caption = element("caption");
  private readonly body = element("tbody", { role: "rowgroup" });
  private readonly table: HTMLElement;
  private readonly none = element("p", {});
  private readonly scrolls: HTMLElement;
  private readonly pager: HTMLElement;
  private readonly where = element("span", {});
  private readonly steps: Readonly<Record<"first" | "previous" | "next" | "last", HTMLButtonElement>>;
  private rows = new Map<number, BoardRow>();
  private order: HTMLElement[] = [];
  private pageCount = 1;

  /** @param turned is told of another page that somebody has turned to. */
  constructor(
    private readonly locale: Locale, private readonly follow: (number: number) => void, turned: () => void,
  ) {
    const t = translator(words, locale.language);
    const heads = [t("rank"), t("number"), t("name"), t("status"), t("reached"), t("fix"), t("follow")].map(
      (head) => element("th", { scope: "col", role: "columnheader" }, head));
    this.table = element(
      "table", { role: "table" }, this.caption,
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)), this.body);
    this.scrolls = element(
      "div", { class: "scrolls", role: "region", tabindex: "0", "aria-label": t("board") }, this.table, this.none);
    const step = (text: string, to: () => number): HTMLButtonElement => {
      const button = element("button", { type: "button" }, text);
      button.addEventListener("click", () => {
        this.page = Math.min(Math.max(to(), 0), this.pageCount - 1);
        turned();
      });
      return button;
    };
    this.steps = {
      first: step(t("first"), () => 0), previous: step(t("previous"), () => this.page - 1),
      next: step(t("next"), () => this.page + 1), last: step(t("last"), () => this.pageCount - 1),
    };
    const { first, previous, next, last } = this.steps;
    this.pager = element("nav", { class: "pager", "aria-label": t("pages") }, first, previous, this.where, next, last);
    this.node = element("div", { class: "board" }, this.scrolls, this.pager);
  }

  /**
   * Shows the page of these rows.
   * @param none what is said where there are none.
   */
  draw(all: readonly Runner[], view: RowView, none: string): void {
    const t = translator(words, this.locale.language);
    const number = new Intl.NumberFormat(this.locale.tag);
    this.pageCount = Math.max(Math.ceil(all.length / pageRows), 1);
    this.page = Math.min(this.page, this.pageCount - 1);
    const first = this.page * pageRows;
    const shown = all.slice(first, first + pageRows);
    const kept = new Map<number, BoardRow>();
    for (const runner of shown) {
      const row = this.rows.get(runner.number) ?? new BoardRow(runner.number, this.locale, this.follow);
      row.show(runner, view);
      kept.set(runner.number, row);
    }
    this.rows = kept;
    this.place([...kept.values()].map(({ node }) => node));
    this.table.hidden = shown.length === 0;
    this.none.hidden = shown.length > 0;
    this.none.textContent = shown.length > 0 ? "" : none;
    const caption = t("caption", {
      first: number.format(first + 1), last: number.format(first + shown.length), count: number.format(all.length),
    });
    if (this.caption.textContent !== caption) this.caption.textContent = caption;
    this.pager.hidden = this.pageCount < 2;
    const where = t("page", { page: number.format(this.page + 1), count: number.format(this.pageCount) });
    if (this.where.textContent !== where) this.where.textContent = where;
    // Not disabled, for that takes the focus from whoever has come to the end.
    for (const name of ["first", "previous"] as const) this.steps[name].setAttribute("aria-disabled", String(this.page === 0));
    for (const name of ["next", "last"] as const) {
      this.steps[name].setAttribute("aria-disabled", String(this.page === this.pageCount - 1));
    }
  }

  /** Says anew how old the positions are. */
  grow(now: number): void {
    for (const row of this.rows.values()) row.age(now);
  }

  private place(nodes: HTMLElement[]): void {
    const before = this.order;
    this.order = nodes;
    if (nodes.length === before.length && nodes.every((node, index) => node === before[index])) return;
    const focused = document.activeElement;
    const holder = focused && this.body.contains(focused)
      ? before.find((node) => node.contains(focused)) : undefined;
    const index = holder ? nodes.indexOf(holder) : -1;
    if (!holder || index < 0) {
      this.body.replaceChildren(...nodes);
      // Whoever was at a row that is gone is still at the board.
      if (holder) this.scrolls.focus();
      return;
    }
    for (const node of before) if (node !== holder) node.remove();
    holder.before(...nodes.slice(0, index));
    holder.after(...nodes.slice(index + 1));
  }
}
