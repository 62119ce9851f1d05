import { ExpenditureService } from "../../api/expenditure_v1.js";
import type { ListVoicesResponse, Origin, Territory } from "../../api/expenditure_v1.js";
import type { PageContext } from "../../shell/page.js";

/** The tree of voices, and the years that there are. */
export async function voicesOf(context: PageContext, release: string): Promise<ListVoicesResponse> {
  return await context.client.read(ExpenditureService.listVoices, released(release), { signal: context.signal });
}

/** Italy and its 21 accounts, or the bodies of one of them. */
export async function territoriesOf(
  context: PageContext, release: string, bodiesOf = "",
): Promise<readonly Territory[]> {
  const request = bodiesOf === "" ? released(release) : { ...released(release), bodiesOf };
  const { territories } = await context.client.read(
    ExpenditureService.listTerritories, request, { signal: context.signal });
  return territories ?? [];
}

/** The release that an answer is made of: later questions of the same page ask about that one. */
export function releaseOf(origin: Origin | undefined): string {
  return origin?.release ?? "";
}

function released(release: string): { release?: string } {
  return release === "" ? {} : { release };
}
