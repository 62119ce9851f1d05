import type { PageContext } from "../../shell/page.js";
import { afterDrawing } from "../view_state.js";

/** The charts that somebody has left by one of their links, and that link: who comes back finds it again. */
let left: { readonly address: string; readonly id: string } | undefined;

/** Remembers, when a link of the page at an address is followed, that it was this one. */
export function remember<Link extends HTMLElement>(link: Link, id: string, address: string): Link {
  link.id = id;
  link.addEventListener("click", () => { left = { address, id }; });
  return link;
}

/** Puts the focus where it was when the page at this address was left for a detail (S-UC3); otherwise it stays. */
export function focusPicked(context: PageContext, address: string): void {
  if (left?.address !== address) return;
  const { id } = left;
  left = undefined;
  afterDrawing(context, () => document.getElementById(id)?.focus());
}

/** The address of the charts that somebody has left for a detail, if it is a view of the page at a path. */
export function leftCharts(path: string): string | undefined {
  return left && left.address.split("?")[0] === path ? left.address : undefined;
}
