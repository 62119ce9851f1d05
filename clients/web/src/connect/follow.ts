import { Backoff, calmMs } from "./backoff.js";
import { ConnectError } from "./errors.js";
import type { CallOptions, ConnectClient } from "./client.js";
import type { ServerStream } from "./methods.js";
import type { Surroundings } from "./surroundings.js";

/** A stream that is resumed after what has been received. */
export interface Followed<Request, Response> {
  readonly method: ServerStream<Request, Response>;
  /** What to ask for: after a cursor, or undefined at first. */
  request(cursor: string | undefined): Request;
  /** The cursor after a message; undefined if it has none. */
  cursor(message: Response): string | undefined;
  /** Whether it goes on while the page is hidden, because somebody has to hear what comes. */
  readonly isKeptWhileHidden?: boolean;
  /** The longest pause before another attempt, in milliseconds, where nobody can wait for the usual half a minute. */
  readonly longestPauseMs?: number;
}

/**
 * How fresh what the listener has is.
 *
 * - `connecting`: nothing has come yet.
 * - `live`: the stream runs.
 * - `stale`: it does not, and is tried again; the listener has what came before.
 * - `resting`: nobody looks at the page, so it was let go; it is resumed when somebody does.
 */
export type Freshness = "connecting" | "live" | "stale" | "resting";

/** Who is told, in order, and nothing any more after `stop` or `ended`. */
export interface FollowListener<Response> {
  message(message: Response): void;
  /** Told at each change, and at the beginning. */
  freshness(freshness: Freshness): void;
  /** The stream is over, because trying again is useless: access has ended, or the request is wrong. */
  ended(error: ConnectError): void;
}

/** A stream that sends nothing for so long is given up and opened anew. The server's heartbeats come every 10 s. */
const silenceMs = 30_000;

/** What `follow` needs of a client. */
export type StreamCaller = Pick<ConnectClient, "stream">;

/**
 * Follows a stream until it is stopped: goes on after its cursor when it breaks off, with growing pauses, and lets go
 * of it while the page is hidden. A stream ends with the token that it began with: then the next one begins, at once if it
 * has held, and has a new token unless the session has ended. An error that the listener throws ends it as an "internal" one.
 */
export function follow<Request, Response>(
  client: StreamCaller, followed: Followed<Request, Response>, listener: FollowListener<Response>,
  surroundings: Surroundings,
): { stop(): void } {
  const following = new Following(client, followed, listener, surroundings);
  following.start();
  return { stop: () => following.stop() };
}

class Following<Request, Response> {
  private cursor: string | undefined;
  private told: Freshness | undefined;
  private hasReceived = false;
  /** The open stream: there is at most one, and one that is not this one any more says nothing. */
  private open: AbortController | undefined;
  private cancelTimer: () => void = () => {};
  private stopWatching: () => void = () => {};
  private readonly backoff: Backoff;

  constructor(
    private readonly client: StreamCaller, private readonly followed: Followed<Request, Response>,
    private readonly listener: FollowListener<Response>, private readonly surroundings: Surroundings,
  ) {
    this.backoff = new Backoff(() => surroundings.random(), followed.longestPauseMs);
  }

  start(): void {
    this.stopWatching = this.surroundings.onVisibilityChange(() => this.look());
    this.look();
  }

  stop(): void {
    this.letGo();
    this.stopWatching();
  }

  /** Rests or goes on, as the page is hidden or shown. */
  private look(): void {
    if (this.surroundings.isHidden() && !this.followed.isKeptWhileHidden) {
      this.letGo();
      this.tell("resting");
    } else if (!this.open) {
      this.backoff.reset();
      this.connect();
    }
  }

  /** @param isRenewed whether it follows one that ended with its token: that is no break to whoever looks on. */
  private connect(isRenewed = false): void {
    this.cancelTimer();
    const open = new AbortController();
    this.open = open;
    if (!isRenewed) this.tell(this.hasReceived ? "stale" : "connecting");
    // `tell` may have stopped it.
    if (this.open === open) void this.receive(open, { signal: open.signal });
  }

  /** Never fails: each end of the stream is a pause or the end of all. */
  private async receive(open: AbortController, options: CallOptions): Promise<void> {
    const begin = this.surroundings.now();
    let failure: unknown = new ConnectError("unavailable", "the server has ended the stream");
    let hasBegun = false;
    try {
      this.watchSilence(open);
      const request = this.followed.request(this.cursor);
      const method = this.followed.method as ServerStream<never, Response>;
      const messages = this.client.stream(method, request as never, options);
      for await (const message of messages) {
        if (this.open !== open) return;
        this.watchSilence(open);
        this.cursor = this.followed.cursor(message) ?? this.cursor;
        this.hasReceived = true;
        hasBegun = true;
        this.tell("live");
        if (this.open !== open) return;
        this.listener.message(message);
      }
    } catch (thrown) {
      failure = thrown;
    }
    if (this.open === open) this.broke(failure, this.surroundings.now() - begin, hasBegun);
  }

  private broke(failure: unknown, heldMs: number, hasBegun: boolean): void {
    this.letGo();
    const error = failure instanceof ConnectError ? failure : new ConnectError("internal", String(failure));
    if (hasBegun && error.code === "unauthenticated") {
      if (heldMs >= calmMs) this.connect(true);
      else this.cancelTimer = this.surroundings.timer(this.backoff.pause(heldMs), () => this.connect(true));
      return;
    }
    if (!(failure instanceof ConnectError) || !error.isPassing) {
      this.stop();
      this.listener.ended(error);
      return;
    }
    this.cancelTimer = this.surroundings.timer(this.backoff.pause(heldMs), () => this.connect());
    this.tell(this.hasReceived ? "stale" : "connecting");
  }

  /** Gives the stream up when nothing comes from now on. */
  private watchSilence(open: AbortController): void {
    this.cancelTimer();
    const begin = this.surroundings.now();
    this.cancelTimer = this.surroundings.timer(silenceMs, () => {
      if (this.open !== open) return;
      this.broke(new ConnectError("unavailable", "the stream is silent"), this.surroundings.now() - begin, false);
    });
  }

  private letGo(): void {
    this.cancelTimer();
    const open = this.open;
    this.open = undefined;
    open?.abort();
  }

  private tell(freshness: Freshness): void {
    if (this.told === freshness) return;
    this.told = freshness;
    this.listener.freshness(freshness);
  }
}
