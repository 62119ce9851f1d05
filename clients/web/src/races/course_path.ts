import type { Course } from "../api/races_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import type { MapCourse } from "../map/course.js";
import { distanceM } from "../map/mercator.js";
import type { Place } from "../map/mercator.js";
import { stopsOf } from "./format.js";
import { words } from "./words.js";

/** A course as the map draws it. */
export function mapCourse(course: Course, locale: Locale): MapCourse {
  const t = translator(words, locale.language);
  const longitudes = course.longitudes ?? [];
  return {
    line: (course.latitudes ?? []).map((latitude, index) => (
      { latitude: toNumber(latitude), longitude: toNumber(longitudes[index]) })),
    stops: stopsOf(course, locale).map(({ kind, place }, index) => ({
      kind, latitude: toNumber(place.latitude), longitude: toNumber(place.longitude),
      label: kind === "start" ? t("start") : kind === "finish" ? t("arrival") : stageLabel(place.name, index),
    })),
  };
}

/** The name of a stage, where it is short; else its number. Runners have numbers too. */
function stageLabel(name: string | undefined, index: number): string {
  return name && name.length <= 20 ? name : `${index}.`;
}

/** Where on the ground each metre of a course is. */
export class CoursePath {
  /** Metres from the start of each point, by the server's length of the whole. */
  private readonly distances: Float64Array;

  constructor(private readonly line: readonly Place[], lengthM: number) {
    this.distances = new Float64Array(line.length);
    for (const [index, place] of line.entries()) {
      const before = line[index - 1];
      if (before) this.distances[index] = (this.distances[index - 1] ?? 0) + distanceM(before, place);
    }
    const own = this.distances[line.length - 1] ?? 0;
    if (own > 0 && lengthM > 0) for (const index of line.keys()) this.distances[index] *= lengthM / own;
  }

  /** The place so many metres from the start; that of the nearer end where there is none. */
  at(metres: number): Place {
    let [low, high] = [0, Math.max(this.line.length - 1, 0)];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.distances[middle] ?? 0) <= metres) low = middle;
      else high = middle;
    }
    const [from, to] = [this.line[low], this.line[high]];
    if (!from || !to) return { latitude: 0, longitude: 0 };
    const [begin, end] = [this.distances[low] ?? 0, this.distances[high] ?? 0];
    const part = end > begin ? Math.min(Math.max((metres - begin) / (end - begin), 0), 1) : 0;
    return {
      latitude: from.latitude + part * (to.latitude - from.latitude),
      longitude: from.longitude + part * (to.longitude - from.longitude),
    };
  }
}
