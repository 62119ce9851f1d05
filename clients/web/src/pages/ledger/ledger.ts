import { GroupService } from "../../api/groups_v1.js";
import type { GroupDisclosure } from "../../api/groups_v1.js";
import { ReadingService } from "../../api/readings_v1.js";
import type { Metric } from "../../api/readings_v1.js";
import { AccessService } from "../../api/sharing_v1.js";
import type { Disclosure, DisclosureKind } from "../../api/sharing_v1.js";
import { questionFacts } from "../../groups/question.js";
import { translator } from "../../language/words.js";
import { choices } from "../../parts/choices.js";
import { pagesOf } from "../../parts/pages_of.js";
import { Table } from "../../parts/table.js";
import { dateOf, momentText, rangeText, time } from "../../parts/time.js";
import { metricsText } from "../../sharing/describe.js";
import { thirdPartyCell } from "../../sharing/third_party.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { placesOf } from "../consent/places.js";
import { words } from "./words.js";

const kinds: Partial<Record<DisclosureKind, keyof typeof words>> = {
  DISCLOSURE_KIND_STREAM: "stream", DISCLOSURE_KIND_DIGEST: "digest", DISCLOSURE_KIND_EXPORT: "export",
};

/**
 * What was delivered of the person's readings, and to whom; with `view=groups` in the address, in which answers about
 * groups they may be. `grant` in the address leaves one consent.
 */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const registry = (await client.unary(ReadingService.listMetrics, {}, { signal })).metrics ?? [];
  const isOfGroups = query.get("view") === "groups";
  const views = choices(t("which"), [
    { label: t("aboutYou"), query: { view: undefined } }, { label: t("inGroups"), query: { view: "groups", grant: undefined } },
  ], "/ledger", query);
  const content = isOfGroups ? await answers(context, registry) : await deliveries(context, registry);
  return { title: t("title"), content: [placesOf("/ledger", locale), views, ...content] };
}

async function deliveries(context: PageContext, registry: readonly Metric[]): Promise<Node[]> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const number = new Intl.NumberFormat(locale.tag);
  const span = (from: string | undefined, to: string | undefined): string => {
    const [begin, end] = [dateOf(from), dateOf(to)];
    return begin && end ? rangeText(begin, end, locale) : "";
  };
  const since = (of: string | undefined): string => { const at = dateOf(of); return at ? t("since", { from: momentText(at, locale) }) : ""; };
  const table = new Table<Disclosure>([
    { head: t("who"), cell: ({ thirdPartyName, thirdParty }) => thirdPartyCell(thirdPartyName, thirdParty, locale) },
    { head: t("how"), cell: ({ kind }) => { const key = kinds[kind ?? "DISCLOSURE_KIND_UNSPECIFIED"]; return key ? t(key) : ""; } },
    { head: t("kinds"), cell: ({ metrics }) => metricsText(metrics, registry, locale) },
    {
      head: t("count"), isValue: true, cell: ({ readingCount, atMost }) => {
        const count = number.format(Number(readingCount ?? 0));
        return atMost ? t("atMost", { count }) : count;
      },
    },
    { head: t("taken"), cell: ({ from, to }) => span(from, to) },
    { head: t("delivered"), cell: ({ began, ended }) => (ended === undefined ? since(began) : span(began, ended)) },
  ], { caption: t("caption"), none: t("none"), isLabelled: true }, locale);
  // What is no number names no consent.
  const grant = /^\d{1,18}$/.test(query.get("grant") ?? "") ? query.get("grant") ?? "" : "";
  const more = await pagesOf<Disclosure>(context, async (pageToken) => {
    const answer = await client.unary(
      AccessService.listDisclosures, { pageToken, ...(grant ? { accessRequestId: grant } : {}) }, { signal });
    return { items: answer.disclosures ?? [], nextPageToken: answer.nextPageToken ?? "" };
  }, (items) => table.append(items));
  const only = grant ? [element("p", {}, `${t("ofOne")} `, element("a", { href: "/ledger" }, t("all")))] : [];
  return [...only, table.node, more];
}

async function answers(context: PageContext, registry: readonly Metric[]): Promise<Node[]> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const table = new Table<GroupDisclosure>([
    { head: t("who"), cell: ({ thirdPartyName, thirdParty }) => thirdPartyCell(thirdPartyName, thirdParty, locale) },
    { head: t("answered"), cell: ({ answered }) => { const at = dateOf(answered); return at ? time(at, locale) : ""; } },
    { head: t("question"), isLong: true, cell: ({ question }) => questionFacts(question ?? {}, registry, locale) },
  ], { caption: t("groupsCaption"), none: t("noGroups"), isLabelled: true }, locale);
  const more = await pagesOf<GroupDisclosure>(context, async (pageToken) => {
    const answer = await client.unary(GroupService.listGroupDisclosures, { pageToken }, { signal });
    return { items: answer.disclosures ?? [], nextPageToken: answer.nextPageToken ?? "" };
  }, (items) => table.append(items));
  return [element("p", {}, t("groupsText")), table.node, more];
}
