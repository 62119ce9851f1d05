import { ExpenditureService } from "../../../api/expenditure_v1.js";
import type { Release } from "../../../api/expenditure_v1.js";
import { translator } from "../../../language/words.js";
import { DoneLine } from "../../../parts/done.js";
import { facts } from "../../../parts/facts.js";
import { pagesOf } from "../../../parts/pages_of.js";
import { dateOf, time } from "../../../parts/time.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { adminNavigation } from "../../admin/navigation.js";
import { contentsOf, isBlocked } from "./contents.js";
import { ImportForm } from "./import_form.js";
import { publishForm } from "./publish.js";
import { words } from "./words.js";

/** Where an administrator brings official figures in, looks at what the checks found, and publishes them. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const list = element("div", { class: "releases" });
  const none = element("p", {}, t("noReleases"));
  const done = new DoneLine(context);
  const show = (): void => { none.hidden = list.children.length > 0; };
  const card = (release: Release): HTMLElement => releaseCard(context, release, (published) => {
    const made = card(published);
    document.getElementById(cardId(published))?.replaceWith(made);
    made.focus();
    // Older drafts are gone with it.
    for (const old of list.querySelectorAll<HTMLElement>("[data-draft]")) {
      if (Number(old.dataset["draft"]) < Number(published.number)) old.remove();
    }
    done.show(t("donePublished", { number: published.number ?? "" }));
  });
  const more = await pagesOf<Release>(context, async (pageToken) => {
    const page = await client.unary(ExpenditureService.listReleases, { pageToken }, { signal });
    return { items: page.releases ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (items) => list.append(...items.map(card)));
  show();
  const form = new ImportForm(context, (release) => {
    const made = card(release);
    list.prepend(made);
    show();
    made.focus();
  });
  return {
    title: t("title"),
    content: [
      adminNavigation("/expenditure/admin", locale.language), element("p", {}, t("what")), form.node,
      element("h2", {}, t("releases")), done.node, none, list, more,
    ],
  };
}

function cardId({ number }: Release): string {
  return `release-${number ?? "0"}`;
}

/** A release with its state, its contents, and for a draft how to publish it. */
function releaseCard(context: PageContext, release: Release, published: (release: Release) => void): HTMLElement {
  const { locale } = context;
  const t = translator(words, locale.language);
  const number = release.number ?? "0";
  const created = dateOf(release.createdTime), publishedAt = dateOf(release.publishedTime);
  const title = element("h3", { id: `${cardId(release)}-title` }, t("releaseOf", { number }));
  return element(
    "section",
    {
      class: "card", id: cardId(release), tabindex: "-1", "aria-labelledby": title.id,
      ...(publishedAt ? {} : { "data-draft": number }),
    },
    title,
    facts([
      [t("state"), t(publishedAt ? "published" : "draft")],
      [t("created"), created && time(created, locale)],
      [t("published"), publishedAt && time(publishedAt, locale)],
      [t("note"), release.note ?? ""],
      [t("overridden"), release.overrideReason ?? ""],
    ]),
    // A draft is seen by nobody, administrators not excepted.
    ...(publishedAt ? [element("p", {}, element("a", { href: `/expenditure?release=${number}` }, t("see")))] : []),
    element("details", { class: "figure-table", ...(isBlocked(release) && !publishedAt ? { open: "" } : {}) },
      element("summary", {}, `${t("fileCaption")}, ${t("checksCaption")}`), ...contentsOf(release, locale)),
    ...(publishedAt ? [] : [publishForm(context, release, published)]));
}
