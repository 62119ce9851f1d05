import { element } from "../../shell/element.js";

/** How wide a drawing is on A4, in pixels: 180 mm. */
export const paperWidth = 680;

/** Does something before the page goes on paper, and something else when it is back on the screen. */
export function onPaper(signal: AbortSignal, before: () => void, after: () => void): void {
  addEventListener("beforeprint", before, { signal });
  addEventListener("afterprint", after, { signal });
}

/** A table that is opened by its summary. On paper, where nothing can be opened, it stands open. */
export function foldedTable(summary: string, table: Node, isOpen: boolean, signal: AbortSignal): HTMLElement {
  const made = element("details", { class: "figure-table" }, element("summary", {}, summary), table);
  made.open = isOpen;
  let wasOpen = isOpen;
  onPaper(signal, () => {
    wasOpen = made.open;
    made.open = true;
  }, () => { made.open = wasOpen; });
  return made;
}
