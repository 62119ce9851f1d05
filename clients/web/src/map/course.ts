import { worldX, worldY } from "./mercator.js";
import type { Place, View } from "./mercator.js";

/** "place": one that is no stop of a course, such as where a group meets. */
export type StopKind = "start" | "stage" | "finish" | "place";

/** Where a course begins, passes or ends. */
export interface MapStop extends Place {
  readonly kind: StopKind;
  /** What stands beside it: "Start", "3". */
  readonly label: string;
  readonly isSelected?: boolean;
}

/** Where a race goes. */
export interface MapCourse {
  /** The line in its order; may be empty. */
  readonly line: readonly Place[];
  readonly stops: readonly MapStop[];
  /** A line that is not settled is drawn with gaps. */
  readonly isTentative?: boolean;
}

export const noCourse: MapCourse = { line: [], stops: [] };

/** A course, ready to be drawn again and again, and its stops to be found. */
export class DrawnCourse {
  /** x and y in the world of each point of the line. */
  readonly line: Float64Array;

  constructor(readonly course: MapCourse) {
    this.line = new Float64Array(2 * course.line.length);
    for (const [index, { latitude, longitude }] of course.line.entries()) {
      this.line[2 * index] = worldX(longitude);
      this.line[2 * index + 1] = worldY(latitude);
    }
  }

  /** Every place of it. */
  get places(): readonly Place[] {
    return [...this.course.line, ...this.course.stops];
  }

  /** The index of the stop nearest to a point of the view, at most `reach` pixels away. Of several, the last. */
  stopAt(view: View, x: number, y: number, reach: number): number | undefined {
    let found: number | undefined;
    let least = reach;
    for (const [index, stop] of this.course.stops.entries()) {
      const distance = Math.hypot(
        worldX(stop.longitude) * view.world - view.left - x, worldY(stop.latitude) * view.world - view.top - y);
      if (distance > least) continue;
      least = distance;
      found = index;
    }
    return found;
  }
}
