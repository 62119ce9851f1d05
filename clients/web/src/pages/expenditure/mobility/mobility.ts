import { ExpenditureService } from "../../../api/expenditure_v1.js";
import type { MobilityRow } from "../../../api/expenditure_v1.js";
import { translator } from "../../../language/words.js";
import { choices } from "../../../parts/choices.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { addressOf } from "../../../expenditure/address.js";
import { drawBars } from "../../../expenditure/bars.js";
import { figure } from "../../../expenditure/figure.js";
import type { Cents } from "../../../expenditure/format.js";
import { compactEuroText, eurosOf, euroText } from "../../../expenditure/format.js";
import { mobilityYears, rowsOfYear, togetherOf } from "../../../expenditure/mobility.js";
import { originFooter, releaseText } from "../../../expenditure/origin.js";
import { releaseOf } from "../../../expenditure/reports/ask.js";
import { sourceText, territoryName } from "../../../expenditure/reports/say.js";
import { numbersTable, whereHeadsAreHidden } from "../../../expenditure/reports/tables.js";
import { notesOf, take } from "../../../expenditure/reports/take.js";
import { words } from "../../../expenditure/reports/words.js";
import { openView } from "../../../expenditure/view_state.js";

const path = "/expenditure/mobility";

/**
 * What territories pay for their residents who are treated elsewhere (S-EV1). There is no balance, and the page says
 * why.
 */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const state = openView(context, path);
  const request = state.release === "" ? {} : { release: state.release };
  const { rows = [], origin } = await client.read(ExpenditureService.getMobility, request, { signal });
  const intro = [
    element("nav", { class: "breadcrumb", "aria-label": t("where") }, element("ol", {},
      element("li", {}, element("a", { href: addressOf("/expenditure", state) }, t("map"))),
      element("li", { "aria-current": "page" }, t("mobility")))),
    element("p", {}, t("mobilityWhat")), element("p", { class: "hint" }, t("noBalance")),
  ];
  const title = t("mobilityTitle");
  const years = mobilityYears(rows);
  const newest = years[years.length - 1];
  if (newest === undefined) {
    const none = element("p", { class: "whole-missing" }, t("noMobility"));
    return { title, content: [...intro, none, originFooter(origin, locale, state)] };
  }
  const year = years.includes(state.year) ? state.year : newest;
  const exact = { ...state, release: releaseOf(origin), year };
  const shown = rowsOfYear(rows, year);
  const caption = t("paid", { year: String(year) });
  const paidColumn = (name: "toPublic" | "toPrivate" | "together", of: (row: MobilityRow) => Cents) => ({
    head: t(name), isValue: true,
    cell: (row: MobilityRow) => element("span", {}, whereHeadsAreHidden(t(name)), euroText(of(row), locale)),
  });
  const table = numbersTable<MobilityRow>([
    { head: t("territory"), cell: ({ territory = "" }) => territoryName(territory, locale) },
    paidColumn("toPublic", ({ publicCents }) => publicCents ?? "0"),
    paidColumn("toPrivate", ({ privateCents }) => privateCents ?? "0"),
    paidColumn("together", togetherOf),
    { head: t("source"), cell: ({ source }) => element("small", {}, sourceText(source, locale)) },
  ], shown, caption, locale);
  const bar = (cents: string | undefined, name: "toPublic" | "toPrivate", series: number) => ({
    value: eurosOf(cents ?? "0"), series,
    text: t("comparedValue", { name: t(name), value: compactEuroText(cents ?? "0", locale) }),
  });
  const bars = shown.map((row) => ({
    label: territoryName(row.territory ?? "", locale),
    bars: [bar(row.publicCents, "toPublic", 0), bar(row.privateCents, "toPrivate", 1)],
  }));
  const yearChoices = choices(t("year"), [...years].reverse().map((one) => (
    { label: String(one), query: { year: String(one) } })), path,
  new URLSearchParams(addressOf("", { ...state, year })));
  context.announce(caption);
  return {
    title,
    content: [
      ...intro, yearChoices,
      figure({
        id: "paid", title: caption, summary: t("paidSummary", { count: String(shown.length), year: String(year) }),
        draw: (width) => drawBars(bars, width), table, isOpen: true,
        notes: [title, ...notesOf(origin, releaseText(origin, locale))], signal,
      }, locale),
      take(context, path, exact, { mobility: exact.release === "" ? {} : { release: exact.release } }),
      originFooter(origin, locale, state),
    ],
  };
}
