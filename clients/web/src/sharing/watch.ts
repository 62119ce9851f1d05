import { AccessService } from "../api/sharing_v1.js";
import type {
  AccessRequest, AccessState, WatchAccessRequestsRequest, WatchAccessRequestsResponse,
} from "../api/sharing_v1.js";
import { toBigInt } from "../json/scalars.js";
import { live } from "../parts/live.js";
import { pagesOf } from "../parts/pages_of.js";
import type { PageOf } from "../parts/pages_of.js";
import type { PageContext } from "../shell/page.js";

/** A change of one request, and what was known of it before. */
export interface News {
  readonly now: AccessRequest;
  readonly before: AccessRequest | undefined;
}

/** The caller's requests as they stand, each by its number. */
export class WatchedRequests {
  private readonly known = new Map<string, AccessRequest>();

  /**
   * @param states that are wanted; all, where none is named.
   * @param changed is told of all that are in one of them, the newest first, at each change; and what the change was.
   */
  constructor(
    private readonly context: PageContext, private readonly states: readonly AccessState[],
    private readonly changed: (requests: readonly AccessRequest[], news?: News) => void,
  ) {}

  /**
   * Asks for them, and goes on with each change for as long as the page is shown.
   * @returns what says how fresh they are, and what shows more of them.
   * @throws ConnectError where they cannot be had.
   */
  async begin(): Promise<{ readonly state: HTMLElement; readonly more: HTMLElement }> {
    const { client, signal } = this.context;
    const page = async (pageToken: string): Promise<PageOf<AccessRequest>> => {
      const answer = await client.unary(
        AccessService.listAccessRequests, { states: [...this.states], pageToken }, { signal });
      return { items: answer.accessRequests ?? [], nextPageToken: answer.nextPageToken ?? "" };
    };
    const more = await pagesOf(this.context, page, (requests) => this.take(requests));

    const state = live<WatchAccessRequestsRequest, WatchAccessRequestsResponse>(this.context, {
      method: AccessService.watchAccessRequests,
      request: (cursor) => (cursor === undefined ? {} : { cursor }),
      cursor: (frame) => frame.cursor,
    }, {
      message: async ({ change }) => {
        const accessRequestId = change?.accessRequestId;
        if (accessRequestId === undefined) return;
        const { accessRequest } = await client.unary(AccessService.getAccessRequest, { accessRequestId }, { signal });
        if (accessRequest) this.take([accessRequest], true);
      },
      catchUp: async () => this.take((await page("")).items),
    });
    return { state, more };
  }

  /** Takes requests in as they are; one that is older than what is known of it says nothing. */
  take(requests: readonly AccessRequest[], isNews = false): void {
    if (this.context.signal.aborted) return;
    let news: News | undefined;
    for (const request of requests) {
      const before = this.known.get(numberOf(request));
      if (before && toBigInt(before.position) > toBigInt(request.position)) continue;
      this.known.set(numberOf(request), request);
      if (isNews && before?.position !== request.position) news = { now: request, before };
    }
    const wanted = [...this.known.values()].filter(({ state }) => (
      this.states.length === 0 || (state !== undefined && this.states.includes(state))));
    this.changed(
      wanted.sort((one, other) => (toBigInt(one.accessRequestId) < toBigInt(other.accessRequestId) ? 1 : -1)), news);
  }
}

/** The number of a request. */
export function numberOf({ accessRequestId }: AccessRequest): string {
  return accessRequestId ?? "";
}
