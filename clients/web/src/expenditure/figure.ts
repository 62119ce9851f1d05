import { svg } from "../charts/svg.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { Drawn } from "./bars.js";
import { savePNG, saveSVG } from "./downloads.js";
import { foldedTable, onPaper, paperWidth } from "./reports/paper.js";
import { words } from "./reports/words.js";

export interface FigureOptions {
  /** Unlike that of every other figure of the page. */
  readonly id: string;
  readonly title: string;
  /** What the drawing shows, for those who do not see it. */
  readonly summary: string;
  /** Draws it as wide as there is room. */
  draw(width: number): Drawn;
  /** The numbers of the drawing. */
  readonly table: Node;
  /** Whether the table stands open, because it leads on. */
  readonly isOpen?: boolean;
  /** What a saved drawing says of its source. */
  readonly notes: readonly string[];
  /** Of the page. */
  readonly signal: AbortSignal;
}

/** Before a figure is in a page. */
const usualWidth = 640;

/** A drawing with its heading, its table and what it can be taken away as. */
export function figure(options: FigureOptions, locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const image = svg("svg", { role: "img", class: "plot", "aria-label": options.summary });
  let drawnWidth = 0;
  const draw = (width: number): void => {
    if (width === drawnWidth) return;
    drawnWidth = width;
    const { node, height } = options.draw(width);
    image.setAttribute("viewBox", `0 0 ${width} ${Math.ceil(height)}`);
    image.replaceChildren(node);
  };
  draw(usualWidth);
  const frame = element("div", { class: "figure-drawing" }, image);
  // The frame's width does not depend on the drawing, so drawing changes nothing that is observed.
  const fit = (): void => {
    const width = Math.round(frame.getBoundingClientRect().width);
    if (width > 0) draw(width);
  };
  new ResizeObserver(fit).observe(frame);
  // Nothing is observed while a page is laid out for paper.
  onPaper(options.signal, () => draw(paperWidth), fit);
  const problem = element("p", { class: "problem", role: "alert" });
  const notes = [options.title, ...options.notes];
  const button = (kind: "SVG" | "PNG", act: () => Promise<void> | void): HTMLElement => {
    const made = element("button", { type: "button", "aria-label": t("saveAs", { title: options.title, kind }) }, kind);
    made.addEventListener("click", () => {
      problem.textContent = "";
      Promise.resolve().then(act).catch(() => { problem.textContent = t("notSaved"); });
    });
    return made;
  };
  const table = foldedTable(t("table"), options.table, options.isOpen ?? false, options.signal);
  // Its table is a region by the same name: one is enough.
  return element(
    "div", { class: "figure" },
    element("h2", { id: `${options.id}-title` }, options.title), frame, table,
    element("div", { class: "buttons" },
      button("SVG", () => saveSVG(image, options.title, notes)),
      button("PNG", () => savePNG(image, options.title, notes))),
    problem);
}
