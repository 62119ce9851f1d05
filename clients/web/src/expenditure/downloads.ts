// Charts as files, made in the browser: what the page shows, with its colours written into the drawing.

import { wrapped } from "./bars.js";

/** What a drawing takes from the style sheet. */
const inherited = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-size",
  "font-family", "font-weight", "font-style", "text-anchor",
] as const;

/** As many pixels of the image as one of the page has. */
const imageScale = 2;
const margin = 16;
const lineHeight = 18;
/** As many pixels as a letter of 12 px takes, or a little more. */
const letterWidth = 6.8;

/** The name of a chart's file, of letters that every system takes. */
export function fileName(title: string, ending: string): string {
  const plain = title.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 80);
  return `${name === "" ? "chart" : name}.${ending}`;
}

/** Notes in lines that a drawing of this width has room for: nothing of a source or a licence is cut off. */
export function noteLines(notes: readonly string[], width: number): string[] {
  return notes.flatMap((note) => wrapped(note, Math.floor(width / letterWidth), Infinity));
}

/**
 * The drawing as text of SVG that needs no style sheet.
 * @param notes below it: title, source, licence, release.
 */
export function svgText(
  image: SVGSVGElement, notes: readonly string[],
): { text: string; width: number; height: number } {
  const [, , width = 640, height = 320] = (image.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const copy = image.cloneNode(true) as SVGSVGElement;
  const originals = [image, ...image.querySelectorAll("*")];
  for (const [index, made] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const original = originals[index];
    if (!original) continue;
    const style = getComputedStyle(original);
    for (const name of inherited) made.setAttribute(name, style.getPropertyValue(name));
    made.removeAttribute("class");
  }
  const page = getComputedStyle(document.body);
  const lines = noteLines(notes, width);
  const whole = { width: width + 2 * margin, height: height + 2 * margin + lines.length * lineHeight };
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `${-margin} ${-margin} ${whole.width} ${whole.height}`);
  copy.setAttribute("width", String(whole.width));
  copy.setAttribute("height", String(whole.height));
  const add = (name: string, attributes: Readonly<Record<string, string | number>>, text?: string): Element => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    if (text !== undefined) made.append(text);
    return made;
  };
  copy.prepend(add("rect", { x: -margin, y: -margin, ...whole, fill: page.backgroundColor }));
  for (const [index, line] of lines.entries()) {
    copy.append(add("text", {
      x: 0, y: height + margin + index * lineHeight + 4, fill: page.color, "font-size": "12px",
      "font-family": page.fontFamily,
    }, line));
  }
  return { text: new XMLSerializer().serializeToString(copy), ...whole };
}

/** Saves the drawing as SVG. */
export function saveSVG(image: SVGSVGElement, title: string, notes: readonly string[]): void {
  save(new Blob([svgText(image, notes).text], { type: "image/svg+xml" }), fileName(title, "svg"));
}

/**
 * Saves the drawing as an image of points.
 * @throws Error where the browser cannot draw it.
 */
export async function savePNG(image: SVGSVGElement, title: string, notes: readonly string[]): Promise<void> {
  const { text, width, height } = svgText(image, notes);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const drawn = new Image();
    drawn.src = address;
    await drawn.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * imageScale;
    canvas.height = height * imageScale;
    const plane = canvas.getContext("2d");
    if (!plane) throw new Error("there is no canvas");
    plane.drawImage(drawn, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the image was not written");
    save(blob, fileName(title, "png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // A browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
