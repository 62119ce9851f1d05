/** An element of SVG with its attributes and what is in it; texts stay texts. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name, attributes: Readonly<Record<string, string | number>> = {}, ...children: ReadonlyArray<Node | string>
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}
