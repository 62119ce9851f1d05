import { ExpenditureService } from "../../../api/expenditure_v1.js";
import { closeButton } from "../../../expenditure/close.js";
import { boundaries, extentText, originFooter } from "../../../expenditure/origin.js";
import { openView } from "../../../expenditure/view_state.js";
import { translator } from "../../../language/words.js";
import { facts } from "../../../parts/facts.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { words } from "./words.js";

/** Who makes this, where the figures come from, and what they are and are not (S-UC7). */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const state = openView(context, "/expenditure/about");
  const request = state.release === "" ? {} : { release: state.release };
  const answer = await client.read(ExpenditureService.listVoices, request, { signal });
  const section = (title: keyof typeof words, ...texts: ReadonlyArray<keyof typeof words>): Node[] => (
    [element("h2", {}, t(title)), ...texts.map((text) => element("p", {}, t(text)))]);
  return {
    title: t("title"),
    content: [
      closeButton(context, state),
      element(
        "div", { class: "prose" }, element("p", {}, t("what")),
        ...section("real"), element("p", {}, extentText(answer, locale)), element("p", {}, t("realText")),
        ...section("bodies", "bodiesText"), ...section("measures", "measuresText", "missingText"),
        ...section("prices", "pricesText"), ...section("checks", "checksText"), ...section("patients", "patientsText"),
        ...section("source"), originFooter(answer.origin, locale, undefined),
        element("p", {}, t("map"), ` ${boundaries}`),
        ...section("team", "teamText"), facts([[t("api"), "trackme.expenditure.v1"], [t("pages"), version()]]),
        element("p", {}, element("a", { href: "/licences.txt" }, t("licences")))),
    ],
  };
}

/** What tells one version of the pages from another: it stands in the name of their script. */
function version(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>("script[type=module]");
  return script ? /-(\w+)\.js$/.exec(script.src)?.[1] : undefined;
}
