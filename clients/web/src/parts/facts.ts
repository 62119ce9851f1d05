import { element } from "../shell/element.js";

/** What is known of one thing: terms, and what is said of each. A fact without anything is left out. */
export function facts(rows: ReadonlyArray<readonly [string, Node | string | undefined]>): HTMLElement {
  return element("dl", {}, ...rows.flatMap(([term, said]) => (
    said === undefined || said === "" ? [] : [element("dt", {}, term), element("dd", {}, said)])));
}
