import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { ConnectClient } from "../../src/connect/client.js";
import type { ClientConfiguration } from "../../src/connect/client.js";
import { endFlag } from "../../src/connect/envelopes.js";

/** A request as it came, with its body. */
export interface Seen {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Uint8Array;
}

/** A server on a free port of the loopback address, and a client of it. It ends with the test. */
export async function serve(
  context: TestContext, answer: (seen: Seen, response: ServerResponse) => unknown,
  configuration: Partial<ClientConfiguration> = {},
): Promise<{ client: ConnectClient; origin: string }> {
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    await answer({ verb: request.method, path: request.url, headers: request.headers, body: joined(parts) }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => new Promise<void>((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  }));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const client = new ConnectClient({ origin, fetch, surroundings: { timer: realTimer }, ...configuration });
  return { client, origin };
}

export function realTimer(milliseconds: number, call: () => void): () => void {
  const id = setTimeout(call, milliseconds);
  return () => clearTimeout(id);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A frame as a server writes it: made here, byte by byte, and not by what is tested. */
export function frame(json: unknown, flags = 0): Uint8Array {
  const data = new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json));
  const { length } = data;
  return joined([Uint8Array.of(flags, length >>> 24, length >>> 16, length >>> 8, length), data]);
}

export function endFrame(json: unknown = {}): Uint8Array {
  return frame(json, endFlag);
}

/** All that a stream brings, with what comes at its end. */
export async function collect<Message, Last>(
  stream: AsyncGenerator<Message, Last>,
): Promise<{ messages: Message[]; last: Last }> {
  const messages: Message[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done) return { messages, last: step.value };
    messages.push(step.value);
  }
}
