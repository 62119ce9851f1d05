type Child = Node | string;

/**
 * An element with its attributes and what is in it. Texts stay texts: nothing here reads HTML, so nothing that anybody
 * has typed can become part of the page.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Readonly<Record<string, string>> = {}, ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
