import type { CheckCount, Finding, ImportedFile, Release } from "../../../api/expenditure_v1.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { Table } from "../../../parts/table.js";
import { element } from "../../../shell/element.js";
import { countText, euroText } from "../../../expenditure/format.js";
import { sourceText, territoryName } from "../../../expenditure/reports/say.js";
import { words } from "./words.js";

/** Files, checks and findings of a release. */
export function contentsOf({ files = [], checks = [], findings = [] }: Release, locale: Locale): Node[] {
  const t = translator(words, locale.language);
  const fileTable = new Table<ImportedFile>([
    {
      head: t("fileName"),
      cell: ({ name = "", importedBefore }) => (importedBefore ? `${name}: ${t("before")}` : name),
    },
    { head: t("form"), isValue: true, cell: ({ form }) => t(form ?? "FILE_FORM_UNSPECIFIED") },
    { head: t("rows"), cell: ({ rows }) => countText(rows ?? "0", locale) },
    {
      head: t("years"),
      cell: ({ firstYear, lastYear }) => (!firstYear ? "–" : firstYear === lastYear ? String(firstYear)
        : t("yearRange", { from: String(firstYear), to: String(lastYear ?? firstYear) })),
    },
    { head: t("source"), cell: ({ source }) => `${source?.name ?? ""} (${source?.licence ?? ""})` },
    { head: "SHA-256", cell: ({ sha256 = "" }) => element("code", { title: sha256 }, sha256.slice(0, 12)) },
  ], { caption: t("fileCaption") }, locale);
  fileTable.draw(files);
  const checkTable = new Table<CheckCount>([
    { head: t("kind"), cell: ({ kind }) => t(kind ?? "CHECK_KIND_UNSPECIFIED") },
    { head: t("made"), isValue: true, cell: ({ made }) => countText(made ?? "0", locale) },
    { head: t("failed"), isValue: true, cell: ({ failed }) => countText(failed ?? "0", locale) },
  ], { caption: t("checksCaption") }, locale);
  checkTable.draw(checks);
  const findingTable = new Table<Finding>([
    { head: t("kind"), cell: ({ kind }) => t(kind ?? "CHECK_KIND_UNSPECIFIED") },
    { head: t("blocks"), isValue: true, cell: ({ blocks }) => t(blocks ? "yes" : "no") },
    {
      head: t("place"), cell: ({ year, territory = "", voice = "" }) => (
        [year ? String(year) : "", territory === "" ? "" : territoryName(territory, locale), voice]
          .filter((part) => part !== "").join(", ")),
    },
    { head: t("expected"), cell: ({ expectedCents }) => euroText(expectedCents ?? "0", locale) },
    { head: t("amount"), cell: ({ foundCents }) => euroText(foundCents ?? "0", locale) },
    { head: t("source"), cell: ({ source }) => element("small", {}, sourceText(source, locale)) },
  ], { caption: t("findingsCaption"), none: t("noFindings") }, locale);
  findingTable.draw(findings);
  return [fileTable.node, checkTable.node, findingTable.node];
}

/** Whether a check of it has failed that has to be overridden. */
export function isBlocked({ findings = [] }: Release): boolean {
  return findings.some(({ blocks }) => blocks);
}
