import { svg } from "../charts/svg.js";
import { barsOf } from "./pie.js";

/** One bar of a row. */
export interface BarValue {
  /** Undefined where there is no number: then its text says why. */
  readonly value: number | undefined;
  readonly text: string;
  /** Which of the colours and patterns it has, from 0. */
  readonly series: number;
}

/** What is drawn below one label. */
export interface BarRow {
  readonly label: string;
  readonly bars: readonly BarValue[];
  /** Called when the row is picked with a pointer; the table beside the chart has the same as a link. */
  readonly pick?: () => void;
}

/** A drawing of its own height. */
export interface Drawn {
  readonly node: SVGGElement;
  readonly height: number;
}

/** As many pixels as a letter of 13 px takes, or a little more. */
const letterWidth = 8;
const lineHeight = 17;
const barHeight = 18;
const barGap = 3;
const rowGap = 14;

/** A text in lines of at most so many letters, and at most so many of them. What does not fit ends with "…". */
export function wrapped(text: string, most: number, mostLines = 3): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const fitting = lines.map((line) => (line.length > most ? `${line.slice(0, Math.max(most - 1, 1))}…` : line));
  if (fitting.length <= mostLines) return fitting;
  const last = fitting[mostLines - 1] ?? "";
  return [...fitting.slice(0, mostLines - 1), `${last.slice(0, Math.max(most - 1, 1))}…`];
}

/**
 * Horizontal bars below their labels, all on one scale from nothing; negative ones reach to the left. Texts stand beside
 * their bars, or all of them above where one has no room there.
 * @param width of the drawing in pixels.
 */
export function drawBars(rows: readonly BarRow[], width: number): Drawn {
  const longest = Math.max(0, ...rows.flatMap(({ bars }) => bars.map(({ text }) => text.length))) * letterWidth + 10;
  const isBeside = longest <= width / 2;
  const room = isBeside ? longest : 2;
  const all = rows.flatMap(({ bars }) => bars.map(({ value }) => ({ key: "", value: value ?? 0 })));
  const { bars: places, zero } = barsOf(all, { x: 0, y: 0, width: width - room, height: 0 });
  const node = svg("g");
  let top = 0, index = 0;
  for (const row of rows) {
    const group = svg("g", row.pick ? { class: "picked-row" } : {});
    const above = (text: string, name: string): void => {
      for (const line of wrapped(text, Math.floor(width / letterWidth))) {
        top += lineHeight;
        group.append(svg("text", { x: 0, y: top - 4, class: name }, line));
      }
    };
    above(row.label, "bar-label");
    for (const bar of row.bars) {
      const { x = zero, width: length = 0 } = places[index++]?.box ?? {};
      const name = bar.value === undefined ? "bar-missing" : "bar-text";
      if (isBeside) group.append(svg("text", { x: x + length + 6, y: top + barHeight - 5, class: name }, bar.text));
      else above(bar.text, name);
      if (bar.value !== undefined) {
        group.append(svg("rect", {
          class: `length fill-${bar.series % 5}`, x, y: top, height: barHeight, width: Math.max(length, 1),
        }));
      }
      if (isBeside || bar.value !== undefined) top += barHeight + barGap;
    }
    if (row.pick) group.addEventListener("click", row.pick);
    node.append(group);
    top += rowGap;
  }
  node.prepend(svg("line", { class: "base", x1: zero, x2: zero, y1: 0, y2: Math.max(top - rowGap, 0) }));
  return { node, height: Math.max(top - rowGap, 1) };
}
