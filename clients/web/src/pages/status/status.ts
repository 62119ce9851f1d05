import { ReadingService } from "../../api/readings_v1.js";
import type { WatchReadingsRequest, WatchReadingsResponse } from "../../api/readings_v1.js";
import { follow } from "../../connect/follow.js";
import type { Freshness } from "../../connect/follow.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { StatusTable } from "./table.js";
import { words } from "./words.js";

/** How often ages are said anew. */
const ageMs = 10_000;

/** The person's current status, which goes on while it is looked at. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, surroundings } = context;
  const t = translator(words, locale.language);
  const [registry, status] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }),
    client.unary(ReadingService.getCurrentStatus, {}, { signal }),
  ]);
  const table = new StatusTable(registry.metrics ?? [], locale);
  table.take(status.readings, new Date());

  const state = element("p", { class: "freshness" });
  let asOf = new Date();
  // Between the status and the stream's first frame is a gap: the status is asked for once more when that has come.
  let hasCaughtUp = false;
  const catchUp = async (): Promise<void> => {
    hasCaughtUp = true;
    try {
      table.take((await client.unary(ReadingService.getCurrentStatus, {}, { signal })).readings, new Date());
    } catch {
      // With the next frame, heartbeats too.
      hasCaughtUp = false;
    }
  };
  const show = (freshness: Freshness): void => {
    const time = new Intl.DateTimeFormat(locale.tag, { timeStyle: "medium" }).format(asOf);
    const before = state.dataset["freshness"];
    state.dataset["freshness"] = freshness;
    state.textContent = t(freshness, { time });
    // What is heard: that it broke, and that it is back.
    if (freshness === "stale" || (freshness === "live" && before === "stale")) context.announce(state.textContent);
  };

  const following = follow<WatchReadingsRequest, WatchReadingsResponse>(
    client,
    {
      method: ReadingService.watchReadings,
      request: (cursor) => (cursor === undefined ? {} : { cursor }),
      cursor: (frame) => frame.cursor,
    },
    {
      message(frame) {
        asOf = new Date();
        table.take(frame.readings, asOf);
        if (!hasCaughtUp) void catchUp();
      },
      freshness: show,
      ended(error) {
        state.textContent = describeError(error, locale.language);
        state.dataset["freshness"] = "stale";
        context.announce(state.textContent);
      },
    },
    surroundings);
  let cancelAges = (): void => {};
  const grow = (): void => {
    table.grow(new Date());
    cancelAges = surroundings.timer(ageMs, grow);
  };
  grow();
  const close = (): void => {
    following.stop();
    cancelAges();
  };
  signal.addEventListener("abort", close);
  if (signal.aborted) close();
  return { title: t("title"), content: [state, table.node] };
}
