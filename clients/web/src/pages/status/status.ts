import { ReadingService } from "../../api/readings_v1.js";
import type { WatchReadingsRequest, WatchReadingsResponse } from "../../api/readings_v1.js";
import { translator } from "../../language/words.js";
import { live } from "../../parts/live.js";
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

  const state = live<WatchReadingsRequest, WatchReadingsResponse>(context, {
    method: ReadingService.watchReadings,
    request: (cursor) => (cursor === undefined ? {} : { cursor }),
    cursor: (frame) => frame.cursor,
  }, {
    message(frame) { table.take(frame.readings, new Date()); },
    async catchUp() {
      table.take((await client.unary(ReadingService.getCurrentStatus, {}, { signal })).readings, new Date());
    },
  });
  let cancelAges = (): void => {};
  const grow = (): void => {
    table.grow(new Date());
    cancelAges = surroundings.timer(ageMs, grow);
  };
  grow();
  signal.addEventListener("abort", () => cancelAges());
  if (signal.aborted) cancelAges();
  return { title: t("title"), content: [state, table.node] };
}
