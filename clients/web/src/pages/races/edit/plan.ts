import type { PlanRoutesRequest } from "../../../api/races_v1.js";
import { distanceM } from "../../../map/mercator.js";
import type { Place } from "../../../map/mercator.js";

/** The longest course that there may be. */
export const courseMaxM = 50_000;
/** The most stages between start and arrival. */
export const stagesMax = 10;

/** A place of a course, with what people call it. */
export interface NamedPlace extends Place {
  readonly name: string;
}

/** Where a course is to pass. */
export interface WantedCourse {
  readonly start: NamedPlace;
  readonly stages: readonly NamedPlace[];
  /** Undefined where the course comes back to its start. */
  readonly arrival: NamedPlace | undefined;
  readonly laps: number;
}

const number = "[+-]?\\d{1,3}(?:[.,]\\d+)?";
const pair = new RegExp(`^\\s*(${number})\\s*[;,\\s]\\s*(${number})\\s*$`);

/** Latitude and longitude as people write or paste them, such as "45.4642, 9.19"; undefined where it is no such pair. */
export function parsePlace(text: string): Place | undefined {
  const found = pair.exec(text);
  const [latitude, longitude] = [found?.[1], found?.[2]].map((part) => Number((part ?? "?").replace(",", ".")));
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** The same as text that is read again as this place, to a tenth of a metre. */
export function placeText({ latitude, longitude }: Place): string {
  return `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
}

/** Metres of the straight way through all places and laps: no course along streets is shorter. */
export function straightM({ start, stages, arrival, laps }: WantedCourse): number {
  const places: readonly Place[] = [start, ...stages, arrival ?? start];
  let sum = 0;
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    if (before) sum += distanceM(before, place);
  }
  return sum * laps;
}

/** What the server is asked for. */
export function planRequest({ start, stages, arrival, laps }: WantedCourse): PlanRoutesRequest {
  return { start, stages: [...stages], arrival: arrival ?? start, ...(laps > 1 ? { laps } : {}) };
}

/** Which of the places the API's name of a field means: 0 is the start, then the stages, then the arrival. */
export function placeOf(path: string, stageCount: number): number | undefined {
  const [, whole, index] = /^(start|arrival|stages(?:\[(\d+)\])?)(?:$|\.)/.exec(path) ?? [];
  if (whole === "start") return 0;
  if (whole === "arrival") return stageCount + 1;
  return index === undefined ? undefined : Number(index) + 1;
}

/** How many digits behind the point the amounts of a currency have; undefined where it is none. */
export function digitsOf(currency: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
}
