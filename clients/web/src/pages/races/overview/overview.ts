import { RaceService } from "../../../api/races_v1.js";
import type { Race } from "../../../api/races_v1.js";
import { translator } from "../../../language/words.js";
import { priceText } from "../../../payments/price.js";
import { dateOf, time } from "../../../parts/time.js";
import { distanceText, durationMs, raceStateText } from "../../../races/format.js";
import { takeInvitation } from "../../../races/invitation.js";
import { raceIdOf } from "../../../races/race_id.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { courseSection } from "./course_section.js";
import { Participation } from "./participation.js";
import { words } from "./words.js";

/** How often a race is looked at anew while its payment, or a place, is waited for. */
const lookMs = 3_000;

/** A race: what it is, and what one can do in it. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, parameters, session, signal, surroundings } = context;
  const t = translator(words, locale.language);
  const raceId = raceIdOf(parameters);
  const invitation = takeInvitation(raceId);
  // Somebody follows a private link in a tab where the race is open.
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#invitation=")) return;
    takeInvitation(raceId);
    context.go(location.pathname);
  }, { signal });
  if (!session) {
    const next = element("a", { href: `/sign-in?next=${encodeURIComponent(`/races/${raceId}`)}` }, t("signIn"));
    return {
      title: t("untitled"),
      content: [element("p", {}, t(invitation === "" ? "signInFirst" : "invited")), element("p", {}, next)],
    };
  }
  const ask = async (): Promise<Race> => (
    (await client.unary(RaceService.getRace, { raceId, invitation }, { signal })).race ?? {});
  const race = await ask();

  const facts = element("div");
  const participation = new Participation(context, raceId, invitation, async () => show(await ask()));
  const show = (race: Race): void => {
    facts.replaceChildren(ways(race, context), factList(race, context));
    participation.show(race);
  };
  show(race);

  // Who pays comes back from another page; whoever waits for a place may get one.
  const look = async (): Promise<void> => {
    if (!surroundings.isHidden() && participation.isWaiting) {
      try {
        show(await ask());
      } catch {
        // What stands there stays, until the next look.
      }
    }
    if (!signal.aborted) cancel = surroundings.timer(lookMs, () => void look());
  };
  let cancel = surroundings.timer(lookMs, () => void look());
  signal.addEventListener("abort", () => cancel());

  return { title: race.name ?? t("untitled"), content: [facts, participation.node, ...courseSection(race, context)] };
}

/** The links to the other pages of a race. */
function ways(race: Race, { locale, session }: PageContext): HTMLElement {
  const t = translator(words, locale.language);
  const address = `/races/${race.raceId ?? ""}`;
  const isOrganizer = race.organizers?.some(({ username }) => username === session?.username) ?? false;
  const isDraft = race.state === "RACE_STATE_DRAFT" || race.state === "RACE_STATE_DISABLED";
  const links: Array<readonly [string, string]> = [];
  if (!isDraft) links.push([`${address}/live`, t("live")]);
  if (race.state === "RACE_STATE_FINISHED") links.push([`${address}/results`, t("results")]);
  if (isOrganizer) {
    links.push([`${address}/manage`, t("manage")]);
    if (isDraft || race.state === "RACE_STATE_ENROLMENT_OPEN") links.push([`${address}/edit`, t("edit")]);
  }
  if (links.length === 0) return element("div");
  return element(
    "nav", { class: "ways", "aria-label": t("ways") },
    element("ul", {}, ...links.map(([href, text]) => element("li", {}, element("a", { href }, text)))));
}

function factList(race: Race, { locale }: PageContext): HTMLElement {
  const t = translator(words, locale.language);
  const number = new Intl.NumberFormat(locale.tag);
  const rows: Array<readonly [string, Node | string]> = [[t("state"), element("strong", {}, raceStateText(race.state, locale))]];
  const moment = (head: string, timestamp: string | undefined): void => {
    const date = dateOf(timestamp);
    if (date) rows.push([head, time(date, locale, { dateStyle: "full", timeStyle: "short" })]);
  };
  moment(t("starts"), race.starts);
  moment(t("enrolmentEnds"), race.enrolmentEnds);
  if (race.finished) moment(t("finished"), race.finished);
  else rows.push([t("timeLimit"), hoursText(durationMs(race.timeLimit), locale.tag)]);
  rows.push(
    [t("place"), race.placeName ?? ""], [t("entry"), t(race.byInvitation ? "byInvitation" : "everyone")],
    [t("fee"), race.fee ? priceText(race.fee, locale) : t("free")], [t("runners"), runnersText(race, t, number)],
    [t("length"), distanceText(Number(race.course?.lengthM ?? 0), locale)]);
  if (race.course?.climbM !== undefined) rows.push([t("climb"), distanceText(Number(race.course.climbM), locale)]);
  rows.push([t("organizers"), (race.organizers ?? []).map(({ name, username }) => name || username).join(", ")]);
  const description = race.description ? [element("p", { class: "description" }, race.description)] : [];
  return element("div", {}, ...description, element("dl", {}, ...rows.flatMap(
    ([head, value]) => [element("dt", {}, head), element("dd", {}, value)])));
}

function runnersText(race: Race, t: ReturnType<typeof translator<typeof words>>, number: Intl.NumberFormat): string {
  const enrolled = number.format(race.enrolledCount ?? 0);
  const count = race.capacity ? t("runnersOf", { count: enrolled, most: number.format(race.capacity) }) : enrolled;
  return race.waitingCount ? t("waiting", { count, waiting: number.format(race.waitingCount) }) : count;
}

/** "2 h 30 min". */
function hoursText(milliseconds: number, tag: string): string {
  const format = (value: number, unit: string): string => (
    new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" }).format(value));
  const minutes = Math.round(milliseconds / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours ? [format(hours, "hour")] : []), ...(rest || !hours ? [format(rest, "minute")] : [])].join(" ");
}

