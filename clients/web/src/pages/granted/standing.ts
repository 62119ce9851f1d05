import type { Metric, Reading } from "../../api/readings_v1.js";
import { AccessService, SubscriptionService } from "../../api/sharing_v1.js";
import type {
  AccessState, Subscription, SubscribeRequest, SubscribeResponse, WatchAccessRequestsRequest, WatchAccessRequestsResponse,
} from "../../api/sharing_v1.js";
import type { Freshness } from "../../connect/follow.js";
import { readingsOf } from "../../metrics/columns.js";
import { live } from "../../parts/live.js";
import type { PageContext } from "../../shell/page.js";

/** Who is told how a grant stands. */
export interface StandingListener {
  /** Something came: the grant stands, and these readings are new. */
  stands(readings: readonly Reading[]): void;
  freshness(freshness: Freshness): void;
  /** Nothing may be shown any more. */
  ended(isOver: boolean): void;
}

/** Follows a grant by the readings that come under it. The server ends the stream within a second of the grant. */
export function followReadings(
  context: PageContext, subscription: Subscription, registry: readonly Metric[], listener: StandingListener,
): HTMLElement {
  const subscriptionId = subscription.subscriptionId ?? "";
  return live<SubscribeRequest, SubscribeResponse>(context, {
    method: SubscriptionService.subscribe,
    request: (cursor) => ({ start: { subscriptionId, ...(cursor === undefined ? {} : { cursor }) } }),
    cursor: (frame) => frame.cursor,
  }, {
    message(frame) {
      if (isEnd(frame.accessChange?.state)) listener.ended(true);
      else listener.stands(readingsOf(frame.delivery?.readings ?? frame.digest?.readings, registry));
    },
    freshness: (freshness) => listener.freshness(freshness),
    ended: (error) => listener.ended(error.is("ACCESS_ENDED")),
  });
}

/** Follows a grant by its own changes, where nothing is subscribed to. */
export function followGrant(context: PageContext, accessRequestId: string, listener: StandingListener): HTMLElement {
  const { client, signal } = context;
  let isLive = false;
  let isAsking = false;
  // The stream goes on where it was: only the grant itself says that it stands now.
  const check = async (): Promise<void> => {
    isAsking = true;
    try {
      const { accessRequest } = await client.unary(AccessService.getAccessRequest, { accessRequestId }, { signal });
      if (accessRequest?.state !== "ACCESS_STATE_ACCEPTED") listener.ended(true);
      else if (isLive) listener.freshness("live");
    } catch {
      // With the next frame, heartbeats too.
      isAsking = false;
    }
  };
  return live<WatchAccessRequestsRequest, WatchAccessRequestsResponse>(context, {
    method: AccessService.watchAccessRequests,
    request: (cursor) => (cursor === undefined ? {} : { cursor }),
    cursor: (frame) => frame.cursor,
  }, {
    message(frame) {
      if (frame.change?.accessRequestId === accessRequestId && isEnd(frame.change.state)) listener.ended(true);
      else listener.stands([]);
      if (!isAsking) void check();
    },
    freshness(freshness) {
      isLive = freshness === "live";
      isAsking = false;
      if (!isLive) listener.freshness(freshness);
    },
    ended: (error) => listener.ended(error.is("ACCESS_ENDED")),
  });
}

function isEnd(state: AccessState | undefined): boolean {
  return state !== undefined && state !== "ACCESS_STATE_ACCEPTED";
}
