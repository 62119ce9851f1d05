import { LiveService, RaceService } from "../../../api/races_v1.js";
import type { Course, Race, ResultChange } from "../../../api/races_v1.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { Table } from "../../../parts/table.js";
import { dateOf, momentText, time } from "../../../parts/time.js";
import { clockText, durationMs, runnerStatusText, stopsOf } from "../../../races/format.js";
import { invitationOf } from "../../../races/invitation.js";
import { raceIdOf } from "../../../races/race_id.js";
import { rankText } from "../../../races/rank_text.js";
import { Standing } from "../../../races/standing.js";
import type { Runner } from "../../../races/standing.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { words } from "./words.js";

/** So many rows are shown at first, and with each press of the button below them. On paper stand all. */
const shownRows = 100;

/** The results of a race that is over, with every decision that led to them. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, parameters, signal } = context;
  const t = translator(words, locale.language);
  const raceId = raceIdOf(parameters);
  const { race = {} } = await client.unary(
    RaceService.getRace, { raceId, invitation: invitationOf(raceId) }, { signal });
  const title = t("title", { race: race.name ?? "" });
  const ways = waysOf(race, locale);
  if (race.state !== "RACE_STATE_FINISHED") return { title, content: [ways, element("p", {}, t("notYet"))] };
  const results = await client.unary(LiveService.getResults, { raceId }, { signal });
  const standing = new Standing();
  standing.take(results.leaderboard);
  const starts = dateOf(race.starts);
  const mine = race.myEnrolment?.number;
  const own = mine === undefined ? undefined : standing.find(mine);

  const print = element("button", { type: "button" }, t("print"));
  print.addEventListener("click", () => window.print());
  const content: Node[] = [ways];
  if (starts) {
    content.push(element("p", {}, t("when", {
      date: momentText(starts, locale, { dateStyle: "full", timeStyle: "short" }), place: race.placeName ?? "",
    })));
  }
  if (own && own.rank > 0 && own.finishMs !== undefined) {
    content.push(element("p", {}, t("yours", { rank: rankText(own), time: clockText(own.finishMs, locale, true) })));
  }
  content.push(
    element("div", { class: "buttons" }, print), ...resultTable(standing.rows, mine, race.course ?? {}, context),
    element("h2", {}, t("changes")), changeTable(results.changes ?? [], standing, locale));
  return { title, content };
}

function waysOf(race: Race, locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const address = `/races/${race.raceId ?? ""}`;
  return element("nav", { class: "ways", "aria-label": t("ways") }, element(
    "ul", {}, element("li", {}, element("a", { href: address }, t("overview"))),
    element("li", {}, element("a", { href: `${address}/live` }, t("replay")))));
}

/** The rows, a part of them at a time; all of them while they are printed. */
function resultTable(
  rows: readonly Runner[], mine: number | undefined, course: Course, { locale, signal }: PageContext,
): Node[] {
  const t = translator(words, locale.language);
  const stops = stopsOf(course, locale);
  const stages = (runner: Runner): string => runner.splits
    .filter(({ point }) => stops[point]?.kind === "stage")
    .map(({ point, timeMs }) => `${stops[point]?.name ?? ""} ${clockText(timeMs, locale)}`).join(" · ");
  const name = (runner: Runner): Node => {
    const text = runner.number === mine ? `${runner.name} (${t("mine")})` : runner.name;
    return element("span", { class: runner.isGrey ? "out" : runner.number === mine ? "chosen" : "" }, text);
  };
  const finish = (runner: Runner): string => {
    const text = runner.finishMs !== undefined && runner.status === "RUNNER_STATUS_FINISHED"
      ? clockText(runner.finishMs, locale, true) : runnerStatusText(runner.status, locale);
    return runner.isCorrected ? `${text} (${t("corrected")})` : text;
  };
  const table = new Table<Runner>([
    { head: t("rank"), isValue: true, cell: rankText },
    { head: t("number"), isValue: true, cell: ({ number }) => String(number) },
    { head: t("name"), isHeading: true, cell: name },
    { head: t("finish"), isValue: true, cell: finish },
    ...(stops.length > 2 ? [{ head: t("splits"), cell: stages }] : []),
  ], { caption: t("caption"), none: t("none") }, locale);
  table.node.classList.add("results");
  let count = Math.min(shownRows, rows.length);
  table.draw(rows.slice(0, count));
  const more = element("button", { type: "button" }, t("more"));
  more.hidden = count === rows.length;
  more.addEventListener("click", () => {
    table.append(rows.slice(count, count + shownRows));
    count = Math.min(count + shownRows, rows.length);
    more.hidden = count === rows.length;
  });
  addEventListener("beforeprint", () => table.append(rows.slice(count)), { signal });
  addEventListener("afterprint", () => table.draw(rows.slice(0, count)), { signal });
  return [table.node, element("div", { class: "more" }, more)];
}

function changeTable(changes: readonly ResultChange[], standing: Standing, locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const table = new Table<ResultChange>([
    {
      head: t("name"), isHeading: true,
      cell: ({ number }) => `${number ?? 0} ${standing.find(number ?? 0)?.name ?? ""}`.trim(),
    },
    {
      head: t("change"), isValue: true,
      cell: ({ kind, finishTime }) => {
        const text = t(kind ?? "RESULT_CHANGE_KIND_UNSPECIFIED");
        return finishTime === undefined ? text : `${text}: ${clockText(durationMs(finishTime), locale, true)}`;
      },
    },
    { head: t("reason"), cell: ({ reason }) => reason ?? "" },
    { head: t("author"), cell: ({ author }) => author?.name || author?.username || "" },
    {
      head: t("time"),
      cell: (change) => {
        const at = dateOf(change.time);
        return at ? time(at, locale, { dateStyle: "short", timeStyle: "short" }) : "";
      },
    },
  ], { caption: t("changes"), none: t("noChanges") }, locale);
  table.draw(changes);
  return table.node;
}
