import { CallEnd } from "./call_end.js";
import { compressedFlag, endFlag, envelope, EnvelopeReader } from "./envelopes.js";
import { ConnectError, errorFromJSON, isObject } from "./errors.js";
import type { Metadata } from "./errors.js";
import type { ServerStream, Unary } from "./methods.js";
import type { Surroundings } from "./surroundings.js";

// Calls of the Connect protocol with JSON over `fetch`: https://connectrpc.com/docs/protocol

type RequestOf<Method> = Method extends { readonly types?: (request: infer Request) => unknown } ? Request : never;
type ResponseOf<Method> = Method extends { readonly types?: (request: never) => infer Response } ? Response : never;

/** What each call may say. */
export interface CallOptions {
  /** Ends the call; it then fails with "canceled". */
  readonly signal?: AbortSignal;
  /** After so many milliseconds the call fails with "deadline_exceeded", here and in the server. */
  readonly timeoutMs?: number;
}

/** Where a client's calls go, and by what. */
export interface ClientConfiguration {
  /** Before each path; empty for the server that the page is from. */
  readonly origin?: string;
  readonly fetch: typeof fetch;
  readonly surroundings: Pick<Surroundings, "timer">;
  /** Told of each method whose call is refused because there is no session, or none any more. */
  readonly onUnauthenticated?: () => void;
}

/** How long a call with one answer may take unless it says otherwise. */
const unaryTimeoutMs = 30_000;
/** The most bytes that a message of a stream may have. The server's are smaller. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Calls the server. Every failure is a `ConnectError`; what is not of the protocol, such as a proxy's page, is
 * "unavailable", for nobody knows what the server would have said. */
export class ConnectClient {
  constructor(private readonly configuration: ClientConfiguration) {}

  /** One message to the server and one back. */
  async unary<Method extends Unary<never, unknown>>(
    method: Method, request: RequestOf<Method>, options: CallOptions = {},
  ): Promise<ResponseOf<Method>> {
    try {
      const answer = await this.exchange("POST", method.path, request, options);
      if (!isObject(answer)) throw new ConnectError("internal", "the answer is not an object");
      return answer as ResponseOf<Method>;
    } catch (failure) {
      throw this.told(failure);
    }
  }

  /**
   * The same by GET, which a method without side effects takes too, and whose answer the browser keeps for as long as the
   * server says.
   */
  async read<Method extends Unary<never, unknown>>(
    method: Method, request: RequestOf<Method>, options: CallOptions = {},
  ): Promise<ResponseOf<Method>> {
    const message = encodeURIComponent(JSON.stringify(request));
    const path = `${method.path}?connect=v1&encoding=json&message=${message}`;
    const timeoutMs = options.timeoutMs ?? unaryTimeoutMs;
    const end = new CallEnd(options.signal, timeoutMs, this.configuration.surroundings);
    try {
      // The time is kept here alone: what differs between two requests would be kept twice.
      const response = await this.configuration.fetch((this.configuration.origin ?? "") + path, {
        signal: end.signal, credentials: "same-origin", redirect: "error",
      });
      if (response.status !== 200 || mediaType(response) !== "application/json") throw await refusal(response);
      const answer = parse(new Uint8Array(await response.arrayBuffer()));
      if (!isObject(answer)) throw new ConnectError("internal", "the answer is not an object");
      return answer as ResponseOf<Method>;
    } catch (failure) {
      throw this.told(end.error(failure));
    } finally {
      end.close();
    }
  }

  /**
   * Many messages to the server and one back.
   * @param messages all of them in their frames.
   */
  async upload(path: string, messages: Blob, options: CallOptions = {}): Promise<unknown> {
    const end = new CallEnd(options.signal, options.timeoutMs, this.configuration.surroundings);
    try {
      const response = await this.send("POST", path, "application/connect+json", messages, end, options.timeoutMs);
      if (response.status !== 200 || mediaType(response) !== "application/connect+json") throw await refusal(response);
      const frames = new EnvelopeReader(maxMessageBytes);
      let answer: unknown;
      for (const { flags, data } of frames.push(new Uint8Array(await response.arrayBuffer()))) {
        const json = parse(data);
        if (!(flags & endFlag)) {
          answer = json;
          continue;
        }
        finish(json);
        if (!isObject(answer)) throw new ConnectError("internal", "the answer is not an object");
        return answer;
      }
      throw new ConnectError("unavailable", "the stream broke off");
    } catch (failure) {
      throw this.told(end.error(failure));
    } finally {
      end.close();
    }
  }

  /**
   * One message to the server and many back, as they come. Whoever reads no further ends the call with `return`, as a
   * `break` out of `for await` does.
   * @returns what the server has sent behind the last message.
   */
  async *stream<Method extends ServerStream<never, unknown>>(
    method: Method, request: RequestOf<Method>, options: CallOptions = {},
  ): AsyncGenerator<ResponseOf<Method>, Metadata> {
    const end = new CallEnd(options.signal, options.timeoutMs, this.configuration.surroundings);
    let hasBegun = false;
    try {
      const body = envelope(new TextEncoder().encode(JSON.stringify(request)));
      const response = await this.send("POST", method.path, "application/connect+json", body, end, options.timeoutMs);
      if (response.status !== 200 || mediaType(response) !== "application/connect+json" || !response.body) {
        throw await refusal(response);
      }
      const reader = response.body.getReader();
      const frames = new EnvelopeReader(maxMessageBytes);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new ConnectError("unavailable", "the stream broke off");
        for (const { flags, data } of frames.push(value)) {
          if (flags & compressedFlag) throw new ConnectError("internal", "a message is compressed unasked");
          const json = parse(data);
          if (flags & endFlag) {
            if (frames.isWithinFrame) throw new ConnectError("internal", "the stream goes on behind its end");
            return finish(json);
          }
          if (!isObject(json)) throw new ConnectError("internal", "a message is not an object");
          hasBegun = true;
          yield json as ResponseOf<Method>;
        }
      }
    } catch (failure) {
      // One that has begun ends with the token that it began with. Whether there still is a session, the next call hears.
      throw hasBegun ? end.error(failure) : this.told(end.error(failure));
    } finally {
      end.close();
    }
  }

  /**
   * One exchange of JSON with any address of the server that answers errors as Connect does. Nobody else is told of an
   * answer without a session.
   * @returns undefined for an answer without content.
   */
  async exchange(verb: "GET" | "POST", path: string, request: unknown, options: CallOptions = {}): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? unaryTimeoutMs;
    const end = new CallEnd(options.signal, timeoutMs, this.configuration.surroundings);
    try {
      const body = request === undefined ? undefined : JSON.stringify(request);
      const response = await this.send(verb, path, "application/json", body, end, timeoutMs);
      if (response.status === 204) return undefined;
      if (response.status !== 200 || mediaType(response) !== "application/json") throw await refusal(response);
      return parse(new Uint8Array(await response.arrayBuffer()));
    } catch (failure) {
      throw end.error(failure);
    } finally {
      end.close();
    }
  }

  private send(
    verb: string, path: string, type: string, body: string | Uint8Array | Blob | undefined, end: CallEnd,
    timeoutMs?: number,
  ): Promise<Response> {
    const headers: Record<string, string> = { "Connect-Protocol-Version": "1" };
    if (body !== undefined) headers["Content-Type"] = type;
    // The protocol has room for ten digits.
    if (timeoutMs !== undefined) headers["Connect-Timeout-Ms"] = String(Math.min(Math.ceil(timeoutMs), 9_999_999_999));
    return this.configuration.fetch((this.configuration.origin ?? "") + path, {
      method: verb, headers, signal: end.signal, cache: "no-store", credentials: "same-origin", redirect: "error",
      ...(body === undefined ? {} : { body }),
    });
  }

  private told(failure: unknown): unknown {
    if (failure instanceof ConnectError && failure.code === "unauthenticated") this.configuration.onUnauthenticated?.();
    return failure;
  }
}

/** The error that an answer without success stands for. */
async function refusal(response: Response): Promise<ConnectError> {
  const foreign = new ConnectError(
    "unavailable", `the answer, ${response.status} of type "${mediaType(response)}", is not of the protocol`);
  if (response.status === 200 || mediaType(response) !== "application/json") return foreign;
  let json: unknown;
  try {
    json = JSON.parse(await response.text());
  } catch (failure) {
    if (failure instanceof SyntaxError) return foreign;
    throw failure;
  }
  return errorFromJSON(json, trailers(response.headers)) ?? foreign;
}

/** What the last frame of a stream says: its metadata, or the error that it throws. */
function finish(json: unknown): Metadata {
  if (!isObject(json)) throw new ConnectError("internal", "the end of the stream is not an object");
  const metadata: Record<string, string[]> = {};
  if (isObject(json["metadata"])) {
    for (const [name, values] of Object.entries(json["metadata"])) {
      if (Array.isArray(values)) metadata[name.toLowerCase()] = values.filter((value) => typeof value === "string");
    }
  }
  if (json["error"] === undefined) return metadata;
  throw errorFromJSON(json["error"], metadata) ?? new ConnectError("unknown", "the stream ended with an unknown error");
}

/** Metadata behind a message is in headers with a prefix, where there is one answer. */
function trailers(headers: Headers): Metadata {
  const found: Record<string, string[]> = {};
  headers.forEach((value, name) => {
    if (name.startsWith("trailer-")) found[name.slice("trailer-".length)] = [value];
  });
  return found;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ConnectError("internal", "a message is not JSON");
  }
}

/** The type of the answer in small letters, without parameters. */
function mediaType(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
