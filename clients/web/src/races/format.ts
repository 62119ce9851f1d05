import type { Course, Place, RaceState, RunnerStatus } from "../api/races_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { words } from "./words.js";

/** What a race's state is called. */
export function raceStateText(state: RaceState | undefined, locale: Locale): string {
  return translator(words, locale.language)(state ?? "RACE_STATE_UNSPECIFIED");
}

/** What a runner's status is called. */
export function runnerStatusText(status: RunnerStatus, locale: Locale): string {
  return translator(words, locale.language)(status);
}

/** A distance along the ground: in metres below one kilometre, else in kilometres. */
export function distanceText(metres: number, locale: Locale): string {
  const isShort = metres < 1000;
  return new Intl.NumberFormat(locale.tag, {
    style: "unit", unit: isShort ? "meter" : "kilometer",
    minimumFractionDigits: isShort ? 0 : 2, maximumFractionDigits: isShort ? 0 : 2,
  }).format(isShort ? Math.round(metres) : metres / 1000);
}

/** A time in a race, as clocks show it: "0:04:05"; with tenths where a finish is meant. */
export function clockText(milliseconds: number, locale: Locale, tenths = false): string {
  const unit = tenths ? 100 : 1000;
  const size = Math.floor(Math.abs(milliseconds) / unit) * unit;
  const part = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = tenths
    ? new Intl.NumberFormat(locale.tag, {
      minimumIntegerDigits: 2, minimumFractionDigits: 1, maximumFractionDigits: 1,
    }).format((size % 60_000) / 1000)
    : part((size % 60_000) / 1000);
  return `${milliseconds <= -unit ? "−" : ""}${Math.floor(size / 3_600_000)}:${part((size % 3_600_000) / 60_000)}:${seconds}`;
}

/** Milliseconds of a duration of the API, such as "21600s". */
export function durationMs(duration: string | undefined): number {
  return Math.round(Number((duration ?? "0s").replace(/s$/, "")) * 1000);
}

/** A stop of a course, with what it is called: the start, its stages, the arrival. */
export interface Stop {
  readonly kind: "start" | "stage" | "finish";
  readonly place: Place;
  readonly distance: number;
  readonly name: string;
}

/** The stops of a course in their order. */
export function stopsOf(course: Course, locale: Locale): Stop[] {
  const t = translator(words, locale.language);
  const stages = (course.stages ?? []).map((stage, index): Stop => {
    const number = t("stage", { number: String(index + 1) });
    const own = stage.place?.name;
    return {
      kind: "stage", place: stage.place ?? {}, distance: toNumber(stage.distanceM), name: own ? `${number}: ${own}` : number,
    };
  });
  const end = (kind: "start" | "finish", word: string, place: Place | undefined, distance: number): Stop => (
    { kind, place: place ?? {}, distance, name: place?.name ? `${word}: ${place.name}` : word });
  return [
    end("start", t("start"), course.start, 0), ...stages,
    end("finish", t("arrival"), course.arrival, toNumber(course.lengthM)),
  ];
}
