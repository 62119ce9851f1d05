import type { MapMarker, MarkerKind } from "../../../map/markers.js";
import type { CoursePath } from "../../../races/course_path.js";
import type { Runner } from "../../../races/standing.js";
import { isStale } from "./board_row.js";
import type { RowView } from "./board_row.js";

/** The markers of all who have one, where they are on the course. */
export function markersOf(rows: readonly Runner[], path: CoursePath, view: RowView): MapMarker[] {
  const markers: MapMarker[] = [];
  for (const row of rows) {
    if (row.marker === undefined) continue;
    const { latitude, longitude } = path.at(row.marker);
    const number = String(row.number);
    const marker = { id: number, label: number, kind: kindOf(row, view.now), latitude, longitude };
    const isHighlighted = row.number === view.followed || row.number === view.mine;
    markers.push(isHighlighted ? { ...marker, isHighlighted, accuracyM: 2 * row.uncertainty } : marker);
  }
  return markers;
}

function kindOf(row: Runner, now: number): MarkerKind {
  if (row.isGrey || row.status === "RUNNER_STATUS_RETIRED") return "out";
  if (row.status === "RUNNER_STATUS_FINISHED") return "finished";
  return isStale(row, now) || row.status === "RUNNER_STATUS_OFF_COURSE" ? "stale" : "runner";
}
