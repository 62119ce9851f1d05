import { ExpenditureService } from "../../../api/expenditure_v1.js";
import type { CompareTerritoriesResponse, ListVoicesResponse, Territory } from "../../../api/expenditure_v1.js";
import { translator } from "../../../language/words.js";
import { choiceField, setField } from "../../../parts/field.js";
import { Form } from "../../../parts/form.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { addressOf, reportPath, requestedView, shownMeasure } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import { drawBars } from "../../../expenditure/bars.js";
import { comparedRows, comparedVoices, isComparable } from "../../../expenditure/compare.js";
import type { ComparedVoice } from "../../../expenditure/compare.js";
import { figure } from "../../../expenditure/figure.js";
import { originFooter, releaseText } from "../../../expenditure/origin.js";
import { releaseOf, territoriesOf, voicesOf } from "../../../expenditure/reports/ask.js";
import {
  chosenVoice, measureField, pricesField, voiceField, yearChoices,
} from "../../../expenditure/reports/choices.js";
import { focusPicked, remember } from "../../../expenditure/reports/picked.js";
import { territoryName, voiceText } from "../../../expenditure/reports/say.js";
import { seriesFigure } from "../../../expenditure/reports/series_figure.js";
import { numbersTable, seriesTable, sideColumn } from "../../../expenditure/reports/tables.js";
import type { Shown } from "../../../expenditure/reports/tables.js";
import { notesOf, take } from "../../../expenditure/reports/take.js";
import { words } from "../../../expenditure/reports/words.js";
import { openView } from "../../../expenditure/view_state.js";

const path = "/expenditure/compare";

/** Two to five territories beside each other (S-EV2). */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const state = openView(context, path);
  const [territories, voices] = await Promise.all([
    territoriesOf(context, state.release), voicesOf(context, state.release)]);
  const answer = isComparable(state.regions)
    ? await client.read(
      ExpenditureService.compareTerritories, { view: requestedView(state), territories: [...state.regions] },
      { signal })
    : undefined;
  const intro = element("p", {}, t("compareWhat"));
  const form = wishes(context, state, answer, territories, voices);
  if (!answer) {
    return {
      title: t("compareTitle"),
      content: [
        intro, form, element("p", { class: "hint" }, t("addTerritory")), originFooter(voices.origin, locale, state),
      ],
    };
  }
  focusPicked(context, addressOf(path, state));
  return { title: t("compareTitle"), content: [intro, form, ...compared(context, state, answer)] };
}

/** What is to be compared. */
function wishes(
  context: PageContext, state: ViewState, answer: CompareTerritoriesResponse | undefined,
  territories: readonly Territory[], { voices = [], years = [], priceYears = [] }: ListVoicesResponse,
): HTMLElement {
  const { locale } = context;
  const t = translator(words, locale.language);
  const which = setField({
    name: "which", label: t("which"), hint: t("twoToFive"), value: state.regions,
    choices: territories.map(({ code = "", ...rest }) => ({ value: code, label: territoryName(code, locale, rest) })),
  }, locale);
  which.node.classList.add("many-choices");
  const voice = voiceField(voices, answer?.view?.voice ?? state.voice, locale);
  const shownYear = answer?.view?.year ?? state.year;
  const year = choiceField({
    name: "year", label: t("year"), ...(shownYear === 0 ? { optional: true } : { value: String(shownYear) }),
    choices: yearChoices(years, shownYear),
  }, locale);
  const measure = measureField(state.measure, locale);
  const prices = pricesField(priceYears, state.pricesOf, locale);
  const limited = { ...which, problem: () => (isComparable(which.value() ?? []) ? undefined : t("twoToFive")) };
  const form = new Form({
    fields: [limited, voice, year, measure, prices], submit: t("show"), label: t("shown"),
    async send() {
      context.go(addressOf(path, {
        ...state, regions: which.value() ?? [], voice: chosenVoice(voice), year: Number(year.value() ?? 0),
        measure: measure.value() ?? state.measure, pricesOf: Number(prices.value() ?? 0),
      }));
    },
  }, locale, context.signal);
  form.node.classList.add("compare-controls");
  return form.node;
}

/** Bars and series of all sides, on one scale, with their tables. */
function compared(context: PageContext, state: ViewState, answer: CompareTerritoriesResponse): Node[] {
  const { locale, signal } = context;
  const t = translator(words, locale.language);
  const { sides = [], view = {}, voice, origin, index } = answer;
  const measure = shownMeasure(view.measure);
  const year = String(view.year ?? 0);
  const here = addressOf(path, state);
  const codes = sides.map(({ territory }) => territory?.code ?? "");
  const names = sides.map(({ territory }) => territoryName(territory?.code ?? "", locale, territory));
  const all = comparedVoices(sides, voiceText(voice));
  const rows = comparedRows(all, names, measure, locale, (name, value) => t("comparedValue", { name, value }));
  const lines = sides.map(({ series = [] }, side) => ({ name: names[side] ?? "", series }));
  const shown = { measure, hasIndex: index !== undefined, locale };
  const exact = {
    ...state, release: releaseOf(origin), year: view.year ?? 0, voice: view.voice ?? "", measure,
    pricesOf: view.pricesOf ?? 0,
  };
  const notes = [names.join(", "), voiceText(voice), ...notesOf(origin, releaseText(origin, locale))];
  const barsTitle = t("comparedBars", { measure: t(measure), year });
  const seriesTitle = t("series", { measure: t(measure) });
  const prices = index?.year
    ? t("inPrices", { year: String(index.year), index: index.name ?? "" }) : t("inCurrentPrices");
  const reports = codes.map((code, side) => {
    const address = addressOf(reportPath(code), { ...state, regions: [] });
    const link = element("a", { href: address }, t("report", { territory: names[side] ?? "" }));
    return remember(link, `report-${code}`, here);
  });
  const what = t("values", { voice: voiceText(voice), year, measure: t(measure) });
  context.announce(what);
  return [
    element("h2", {}, what), element("p", { class: "hint" }, prices),
    figure({
      id: "compared", title: barsTitle, isOpen: true, notes, signal,
      summary: t("comparedSummary", { count: String(all.length), names: names.join(", ") }),
      draw: (width) => drawBars(rows, width), table: valuesTable(all, names, barsTitle, shown),
    }, locale),
    seriesFigure(
      { id: "series", title: seriesTitle, lines, table: seriesTable(lines, seriesTitle, shown), notes, signal }, shown),
    take(context, path, exact, { comparison: { view: requestedView(exact), territories: codes } }, reports),
    originFooter(origin, locale, state),
  ];
}

/** Each voice with the value of every side, its denominator and its row. */
function valuesTable(
  voices: readonly ComparedVoice[], names: readonly string[], caption: string, { measure, locale }: Shown,
): HTMLElement {
  const t = translator(words, locale.language);
  return numbersTable<ComparedVoice>([
    { head: t("voice"), cell: ({ label }) => element("span", { lang: "it" }, label) },
    ...names.map((name, side) => sideColumn(name, ({ parts }: ComparedVoice) => parts[side]?.value, measure, locale)),
  ], voices, caption, locale);
}
