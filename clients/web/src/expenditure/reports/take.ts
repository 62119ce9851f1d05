import { ExpenditureService } from "../../api/expenditure_v1.js";
import type { ExportTableRequest, Origin } from "../../api/expenditure_v1.js";
import { downloadAddress } from "../../connect/download.js";
import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { addressOf } from "../address.js";
import type { ViewState } from "../address.js";
import { words } from "./words.js";

/**
 * What can be taken away of a page: its table as a file, the page on paper, and the address of exactly what it shows.
 * @param links to other pages about the same.
 */
export function take(
  context: PageContext, path: string, exact: ViewState, table: Omit<ExportTableRequest, "language">,
  links: readonly HTMLElement[] = [],
): HTMLElement {
  const { locale } = context;
  const t = translator(words, locale.language);
  const request = { ...table, language: locale.language } as ExportTableRequest;
  const csv = element(
    "a", { class: "button", href: downloadAddress(ExpenditureService.exportTable, request), download: "" }, t("csv"));
  const print = element("button", { type: "button" }, t("print"));
  print.addEventListener("click", () => window.print());
  const address = element("a", { href: addressOf(path, exact) }, t("address"));
  return element(
    "section", { class: "take", "aria-labelledby": "take-title" }, element("h2", { id: "take-title" }, t("take")),
    element("div", { class: "buttons" }, csv, print),
    element("ul", {}, ...[address, ...links].map((link) => element("li", {}, link))));
}

/** What a saved chart says below itself. */
export function notesOf(origin: Origin | undefined, release: string): string[] {
  const sources = (origin?.sources ?? []).map(({ name, licence }) => `${name ?? ""} (${licence ?? ""})`);
  return [release, ...sources];
}
