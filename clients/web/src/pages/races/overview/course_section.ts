import type { Race } from "../../../api/races_v1.js";
import { toNumber } from "../../../json/scalars.js";
import { translator } from "../../../language/words.js";
import { MapView } from "../../../map/map_view.js";
import { Table } from "../../../parts/table.js";
import { mapCourse } from "../../../races/course_path.js";
import { distanceText, stopsOf } from "../../../races/format.js";
import type { Stop } from "../../../races/format.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { words } from "./words.js";

/** The course on a map, and its stops as a table. */
export function courseSection(race: Race, context: PageContext): Node[] {
  const { locale } = context;
  const { course } = race;
  if (!course?.latitudes?.length) return [];
  const t = translator(words, locale.language);
  const degrees = new Intl.NumberFormat(locale.tag, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
  const map = new MapView(context, { label: t("map"), alternative: t("mapTable") });
  map.setCourse(mapCourse(course, locale));
  const table = new Table<Stop>([
    { head: t("stop"), cell: ({ name }) => name },
    { head: t("distance"), isValue: true, cell: ({ distance }) => distanceText(distance, locale) },
    {
      head: t("position"),
      cell: ({ place }) => `${degrees.format(toNumber(place.latitude))}; ${degrees.format(toNumber(place.longitude))}`,
    },
  ], { caption: t("stops") }, locale);
  table.draw(stopsOf(course, locale));
  const notes = [
    ...(course.source === "COURSE_SOURCE_STRAIGHT" ? [t("straight")] : []), ...(course.attribution ? [course.attribution] : []),
  ];
  return [
    element("h2", {}, t("course")), map.node, table.node,
    ...notes.map((note) => element("p", { class: "hint" }, note)),
  ];
}
