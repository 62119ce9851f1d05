import type { Territory, Voice } from "../../api/expenditure_v1.js";
import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { addressOf, reportPath } from "../address.js";
import type { ViewState } from "../address.js";
import { territoryName, voiceName } from "./say.js";
import { words } from "./words.js";

/** The way back up: map, territory (of a body: its region too), and the voices above the one that is shown. */
export function breadcrumb(
  context: PageContext, territory: Territory | undefined, above: readonly Voice[], voice: Voice | undefined,
  state: ViewState,
): HTMLElement {
  const { locale } = context;
  const t = translator(words, locale.language);
  const code = territory?.code ?? "";
  const link = (address: string, child: Node | string): HTMLElement => (
    element("li", {}, element("a", { href: address }, child)));
  const top = { ...state, voice: "" };
  const steps = [link(addressOf("/expenditure", state), t("map"))];
  if (code.length === 6) {
    const region = code.slice(0, 3);
    steps.push(link(addressOf(reportPath(region), top), territoryName(region, locale)));
  }
  steps.push(link(addressOf(reportPath(code), top), territoryName(code, locale, territory)));
  for (const one of above) {
    steps.push(link(addressOf(reportPath(code), { ...state, voice: one.code ?? "" }), voiceName(one)));
  }
  return element(
    "nav", { class: "breadcrumb", "aria-label": t("where") },
    element("ol", {}, ...steps, element("li", { "aria-current": "page" }, voiceName(voice))));
}
