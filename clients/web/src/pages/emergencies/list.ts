import { SosService } from "../../api/sos_v1.js";
import type { Emergency, WatchEmergenciesRequest, WatchEmergenciesResponse } from "../../api/sos_v1.js";
import { headline } from "../../emergencies/format.js";
import { isOver, stateText } from "../../emergencies/state.js";
import { dateOfMicroseconds, toBigInt } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { live } from "../../parts/live.js";
import { pagesOf } from "../../parts/pages_of.js";
import type { PageOf } from "../../parts/pages_of.js";
import { Table } from "../../parts/table.js";
import { time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { sosNavigation } from "../sos/navigation.js";
import { words } from "./words.js";

/** The person's emergencies, the newest first, each as it stands. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, announce } = context;
  const t = translator(words, locale.language);
  const known = new Map<string, Emergency>();
  const address = (emergency: Emergency): string => `/emergencies/${emergency.emergencyId ?? ""}`;
  const table = new Table<Emergency>([
    {
      head: t("when"), cell: (emergency) => element("a", { class: "target", href: address(emergency) },
        time(dateOfMicroseconds(emergency.detectedUs), locale, { dateStyle: "medium", timeStyle: "medium" })),
    },
    { head: t("cause"), cell: (emergency) => headline(emergency, locale) },
    {
      head: t("state"), isValue: true, cell: (emergency) => (emergency.status === "DISPATCH_STATUS_EXERCISE"
        ? `${stateText(emergency, locale)} (${t("exercise")})` : stateText(emergency, locale)),
    },
  ], { caption: t("caption"), none: t("none") }, locale);
  const alarms = element("div");
  const draw = (): void => {
    const newest = [...known.values()].sort(
      (one, other) => (toBigInt(one.detectedUs) < toBigInt(other.detectedUs) ? 1 : -1));
    table.draw(newest);
    alarms.replaceChildren(...newest.filter((emergency) => !isOver(emergency)).map((emergency) => element(
      "div", { class: "card emergency" },
      element("p", { class: "alarm" }, t("underWay", { what: headline(emergency, locale) })),
      element("a", { class: "target", href: address(emergency) }, t("open")))));
  };
  const take = (emergencies: readonly Emergency[]): void => {
    for (const emergency of emergencies) {
      const id = emergency.emergencyId ?? "";
      // What a list says may be older than what the stream has said.
      if ((known.get(id)?.transitions?.length ?? 0) > (emergency.transitions?.length ?? 0)) continue;
      known.set(id, emergency);
    }
    draw();
  };
  const list = async (pageToken: string): Promise<PageOf<Emergency>> => {
    const page = await client.unary(SosService.listEmergencies, { pageToken }, { signal });
    return { items: page.emergencies ?? [], nextPageToken: page.nextPageToken ?? "" };
  };
  const more = await pagesOf(context, list, take);

  const state = live<WatchEmergenciesRequest, WatchEmergenciesResponse>(context, {
    method: SosService.watchEmergencies,
    request: (cursor) => (cursor === undefined ? {} : { cursor }),
    cursor: (frame) => frame.cursor,
  }, {
    message({ emergency }) {
      if (!emergency) return;
      const before = known.get(emergency.emergencyId ?? "")?.state;
      take([emergency]);
      if (emergency.state === before) return;
      announce(t("news", { what: headline(emergency, locale), state: stateText(emergency, locale) }));
    },
    catchUp: async () => take((await list("")).items),
  });
  return {
    title: t("title"),
    content: [
      sosNavigation("/emergencies", locale.language), element("p", {}, t("what")), state, alarms, table.node, more,
    ],
  };
}
