import { ConnectError } from "./errors.js";
import type { Surroundings } from "./surroundings.js";

/** Ends a call when its caller wants it or its time is over, and knows which of the two it was. */
export class CallEnd {
  private readonly controller = new AbortController();
  private reason: ConnectError | undefined;
  private readonly release: Array<() => void> = [];

  constructor(
    caller: AbortSignal | undefined, timeoutMs: number | undefined, surroundings: Pick<Surroundings, "timer">,
  ) {
    if (caller) {
      const cancel = (): void => this.end(new ConnectError("canceled", "the caller has ended the call"));
      if (caller.aborted) cancel();
      caller.addEventListener("abort", cancel);
      this.release.push(() => caller.removeEventListener("abort", cancel));
    }
    if (timeoutMs !== undefined) {
      this.release.push(surroundings.timer(timeoutMs, () => {
        this.end(new ConnectError("deadline_exceeded", `there was no answer within ${timeoutMs} ms`));
      }));
    }
  }

  /** For `fetch`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** What a failure of `fetch` or of reading its answer means. */
  error(failure: unknown): ConnectError {
    if (this.reason) return this.reason;
    if (failure instanceof ConnectError) return failure;
    // What a browser says of a failed connection has no meaning that programs could rely on.
    return new ConnectError("unavailable", `the server was not reached: ${String(failure)}`);
  }

  /** To be called when the call is over. What still runs of it is cut off. */
  close(): void {
    for (const release of this.release) release();
    this.controller.abort();
  }

  private end(reason: ConnectError): void {
    this.reason ??= reason;
    this.controller.abort();
  }
}
