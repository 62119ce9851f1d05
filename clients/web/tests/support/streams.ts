import type { CallOptions, ConnectClient } from "../../src/connect/client.js";
import { ConnectError } from "../../src/connect/errors.js";
import { settled } from "./clock.js";

export interface Ask { readonly cursor?: string }
export interface Frame { readonly cursor?: string; readonly n?: number }

/** A stream whose messages and end come when a test says so. */
export class Opened {
  isAborted = false;
  private wake = (): void => {};
  private readonly waiting: Array<Frame | ConnectError | "end"> = [];

  constructor(readonly request: Ask, signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", () => {
      this.isAborted = true;
      void this.put(new ConnectError("canceled", "by the caller"));
    });
  }

  put(next: Frame | ConnectError | "end"): Promise<void> {
    this.waiting.push(next);
    this.wake();
    return settled();
  }

  async *messages(): AsyncGenerator<Frame, undefined> {
    for (;;) {
      const next = this.waiting.shift();
      if (next === "end") return;
      if (next instanceof ConnectError) throw next;
      if (next) yield next;
      else await new Promise<void>((resolve) => { this.wake = resolve; });
    }
  }
}

/** A client that opens such streams, and those that it has opened. */
export function heldStreams(): { readonly client: ConnectClient; readonly opened: Opened[] } {
  const opened: Opened[] = [];
  const client = {
    stream(_: unknown, request: Ask, options: CallOptions = {}) {
      const stream = new Opened(request, options.signal);
      opened.push(stream);
      return stream.messages();
    },
  } as unknown as ConnectClient;
  return { client, opened };
}
