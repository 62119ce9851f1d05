import { browser } from "../connect/surroundings.js";
import { browserTabs } from "../notifications/tabs.js";
import { App } from "./app.js";

/** The places of index.html. */
function place(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no ${id}`);
  return found;
}

new App(
  { skip: place("skip"), header: place("header"), main: place("main"), footer: place("footer"), live: place("live") },
  browser, browserTabs,
).start();
