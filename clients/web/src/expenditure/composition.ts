import type { Part } from "../api/expenditure_v1.js";
import { svg } from "../charts/svg.js";
import { wrapped } from "./bars.js";
import type { Drawn } from "./bars.js";
import { mostSlices, pieOf } from "./pie.js";
import { numberOf } from "./reports/say.js";

/** A part of a pie. */
export interface PiePart {
  readonly label: string;
  /** What is written beside the label. */
  readonly text: string;
  readonly value: number;
}

const letterWidth = 8;
const lineHeight = 17;
const gap = 10;

/** Whether a pie of these parts is true: two to six of them, each with a number above zero. */
export function isPie(parts: readonly Part[]): boolean {
  return parts.length >= 2 && parts.length <= mostSlices && parts.every(({ value }) => (numberOf(value) ?? 0) > 0);
}

/** The part with the greatest value. */
export function largestPart(parts: readonly Part[]): Part | undefined {
  let found: Part | undefined;
  for (const part of parts) {
    const number = numberOf(part.value);
    if (number !== undefined && number > (numberOf(found?.value) ?? -Infinity)) found = part;
  }
  return found;
}

/** A pie with its numbered parts beside it, or below it where there is no room. */
export function drawPie(parts: readonly PiePart[], width: number): Drawn {
  const radius = Math.min(120, width / 2 - 2);
  const isBeside = width >= 4 * radius;
  const node = svg("g");
  const centre = { x: radius + 1, y: radius + 1 };
  const slices = pieOf(parts.map(({ label, value }) => ({ key: label, value })), centre, radius) ?? [];
  const left = isBeside ? 2 * radius + 32 : 0;
  let top = isBeside ? 8 : 2 * radius + 16;
  for (const [index, { path, middle, share }] of slices.entries()) {
    node.append(svg("path", { class: `slice fill-${index}`, d: path }));
    // Colour is not the only sign: slices have numbers, as far as they have room for one.
    if (share > 0.04) {
      node.append(svg(
        "text", { class: "slice-number", x: middle.x, y: middle.y + 5, "text-anchor": "middle" }, String(index + 1)));
    }
  }
  for (const [index, { label, text }] of parts.entries()) {
    const lines = wrapped(`${index + 1}. ${label}: ${text}`, Math.floor((width - left - 24) / letterWidth));
    node.append(svg("rect", { class: `fill-${index}`, x: left, y: top, width: 14, height: 14 }));
    for (const [place, line] of lines.entries()) {
      node.append(svg("text", { x: left + 22, y: top + 12 + place * lineHeight }, line));
    }
    top += Math.max(lines.length, 1) * lineHeight + gap;
  }
  return { node, height: Math.max(top, 2 * radius + 2) };
}
