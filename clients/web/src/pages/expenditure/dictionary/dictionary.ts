import { ExpenditureService } from "../../../api/expenditure_v1.js";
import { closeButton } from "../../../expenditure/close.js";
import { originFooter } from "../../../expenditure/origin.js";
import { afterDrawing, openView } from "../../../expenditure/view_state.js";
import { translator } from "../../../language/words.js";
import { textField } from "../../../parts/field.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { Entry } from "./entry.js";
import { compareCodes, matches } from "./search.js";
import { words } from "./words.js";

/**
 * What every code of expenditure means, in order, to look up (S-UC6): at the voice of the address, where it names one.
 * Administrators edit it here.
 */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, session, signal } = context;
  const t = translator(words, locale.language);
  const state = openView(context, "/expenditure/dictionary");
  const request = state.release === "" ? {} : { release: state.release };
  const canEdit = session?.kind === "administrator";
  // Who edits has to see what was edited a moment ago: no answer that somebody has kept.
  const answer = canEdit
    ? await client.unary(ExpenditureService.getDictionary, request, { signal })
    : await client.read(ExpenditureService.getDictionary, request, { signal });
  const entries = [...answer.entries ?? []]
    .sort((one, other) => compareCodes(one.code ?? "", other.code ?? ""))
    .map((entry) => new Entry(context, entry, canEdit));

  const search = textField({
    name: "search", label: t("search"), hint: t("searchHint"), type: "search", optional: true, autocomplete: "off",
    maxLength: 100,
  }, locale);
  const count = element("p", { role: "status" });
  const show = (): void => {
    let shown = 0;
    for (const entry of entries) {
      const isShown = matches(search.value() ?? "", entry.text);
      entry.node.hidden = !isShown;
      if (isShown) shown++;
    }
    const format = new Intl.NumberFormat(locale.tag);
    count.textContent = t("shown", { shown: format.format(shown), all: format.format(entries.length) });
  };
  search.node.addEventListener("input", show);
  show();
  const wanted = entries.find(({ code }) => code === state.voice);
  if (wanted) afterDrawing(context, () => wanted.focus());
  const list = element("ul", { class: "dictionary", "aria-label": t("title") }, ...entries.map(({ node }) => node));
  return {
    title: t("title"),
    content: [
      closeButton(context, state), element("p", {}, t("intro")),
      element("div", { class: "narrow dictionary-search" }, search.node), count, list,
      originFooter(answer.origin, locale, state),
    ],
  };
}
