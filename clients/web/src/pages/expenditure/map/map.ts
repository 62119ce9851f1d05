import type { Page, PageContext } from "../../../shell/page.js";
import { openMap } from "./open_map.js";

/** What each region spends on health, on a map that leads to all else (S-UC1). */
export async function open(context: PageContext): Promise<Page> {
  return await openMap(context, "/expenditure");
}
