import { ExpenditureService } from "../../../api/expenditure_v1.js";
import type { Description, DictionaryEntry, MeasureValue } from "../../../api/expenditure_v1.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { addressOf, reportPath, requestedView, shownMeasure, voicePath } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import { originFooter, releaseText } from "../../../expenditure/origin.js";
import { releaseOf, voicesOf } from "../../../expenditure/reports/ask.js";
import { breadcrumb } from "../../../expenditure/reports/breadcrumb.js";
import { controls } from "../../../expenditure/reports/controls.js";
import { valueFacts } from "../../../expenditure/reports/facts.js";
import { leftCharts } from "../../../expenditure/reports/picked.js";
import {
  placeText, residentsText, shortValue, sourceText, territoryName, valueText, voiceText,
} from "../../../expenditure/reports/say.js";
import { seriesFigure } from "../../../expenditure/reports/series_figure.js";
import { numbersTable, seriesTable } from "../../../expenditure/reports/tables.js";
import { notesOf, take } from "../../../expenditure/reports/take.js";
import { words } from "../../../expenditure/reports/words.js";
import { openView } from "../../../expenditure/view_state.js";

/** All that is known about one voice of one territory (S-UC3). */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, parameters } = context;
  const t = translator(words, locale.language);
  const territory = parameters["territory"] ?? "", code = parameters["voice"] ?? "";
  const path = voicePath(territory, code);
  // The voice stands in the path.
  const state = { ...openView(context, path), voice: "" };
  const view = requestedView({ ...state, voice: code });
  const [report, voices, { entries = [] }] = await Promise.all([
    client.read(ExpenditureService.getVoiceReport, { view, territory }, { signal }),
    voicesOf(context, state.release),
    client.read(ExpenditureService.getDictionary, state.release === "" ? {} : { release: state.release }, { signal }),
  ]);
  const { voice, origin, index, measures = [], series = [], italy = [] } = report;
  const year = report.view?.year ?? 0;
  const measure = shownMeasure(report.view?.measure);
  const name = territoryName(territory, locale, report.territory);
  const own = measures.find((one) => one.measure === measure);
  const exact: ViewState = {
    ...state, release: releaseOf(origin), year, measure, pricesOf: report.view?.pricesOf ?? 0,
  };
  const lines = [{ name, series }, ...(territory === "IT" ? [] : [{ name: t("italy"), series: italy }])];
  const shown = { measure, hasIndex: index !== undefined, locale };
  const title = territory === "IT" ? t("series", { measure: t(measure) })
    : t("against", { territory: name, measure: t(measure) });
  const years = series.filter(({ value }) => value?.source).map((one) => one.year ?? 0);
  context.announce(t("loaded", {
    what: `${name}, ${voiceText(voice)}`, year: String(year), value: shortValue(own?.value, measure, locale),
  }));
  const above = report.path?.[report.path.length - 1]?.code ?? code;
  const charts = leftCharts(reportPath(territory)) ?? addressOf(reportPath(territory), { ...state, voice: above });
  return {
    title: t("titleOf", { territory: name, voice: voiceText(voice) }),
    content: [
      breadcrumb(context, report.territory, report.path ?? [], voice, state),
      element("p", { class: "onward" }, element("a", { href: charts }, t("back"))),
      controls(context, path, state, year, { years, priceYears: voices.priceYears ?? [] }),
      valueFacts(own?.value, measure, year, {
        ...(index ? { index } : {}), ...(own?.rank ? { rank: own.rank } : {}),
      }, locale),
      ...definition(entries.find((entry) => entry.code === code), report.descriptions ?? [], locale),
      everyMeasure(measures, t("measures", { year: String(year) }), locale),
      seriesFigure({
        id: "series", title, lines, table: seriesTable(lines, title, shown),
        notes: [voiceText(voice), ...notesOf(origin, releaseText(origin, locale))], signal,
      }, shown),
      take(context, path, exact, { voiceReport: { view: requestedView({ ...exact, voice: code }), territory } }, [
        element("a", { href: addressOf("/expenditure/dictionary", { ...state, voice: code }) }, t("dictionary")),
      ]),
      originFooter(origin, locale, state),
    ],
  };
}

/** The definition in the language of the page, and what the official form has called it. */
function definition(entry: DictionaryEntry | undefined, descriptions: readonly Description[], locale: Locale): Node[] {
  const t = translator(words, locale.language);
  const text = (locale.language === "it" ? entry?.definition?.italian : entry?.definition?.english) ?? "";
  const years = ({ firstYear = 0, lastYear = 0 }: Description): string => (
    firstYear === lastYear ? t("inYear", { year: String(firstYear) })
      : t("inYears", { from: String(firstYear), to: String(lastYear) }));
  const table = numbersTable<Description>([
    { head: t("year"), cell: years },
    { head: t("voice"), isValue: true, cell: (description) => element("span", { lang: "it" }, description.text ?? "") },
  ], descriptions, t("descriptions"), locale);
  return [element(
    "section", { "aria-labelledby": "definition-title" }, element("h2", { id: "definition-title" }, t("definition")),
    ...(text === "" ? [element("p", { class: "hint" }, t("noDefinition"))]
      : text.split(/\n{2,}/).map((part) => element("p", {}, part))),
    table)];
}

/** The voice in every measure, with its rank and its row. */
function everyMeasure(measures: readonly MeasureValue[], caption: string, locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  return numbersTable<MeasureValue>([
    { head: t("measure"), cell: ({ measure }) => t(shownMeasure(measure)) },
    { head: t("value"), isValue: true, cell: ({ measure, value }) => valueText(value, shownMeasure(measure), locale) },
    { head: t("rank"), cell: ({ rank }) => placeText(rank, locale) || t("noRank") },
    {
      head: t("dividedBy"),
      cell: ({ value }) => element("small", {}, residentsText(value?.denominator, locale) || "–"),
    },
    { head: t("source"), cell: ({ value }) => element("small", {}, sourceText(value?.source, locale)) },
  ], measures, caption, locale);
}
