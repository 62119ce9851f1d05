import { svg } from "../charts/svg.js";
import type { Drawn } from "./bars.js";
import { columnsOf } from "./histogram.js";
import type { Histogram } from "./histogram.js";

const topMargin = 22;
const bottomMargin = 44;
const height = 240;
const letterWidth = 8;

/**
 * Upright bars without gaps, as long as there are values in their ranges. The own one is marked by a sign too.
 * @param say writes a limit of a range.
 */
export function drawHistogram(histogram: Histogram, width: number, say: (value: number) => string): Drawn {
  const node = svg("g");
  const { bins } = histogram;
  const bottom = height - bottomMargin;
  const step = width / bins.length;
  const columns = columnsOf(histogram, { x: 0, y: topMargin, width, height: bottom - topMargin });
  const limits = [...bins.map(({ from }) => from), ...bins.slice(-1).map(({ to }) => to)];
  for (const [index, { codes, isOwn }] of bins.entries()) {
    const box = columns[index];
    if (!box) continue;
    node.append(
      svg("rect", { class: `bin ${isOwn ? "fill-1" : "fill-0"}`, ...box }),
      svg(
        "text", { x: (index + 0.5) * step, y: box.y - 5, "text-anchor": "middle" },
        `${isOwn ? "▲ " : ""}${codes.length}`));
  }
  node.append(svg("line", { class: "base", x1: 0, x2: width, y1: bottom, y2: bottom }));
  // Limits that would run into each other are left out; the table has all of them.
  let free = -Infinity;
  for (const [index, limit] of limits.entries()) {
    const text = say(limit);
    const half = (text.length * letterWidth) / 2;
    const x = Math.min(Math.max(index * step, half), width - half);
    if (x - half < free) continue;
    free = x + half + 8;
    node.append(
      svg("line", { class: "grid", x1: index * step, x2: index * step, y1: bottom, y2: bottom + 6 }),
      svg("text", { x, y: bottom + 22, "text-anchor": "middle" }, text));
  }
  return { node, height };
}
