import { svg } from "../../../charts/svg.js";
import { wrapped } from "../../../expenditure/bars.js";
import { savePNG, saveSVG } from "../../../expenditure/downloads.js";
import type { LegendEntry } from "../../../expenditure/legend.js";
import { hatchFill } from "../../../expenditure/map_view.js";
import type { Painted } from "../../../expenditure/map_view.js";
import { italyBox, shapes } from "../../../expenditure/shapes.js";
import { element } from "../../../shell/element.js";

/** What a picture of the map has on it. */
export interface MapPicture {
  readonly title: string;
  readonly regions: ReadonlyMap<string, Painted>;
  readonly legend: readonly LegendEntry[];
  /** Source, licence, release. */
  readonly notes: readonly string[];
}

const mapWidth = 600;
const legendWidth = 340;
const rowHeight = 28;
const lineHeight = 17;
const textLeft = 38;
/** As many pixels as a letter of 14 px takes, or a little more. */
const letterWidth = 7.8;

/** All of Italy with its legend, as large as it is on paper, however far the map on the page is zoomed in. */
function draw({ regions, legend }: MapPicture): SVGSVGElement {
  const scale = mapWidth / italyBox.width;
  const height = Math.ceil(italyBox.height * scale);
  const fillOf = (fill: string): string => (fill === "" || fill.startsWith("url(") ? "url(#hatch-file)" : fill);
  const paths = shapes.map(({ code, path }) => svg("path", {
    class: "region-file", d: path, fill: fillOf(regions.get(code)?.fill ?? hatchFill), "stroke-width": 1 / scale,
  }));
  const left = mapWidth + 24;
  let top = 24;
  const rows = legend.map(({ fill, text, count }) => {
    const row = svg(
      "g", { transform: `translate(${left} ${top})` },
      svg("rect", { class: "region-file", width: 28, height: 18, fill: fillOf(fill), "stroke-width": 1 }));
    const letters = Math.floor((mapWidth + legendWidth - left - textLeft) / letterWidth);
    const lines = wrapped(`${text} (${count})`, letters, Infinity);
    for (const [index, line] of lines.entries()) {
      row.append(svg("text", { class: "legend-file", x: textLeft, y: 14 + index * lineHeight, "font-size": 14 }, line));
    }
    top += rowHeight + (lines.length - 1) * lineHeight;
    return row;
  });
  return svg(
    "svg", { viewBox: `0 0 ${mapWidth + legendWidth} ${height}` },
    svg("defs", {}, svg(
      "pattern",
      { id: "hatch-file", patternUnits: "userSpaceOnUse", width: 7, height: 7, patternTransform: "rotate(45)" },
      svg("rect", { class: "hatch-line", width: 2.5, height: 7 }))),
    svg("g", { transform: `scale(${scale})` }, ...paths), ...rows);
}

/** Saves the map as a file that is made in the browser. */
export async function saveMap(kind: "SVG" | "PNG", picture: MapPicture): Promise<void> {
  const image = draw(picture);
  // Colours come out of the style sheet, which counts for what is in the page.
  const place = element("div", { class: "unseen", "aria-hidden": "true" });
  place.append(image);
  document.body.append(place);
  try {
    const notes = [picture.title, ...picture.notes];
    if (kind === "SVG") saveSVG(image, picture.title, notes);
    else await savePNG(image, picture.title, notes);
  } finally {
    place.remove();
  }
}
