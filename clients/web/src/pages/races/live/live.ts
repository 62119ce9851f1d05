import { RaceService } from "../../../api/races_v1.js";
import { translator } from "../../../language/words.js";
import { invitationOf } from "../../../races/invitation.js";
import { raceIdOf } from "../../../races/race_id.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { LiveRace } from "./live_race.js";
import { words } from "./words.js";

/** A race while it is run, and at any moment of it. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, parameters, signal } = context;
  const t = translator(words, locale.language);
  const raceId = raceIdOf(parameters);
  const { race = {} } = await client.unary(
    RaceService.getRace, { raceId, invitation: invitationOf(raceId) }, { signal });
  const links = [[`/races/${raceId}`, t("overview")]];
  if (race.state === "RACE_STATE_FINISHED") links.push([`/races/${raceId}/results`, t("results")]);
  const ways = element(
    "nav", { class: "ways", "aria-label": t("ways") },
    element("ul", {}, ...links.map(([href = "", text = ""]) => element("li", {}, element("a", { href }, text)))));
  return { title: race.name ?? "", content: [ways, ...new LiveRace(context, race).content] };
}
