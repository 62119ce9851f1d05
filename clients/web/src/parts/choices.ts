import { element } from "../shell/element.js";

/** One of several views of a page. */
export interface View {
  readonly label: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/**
 * Links to other views of the page, each an address of its own, with the one that is shown marked as current.
 * @param path of the page.
 * @param query of the page as it is shown.
 */
export function choices(label: string, views: readonly View[], path: string, query: URLSearchParams): HTMLElement {
  const shown = addressOf(path, query, {});
  const links = views.map((view) => {
    const address = addressOf(path, query, view.query);
    return element(
      "li", {}, element("a", { href: address, ...(address === shown ? { "aria-current": "true" } : {}) }, view.label));
  });
  return element("nav", { class: "choices", "aria-label": label }, element("ul", {}, ...links));
}

/** The page's address with parts of its query changed; undefined leaves a part out. */
export function addressOf(
  path: string, query: URLSearchParams, changes: Readonly<Record<string, string | undefined>>,
): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  changed.sort();
  const text = changed.toString();
  return text === "" ? path : `${path}?${text}`;
}
