import type { Measure, View } from "../api/expenditure_v1.js";
import { languages } from "../language/words.js";
import type { Language } from "../language/words.js";
import { classMethods } from "./classes.js";
import type { ClassMethod } from "./classes.js";

// The addresses of the pages of expenditure: each has all that is needed to see the same again.

/** What a measure is called in an address. */
const measureNames = {
  MEASURE_EUROS: "euros", MEASURE_PER_RESIDENT: "resident", MEASURE_SHARE: "share", MEASURE_CHANGE: "change",
} as const;
/** A measure that can be shown. */
export type ShownMeasure = keyof typeof measureNames;
/** Every measure, in the order in which they are offered. */
export const measures = Object.keys(measureNames) as readonly ShownMeasure[];

/** The code of the total costs of production, which an address leaves out. */
export const totalVoice = "BZ9999";

/** How many classes there may be. */
export const classCounts = [3, 4, 5, 6, 7] as const;

/** What a page of expenditure shows. */
export interface ViewState {
  /** Number of the release; "" is the newest published one. */
  readonly release: string;
  /** Year of the account; 0 is the newest that has the voice. */
  readonly year: number;
  /** Code of the voice; "" is the total costs of production. */
  readonly voice: string;
  readonly measure: ShownMeasure;
  /** The year whose prices amounts are in; 0 is current prices. */
  readonly pricesOf: number;
  /** Codes of territories: those that are compared, or picked out. */
  readonly regions: readonly string[];
  readonly method: ClassMethod;
  readonly classes: number;
  /** Of the page, so that the address brings it back; undefined where it was not said. */
  readonly language: Language | undefined;
}

/** What is shown where an address says nothing: per resident, for regions are not equally large. */
export const firstView: ViewState = {
  release: "", year: 0, voice: "", measure: "MEASURE_PER_RESIDENT", pricesOf: 0, regions: [], method: "quantiles",
  classes: 5, language: undefined,
};

/** The most territories that an address has. */
const regionsMost = 22;

/** Reads the query of an address. What it says wrongly is as if it said nothing: whoever typed it sees a page. */
export function parseView(query: URLSearchParams): ViewState {
  const text = (name: string, pattern: RegExp): string => pattern.exec(query.get(name) ?? "")?.[0] ?? "";
  const year = (name: string): number => Number(text(name, /^(19|20)\d\d$/) || 0);
  const measure = measures.find((one) => measureNames[one] === query.get("measure"));
  const [method, count] = (query.get("classes") ?? "").split("-");
  const regions = (query.get("regions") ?? "").split(",").filter((code) => /^(IT|\d{3})$/.test(code));
  return {
    release: text("release", /^[1-9]\d{0,17}$/), year: year("year"), voice: text("voice", /^[A-Z]{2}[A-Z0-9]{2,8}$/),
    measure: measure ?? firstView.measure, pricesOf: year("prices"),
    regions: [...new Set(regions)].slice(0, regionsMost),
    method: classMethods.find((one) => one === method) ?? firstView.method,
    classes: classCounts.find((one) => String(one) === count) ?? firstView.classes,
    language: languages.find((one) => one === query.get("lang")),
  };
}

/** The address of a page, such as "/expenditure/010", that shows this. What is shown at first is left out. */
export function addressOf(path: string, state: ViewState): string {
  const query: string[] = [];
  const say = (name: string, value: string | number): void => {
    if (value !== "" && value !== 0) query.push(`${name}=${value}`);
  };
  say("voice", state.voice);
  say("year", state.year);
  if (state.measure !== firstView.measure) say("measure", measureNames[state.measure]);
  say("prices", state.pricesOf);
  say("regions", state.regions.join(","));
  if (state.method !== firstView.method || state.classes !== firstView.classes) {
    say("classes", `${state.method}-${state.classes}`);
  }
  say("release", state.release);
  say("lang", state.language ?? "");
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** What is asked of the server for it: what the address leaves open stays open. */
export function requestedView(state: ViewState): View {
  return {
    ...(state.release === "" ? {} : { release: state.release }), ...(state.year === 0 ? {} : { year: state.year }),
    ...(state.voice === "" ? {} : { voice: state.voice }), measure: state.measure,
    ...(state.pricesOf === 0 ? {} : { pricesOf: state.pricesOf }),
  };
}

/** The measure that an answer says it shows. */
export function shownMeasure(measure: Measure | undefined): ShownMeasure {
  return measures.find((one) => one === measure) ?? "MEASURE_EUROS";
}

/** The page of a territory. */
export function reportPath(territory: string): string {
  return `/expenditure/${encodeURIComponent(territory)}`;
}

/** The page of a voice of a territory. */
export function voicePath(territory: string, voice: string): string {
  return `${reportPath(territory)}/${encodeURIComponent(voice)}`;
}
