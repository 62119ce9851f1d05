import { RaceService } from "../../../api/races_v1.js";
import type { FoundRace, RaceRole } from "../../../api/races_v1.js";
import { toNumber } from "../../../json/scalars.js";
import { translator } from "../../../language/words.js";
import { priceText } from "../../../payments/price.js";
import type { PageOf } from "../../../parts/pages_of.js";
import { pagesOf } from "../../../parts/pages_of.js";
import { Table } from "../../../parts/table.js";
import type { Column } from "../../../parts/table.js";
import { dateOf, time } from "../../../parts/time.js";
import { distanceText, raceStateText } from "../../../races/format.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { nearOf } from "./near.js";
import { SearchForm } from "./search_form.js";
import { words } from "./words.js";

/** The lists of one's own races, by what `mine` of the address says. */
const own = {
  organising: { role: "RACE_ROLE_ORGANIZER", title: "organising", none: "noneOrganised" },
  running: { role: "RACE_ROLE_RUNNER", title: "running", none: "noneRun" },
  observing: { role: "RACE_ROLE_OBSERVER", title: "observing", none: "noneObserved" },
} as const;

type Own = keyof typeof own;

/** Races to find by name, place and distance; and those that one organises, runs or observes. */
export async function open(context: PageContext): Promise<Page> {
  const { locale, query, signal } = context;
  const t = translator(words, locale.language);
  const wanted = query.get("mine") ?? "";
  const mine = wanted in own ? wanted as Own : undefined;
  const results = element("div");

  const list = async (caption: string, none: string, ask: (token: string) => Promise<PageOf<FoundRace>>): Promise<void> => {
    const table = new Table<FoundRace>(columns(context, mine), { caption, none }, locale);
    const more = await pagesOf(context, ask, (races) => table.append(races));
    results.replaceChildren(table.node, more);
  };
  const content: Node[] = [ways(context, mine)];
  if (mine) {
    await list(t(own[mine].title), t(own[mine].none), (token) => owned(context, own[mine].role, token));
    content.push(results);
  } else {
    const form = new SearchForm(context);
    const show = async (): Promise<void> => {
      form.set();
      await list(t("results"), t("none"), (token) => found(context, token));
    };
    await show();
    // Where somebody is stands behind the "#", and pages are told apart by what is before it.
    let shown = location.hash;
    addEventListener("popstate", () => {
      if (location.pathname !== "/races" || location.hash === shown) return;
      shown = location.hash;
      void show();
    }, { signal });
    content.push(form.node, results);
  }
  return { title: t("title"), content };
}

/** The links to the lists, and to a new race. */
function ways({ locale }: PageContext, mine: Own | undefined): HTMLElement {
  const t = translator(words, locale.language);
  const link = (address: string, text: string, isCurrent: boolean): HTMLElement => element(
    "li", {}, element("a", { href: address, ...(isCurrent ? { "aria-current": "page" } : {}) }, text));
  return element(
    "nav", { class: "ways", "aria-label": t("lists") }, element(
      "ul", {}, link("/races", t("find"), mine === undefined),
      ...(Object.keys(own) as Own[]).map((name) => link(`/races?mine=${name}`, t(own[name].title), name === mine)),
      link("/races/new", t("organise"), false)));
}

function columns({ locale }: PageContext, mine: Own | undefined): Array<Column<FoundRace>> {
  const t = translator(words, locale.language);
  const columns: Array<Column<FoundRace>> = [
    {
      head: t("race"), isHeading: true,
      cell: ({ race }) => element("a", { href: `/races/${race?.raceId ?? ""}` }, race?.name ?? ""),
    },
    {
      head: t("starts"), isValue: true,
      cell: ({ race }) => {
        const starts = dateOf(race?.starts);
        return starts ? time(starts, locale) : "";
      },
    },
    { head: t("place"), cell: ({ race }) => race?.placeName ?? "" },
    { head: t("state"), cell: ({ race }) => raceStateText(race?.state, locale) },
  ];
  if (mine === undefined) {
    columns.push({ head: t("fee"), cell: ({ race }) => (race?.fee ? priceText(race.fee, locale) : t("free")) });
  }
  if (mine === undefined && nearOf(location.hash)) {
    columns.push({ head: t("distance"), isValue: true, cell: (row) => distanceText(toNumber(row.distanceM), locale) });
  }
  if (mine === "running") {
    columns.push({
      head: t("number"), isValue: true, cell: ({ race }) => String(race?.myEnrolment?.number ?? t("noNumber")),
    });
  }
  return columns;
}

async function owned(context: PageContext, role: RaceRole, pageToken: string): Promise<PageOf<FoundRace>> {
  const page = await context.client.unary(RaceService.listRaces, { role, pageToken }, { signal: context.signal });
  return { items: (page.races ?? []).map((race) => ({ race })), nextPageToken: page.nextPageToken ?? "" };
}

async function found(context: PageContext, pageToken: string): Promise<PageOf<FoundRace>> {
  const near = nearOf(location.hash);
  const text = new URLSearchParams(location.search).get("text") ?? "";
  const page = await context.client.unary(RaceService.searchRaces, {
    text, pageToken,
    ...(near ? { near: { latitude: near.latitude, longitude: near.longitude }, radiusM: near.radiusKm * 1000 } : {}),
  }, { signal: context.signal });
  return { items: page.races ?? [], nextPageToken: page.nextPageToken ?? "" };
}
