import { ExpenditureService } from "../../../api/expenditure_v1.js";
import type { GetReportResponse, Territory } from "../../../api/expenditure_v1.js";
import { translator } from "../../../language/words.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { addressOf, reportPath, requestedView, shownMeasure, voicePath } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import { originFooter, releaseText } from "../../../expenditure/origin.js";
import { releaseOf, territoriesOf, voicesOf } from "../../../expenditure/reports/ask.js";
import { breadcrumb } from "../../../expenditure/reports/breadcrumb.js";
import { controls } from "../../../expenditure/reports/controls.js";
import { valueFacts } from "../../../expenditure/reports/facts.js";
import { focusPicked } from "../../../expenditure/reports/picked.js";
import { shortValue, territoryName, voiceText } from "../../../expenditure/reports/say.js";
import { notesOf, take } from "../../../expenditure/reports/take.js";
import { words } from "../../../expenditure/reports/words.js";
import { openView } from "../../../expenditure/view_state.js";
import { Charts } from "./charts.js";

/** What a territory spends on a voice, and on each of its parts (S-UC2). */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, parameters } = context;
  const t = translator(words, locale.language);
  const code = parameters["territory"] ?? "";
  const path = reportPath(code);
  const state = openView(context, path);
  const [report, voices] = await Promise.all([
    client.read(ExpenditureService.getReport, { view: requestedView(state), territory: code }, { signal }),
    voicesOf(context, state.release),
  ]);
  const { view = {}, whole, origin, index, rank } = report;
  const year = view.year ?? 0;
  const measure = shownMeasure(view.measure);
  const name = territoryName(code, locale, report.territory);
  const release = releaseOf(origin);
  const exact: ViewState = { ...state, release, year, voice: view.voice ?? "", measure, pricesOf: view.pricesOf ?? 0 };
  const here = addressOf(path, state);
  const charts = new Charts(context, report, exact, state, here, {
    name, notes: [...notesOf(origin, releaseText(origin, locale)), `${t("year")}: ${year}`],
  });
  const link = (address: string, text: string): HTMLElement => element("a", { href: address }, text);
  const isBody = code.length === 6;
  const others = code === "IT" || isBody ? [] : [code, "IT"];
  const bodies = isBody || code === "IT" ? [] : await bodiesOf(context, report, state, release);
  context.announce(t("loaded", {
    what: `${name}, ${voiceText(whole?.voice)}`, year: String(year), value: shortValue(whole?.value, measure, locale),
  }));
  // Nothing is waited for from here on: the page is drawn next.
  focusPicked(context, here);
  return {
    title: t("titleOf", { territory: name, voice: voiceText(whole?.voice) }),
    content: [
      breadcrumb(context, report.territory, report.path ?? [], whole?.voice, state),
      controls(context, path, { ...state, voice: view.voice ?? "" }, year, {
        years: report.years ?? [], priceYears: voices.priceYears ?? [],
      }),
      valueFacts(whole?.value, measure, year, { ...(index ? { index } : {}), ...(rank ? { rank } : {}) }, locale),
      ...(isBody ? [element("p", {}, t("ofBody"))] : []),
      element("p", { class: "onward" }, charts.picked(
        link(addressOf(voicePath(code, view.voice ?? ""), { ...state, voice: "" }), t("voiceReport")), "voice-report")),
      ...charts.sections(),
      ...bodies,
      take(context, path, exact, { report: { view: requestedView(exact), territory: code } }, [
        ...(isBody ? [] : [link(
          addressOf("/expenditure/compare", { ...exact, release: state.release, regions: others }), t("compare"))]),
        link(addressOf("/expenditure/mobility", { ...state, voice: "" }), t("mobility")),
      ]),
      originFooter(origin, locale, state),
    ],
  };
}

/** Links to the accounts of a region's bodies, with why they are not added up. */
async function bodiesOf(
  context: PageContext, { territory }: GetReportResponse, state: ViewState, release: string,
): Promise<Node[]> {
  const { locale } = context;
  const t = translator(words, locale.language);
  const own = territory?.code ?? "";
  const bodies = (await territoriesOf(context, release, own)).filter(({ parent }) => parent === own);
  if (bodies.length === 0) return [];
  const link = (body: Territory): HTMLElement => element(
    "li", {}, element("a", { href: addressOf(reportPath(body.code ?? ""), { ...state, year: 0 }), lang: "it" },
      `${body.code ?? ""} ${body.name ?? ""}`.trim()));
  return [element(
    "section", { "aria-labelledby": "bodies-title" }, element("h2", { id: "bodies-title" }, t("bodies")),
    element("p", {}, t("bodiesWhy")), element("ul", { class: "bodies" }, ...bodies.map(link)))];
}
