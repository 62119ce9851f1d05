import type { GetMapResponse, ListVoicesResponse, TerritoryValue } from "../../../api/expenditure_v1.js";
import { addressOf, reportPath, requestedView } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import type { Theme } from "../../../expenditure/colour.js";
import { Legend, missingClass } from "../../../expenditure/legend.js";
import type { LegendEntry } from "../../../expenditure/legend.js";
import { MapView, hatchFill, smallHatchFill } from "../../../expenditure/map_view.js";
import type { Painted } from "../../../expenditure/map_view.js";
import { boundaries, extentText, originFooter, releaseText } from "../../../expenditure/origin.js";
import { valueFacts } from "../../../expenditure/reports/facts.js";
import { missingText, numberOf, residentsText, territoryName, voiceText } from "../../../expenditure/reports/say.js";
import { notesOf, take } from "../../../expenditure/reports/take.js";
import { words as told } from "../../../expenditure/reports/words.js";
import type { Controls } from "../../../expenditure/tutorial.js";
import { describeError } from "../../../errors/describe.js";
import { translator } from "../../../language/words.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { MapControls } from "./controls.js";
import { saveMap } from "./image.js";
import { RegionList } from "./list.js";
import { mapOf } from "./open_map.js";
import { Scale, mapNumber, regionsOf } from "./scale.js";
import { words } from "./words.js";
import { YearSlider } from "./year_slider.js";

/** Where Tab leads to on the map at first: Lazio, in the middle. */
const firstRegion = "120";

/** The map with all that belongs to it, as one view after the other is chosen. */
export class ShownMap {
  readonly content: readonly Node[];
  readonly controls: Controls;
  private readonly t;
  private readonly view: MapView;
  private readonly legend: Legend;
  private readonly list: RegionList;
  private readonly slider: YearSlider;
  private readonly chosen: MapControls;
  private readonly caption = element("h2", { id: "map-title" });
  private readonly problem = element("p", { class: "problem", role: "alert" });
  private readonly details = element(
    "section", { class: "card region-details", id: "region-details", "aria-labelledby": "details-title" });
  private readonly origin = element("div");
  private readonly taking = element("div", { id: "take" });
  private scale: Scale;
  private theme: Theme;
  /** The view that was chosen last: an answer to one before comes too late. */
  private wanted: ViewState;
  private pointed: string | undefined;

  constructor(
    private readonly context: PageContext, private readonly path: string, private shown: ViewState,
    private answer: GetMapResponse, voices: ListVoicesResponse,
  ) {
    const { locale, signal } = context;
    const t = this.t = translator(words, locale.language);
    this.wanted = shown;
    this.scale = new Scale(answer, shown);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.theme = dark.matches ? "dark" : "light";
    const themed = (theme: Theme) => (): void => {
      this.theme = theme;
      this.paint();
    };
    dark.addEventListener("change", () => themed(dark.matches ? "dark" : "light")(), { signal });
    // Paper is white.
    addEventListener("beforeprint", themed("light"), { signal });
    addEventListener("afterprint", () => themed(dark.matches ? "dark" : "light")(), { signal });

    this.view = new MapView(t("map"), firstRegion, {
      open: (address) => context.go(address),
      pointed: (code) => {
        // What was pointed at last stays to be read, and its link to be followed.
        if (code !== undefined && code !== this.pointed && !this.details.contains(document.activeElement)) {
          this.pointed = code;
          this.drawDetails();
        }
      },
    }, signal);
    this.legend = new Legend(locale, () => this.paint());
    this.list = new RegionList(context, () => this.shown, (regions) => {
      this.shown = { ...this.shown, regions };
      this.wanted = { ...this.wanted, regions };
      this.keep();
      this.paint();
    });
    this.slider = new YearSlider(locale, (year) => {
      this.shown = { ...this.shown, year };
      this.wanted = { ...this.wanted, year };
      this.keep();
      this.draw();
    });
    const chosen = this.chosen = new MapControls(shown, voices, locale, (what) => void this.choose(what));
    chosen.measure.id = "measure-control";

    const button = (text: string, label: string, act: () => void): HTMLElement => {
      const made = element("button", { type: "button", ...(label === "" ? {} : { "aria-label": label }) }, text);
      made.addEventListener("click", act);
      return made;
    };
    const frame = element("div", { class: "italy-frame" }, this.view.image);
    const zooms = element(
      "div", { class: "buttons zooms", role: "group", "aria-label": t("zoom") },
      button("+", t("zoomIn"), () => this.view.zoom("in")), button("−", t("zoomOut"), () => this.view.zoom("out")),
      button(t("zoomWhole"), "", () => this.view.zoom("whole")));
    const figure = element(
      "div", { class: "map-column" }, frame, element("p", { class: "hint" }, boundaries), zooms,
      element("p", { class: "hint keys" }, t("keys")));
    const side = element(
      "div", { class: "map-side" }, this.slider.node, this.details, this.legend.node, chosen.node, this.problem);
    const saves = element(
      "div", { class: "buttons", role: "group", "aria-label": t("saveMap") },
      button("SVG", t("saveAs", { kind: "SVG" }), () => this.save("SVG")),
      button("PNG", t("saveAs", { kind: "PNG" }), () => this.save("PNG")));
    this.content = [
      this.caption, element("div", { class: "map-layout" }, figure, side), this.list.node, saves, this.taking,
      element("p", {}, extentText(voices, locale)), this.origin,
    ];
    this.controls = {
      map: frame, legend: this.legend.node, year: this.slider.node, measure: chosen.measure, list: this.list.node,
      report: this.details, download: this.taking,
    };
    this.draw();
  }

  /** What is shown, with everything that an address says. */
  get state(): ViewState {
    return this.shown;
  }

  private keep(how?: "asNext"): void {
    this.context.keep(addressOf(this.path, this.shown), how);
  }

  /** Shows another view once its numbers are there. The one that is shown stays if they do not come. */
  private async choose(what: Partial<ViewState>): Promise<void> {
    const wanted = this.wanted = { ...this.wanted, ...what };
    this.problem.textContent = "";
    try {
      const answer = await mapOf(this.context, wanted);
      if (this.wanted !== wanted || this.context.signal.aborted) return;
      this.answer = answer;
    } catch (failure) {
      if (this.wanted !== wanted || this.context.signal.aborted) return;
      this.wanted = this.shown;
      this.chosen.show(this.shown);
      this.problem.textContent = describeError(failure, this.context.locale.language);
      return;
    }
    this.shown = wanted;
    this.scale = new Scale(this.answer, wanted);
    this.legend.clear();
    this.keep("asNext");
    this.draw();
    this.context.announce(this.caption.textContent ?? "");
  }

  /** The year that is shown: the one of the address where there is one, or else the newest. */
  private get year(): number {
    const years = (this.answer.years ?? []).map(({ year }) => year ?? 0);
    return years.includes(this.shown.year) ? this.shown.year : years[years.length - 1] ?? 0;
  }

  private get values(): readonly TerritoryValue[] {
    return (this.answer.years ?? []).find(({ year }) => year === this.year)?.values ?? [];
  }

  private draw(): void {
    const { locale } = this.context;
    const { answer, year } = this;
    this.slider.draw((answer.years ?? []).map((one) => one.year ?? 0), year);
    const prices = answer.index?.year ? this.t("inPrices", { year: String(answer.index.year) }) : "";
    this.caption.replaceChildren(
      element("span", { lang: "it" }, voiceText(answer.voice)),
      `: ${this.measureName}${prices}, ${year === 0 ? this.t("noYear") : year}`);
    this.list.draw(this.values);
    this.paint();
    this.drawDetails();
    this.origin.replaceChildren(originFooter(answer.origin, locale, this.shown));
    const exact: ViewState = { ...this.shown, year, release: answer.origin?.release ?? this.shown.release };
    this.taking.replaceChildren(take(
      this.context, this.path, exact, { map: { view: requestedView(exact) } },
      [element("a", { href: addressOf("/expenditure/mobility", this.shown) }, this.t("mobility"))]));
  }

  private get measureName(): string {
    return translator(told, this.context.locale.language)(this.shown.measure);
  }

  private paint(): void {
    this.view.paint(this.painted());
    const title = this.t("legend", { measure: this.measureName, year: String(this.year) });
    this.legend.draw(title, this.entries(smallHatchFill));
  }

  private painted(): ReadonlyMap<string, Painted> {
    const colours = this.scale.colours(this.theme);
    const painted = new Map<string, Painted>();
    for (const value of regionsOf(this.values)) {
      const code = value.territory ?? "";
      const key = this.scale.keyOf(value);
      painted.set(code, {
        fill: key === missingClass ? hatchFill : colours[key] ?? hatchFill, label: this.label(value),
        address: addressOf(reportPath(code), this.shown), isQuiet: this.legend.isPicked(key) === false,
        isChosen: this.shown.regions.includes(code),
      });
    }
    return painted;
  }

  private label({ territory = "", value }: TerritoryValue): string {
    const { locale } = this.context;
    const number = numberOf(value);
    const said = number === undefined
      ? missingText(value?.missing, locale) : mapNumber(number, this.shown.measure, locale);
    return this.t("labelOf", { name: territoryName(territory, locale), value: said });
  }

  /** Entries of the legend, the highest class first, and why numbers are missing. */
  private entries(hatch: string): LegendEntry[] {
    const { locale } = this.context;
    const colours = this.scale.colours(this.theme);
    const regions = regionsOf(this.values);
    const keys = regions.map((value) => this.scale.keyOf(value));
    const entries: LegendEntry[] = colours.map((fill, index) => {
      const [from, to] = this.scale.limits(index).map((limit) => mapNumber(limit, this.shown.measure, locale));
      return {
        key: index, fill, text: this.t("limits", { from: from ?? "", to: to ?? "" }),
        count: keys.filter((key) => key === index).length,
      };
    });
    entries.reverse();
    const missing = regions.filter(({ value }) => numberOf(value) === undefined);
    if (missing.length > 0) {
      const reasons = [...new Set(missing.map(({ value }) => missingText(value?.missing, locale)))].join("; ");
      entries.push({ key: missingClass, fill: hatch, text: reasons, count: missing.length });
    }
    return entries;
  }

  /** Name, value and what stands behind it, of the region that was pointed at last, or of Italy. */
  private drawDetails(): void {
    const { locale } = this.context;
    const code = this.pointed ?? "IT";
    const value = this.values.find(({ territory }) => territory === code)?.value;
    const { index } = this.answer;
    const link = element("a", { href: addressOf(reportPath(code), this.shown) }, this.t("report"));
    this.details.replaceChildren(
      element("h2", { id: "details-title" }, territoryName(code, locale)),
      valueFacts(value, this.shown.measure, this.year, index ? { index } : {}, locale), element("p", {}, link));
  }

  private save(kind: "SVG" | "PNG"): void {
    const { locale } = this.context;
    const { origin } = this.answer;
    this.problem.textContent = "";
    const residents = residentsText(this.values.find(({ value }) => value?.denominator)?.value?.denominator, locale);
    void saveMap(kind, {
      title: this.caption.textContent ?? "", regions: this.painted(), legend: this.entries(smallHatchFill),
      notes: [
        ...notesOf(origin, releaseText(origin, locale)), this.t("boundaries", { boundaries }),
        ...(residents === "" ? [] : [this.t("perResident")]),
      ],
    }).catch(() => { this.problem.textContent = translator(told, locale.language)("notSaved"); });
  }
}
