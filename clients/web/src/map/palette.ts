const names = [
  "land", "border", "road", "street", "path", "casing", "course", "runner", "stale", "finished", "out", "highlight",
  "edge", "text",
] as const;

/** The colours of a map, which map.css gives for light and for dark. */
export type Palette = Readonly<Record<typeof names[number], string>>;

/** Reads them as they are for an element now. */
export function readPalette(node: HTMLElement): Palette {
  const style = getComputedStyle(node);
  return Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--map-${name}`).trim()])) as Record<typeof names[number], string>;
}
