import { languages, translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { accessibilityFacts } from "../../shell/site.js";
import type { Accessibility } from "../../shell/site.js";
import { words } from "./words.js";

/** How accessible the pages are, by whoever runs the server, or by their makers; and where to tell of what is not. */
export async function open(context: PageContext): Promise<Page> {
  const { language } = context.locale;
  const t = translator(words, language);
  const facts = await accessibilityFacts(context.client, context.signal);
  return {
    title: t("title"),
    content: [...(configured(facts, language) ?? builtIn(language)), ...feedback(facts, language)],
  };
}

/** The statement in the language of the page, or else in the one that there is. */
function configured({ statements }: Accessibility, language: Language): Node[] | undefined {
  const found = [language, ...languages].find((one) => statements[one] !== undefined);
  const statement = found && statements[found];
  if (!found || !statement) return undefined;
  if ("address" in statement) {
    const text = translator(words, language)("elsewhere");
    return [element("p", {}, element("a", { href: statement.address, hreflang: found }, text))];
  }
  return [element("div", { lang: found }, ...paragraphs(statement.text))];
}

/** A text as paragraphs, which empty lines part; "# " begins a heading. */
function paragraphs(text: string): HTMLElement[] {
  return text.split(/\r?\n(?:[ \t]*\r?\n)+/).map((part) => part.trim()).filter((part) => part !== "").map((part) => (
    part.startsWith("# ") ? element("h2", {}, part.slice(2).trim()) : element("p", {}, part)));
}

function builtIn(language: Language): Node[] {
  const t = translator(words, language);
  return [
    element("p", {}, t("ownWord")),
    element("h2", {}, t("aim")), element("p", {}, t("aimText")),
    element("h2", {}, t("measured")),
    element(
      "ul", {}, element("li", {}, t("measuredAxe")), element("li", {}, t("measuredKeyboard")),
      element("li", {}, t("measuredNarrow"))),
    element("h2", {}, t("missing")), element("p", {}, t("missingText")),
  ];
}

function feedback({ feedback: address }: Accessibility, language: Language): Node[] {
  const t = translator(words, language);
  const heading = element("h2", {}, t("feedback"));
  if (address === undefined) return [heading, element("p", {}, t("noFeedback"))];
  const mail = /^mailto:(.+)$/.exec(address)?.[1];
  return [heading, element("p", {}, t("feedbackText"), " ", element("a", { href: address }, mail ?? t("feedbackPage")))];
}
