import { scaleLinear } from "d3-scale";
import { svg } from "../charts/svg.js";
import type { Locale } from "../language/choice.js";
import { element } from "../shell/element.js";

/** A number with noise in it, and what it is of. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The standard deviation of the noise. */
  readonly error: number;
}

const [width, height] = [640, 260];
const [topMargin, bottomMargin, rightMargin] = [12, 28, 12];
const digitWidth = 8;
/** So many labels have room. */
const mostLabels = 8;

/**
 * Numbers beside each other, each with a line as long as twice the standard deviation of its noise. Its table is the page's
 * to draw.
 * @param from where bars begin: counts begin at nothing, and points have no bar.
 */
export function errorBars(label: string, bars: readonly Bar[], from: "zero" | "points", locale: Locale): HTMLElement {
  const ends = bars.flatMap(({ value, error }) => [value - error, value + error]);
  const least = Math.min(...ends, ...(from === "zero" ? [0] : []));
  const most = Math.max(...ends, ...(from === "zero" ? [0] : []));
  const room = least === most ? 1 : 0;
  const bottom = height - bottomMargin;
  const y = scaleLinear().domain([least - room, most + room]).nice(5).range([bottom, topMargin]);
  const levels = y.ticks(5);
  const number = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 6 });
  const left = Math.max(...levels.map((level) => number.format(level).length), 2) * digitWidth + 12;
  const step = (width - rightMargin - left) / bars.length;
  const image = svg("svg", { role: "img", class: "plot error-bars", viewBox: `0 0 ${width} ${height}`, "aria-label": label });
  for (const level of levels) {
    image.append(
      svg("line", { class: "grid", x1: left, x2: width - rightMargin, y1: y(level), y2: y(level) }),
      svg("text", { x: left - 8, y: y(level) + 4, "text-anchor": "end" }, number.format(level)));
  }
  const every = Math.ceil(bars.length / mostLabels);
  for (const [index, bar] of bars.entries()) {
    const x = left + (index + 0.5) * step;
    if (from === "zero") {
      const [top, end] = [y(Math.max(bar.value, 0)), y(Math.min(bar.value, 0))];
      image.append(svg("rect", { class: "bar", x: x - step * 0.35, y: top, width: step * 0.7, height: Math.max(end - top, 0) }));
    } else {
      image.append(svg("circle", { class: "dot series-0", cx: x, cy: y(bar.value), r: 4 }));
    }
    image.append(whisker(x, y(bar.value + bar.error), y(bar.value - bar.error), Math.min(step * 0.2, 8)));
    if (index % every === 0) image.append(svg("text", { x, y: bottom + 20, "text-anchor": "middle" }, bar.label));
  }
  // Narrow screens scroll it, rather than make its texts too small to read.
  return element("div", { class: "scrolls", role: "group", tabindex: "0", "aria-label": label }, image);
}

function whisker(x: number, top: number, bottom: number, half: number): SVGElement {
  return svg("path", {
    class: "whisker", d: `M${x - half} ${top}H${x + half}M${x} ${top}V${bottom}M${x - half} ${bottom}H${x + half}`,
  });
}
