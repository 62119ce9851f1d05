import { readDetails } from "./details.js";
import type { Reason } from "./reasons.js";

const codes = [
  "canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists", "permission_denied",
  "resource_exhausted", "failed_precondition", "aborted", "out_of_range", "unimplemented", "internal", "unavailable",
  "data_loss", "unauthenticated",
] as const;

/** How a call failed, in the names of the Connect protocol. */
export type Code = typeof codes[number];

/** Metadata of a call: values by name in small letters. */
export type Metadata = Readonly<Record<string, readonly string[]>>;

/** What comes with an error besides its code and message. */
export interface ErrorFacts {
  /** What programs tell errors apart by, such as "LOG_IN_LOCKED"; empty where the server has named none. */
  readonly reason: string;
  /** Facts for programs, such as the limit that was passed. */
  readonly metadata: Readonly<Record<string, string>>;
  /** What is wrong with which field of the request, by its path in the names of the .proto file. */
  readonly violations: ReadonlyMap<string, string>;
}

const noFacts: ErrorFacts = { reason: "", metadata: {}, violations: new Map() };

/** The end of a call that did not succeed, whoever ended it. */
export class ConnectError extends Error implements ErrorFacts {
  readonly code: Code;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: ReadonlyMap<string, string>;
  /** What the server has sent behind the error. */
  readonly trailers: Metadata;

  /** @param message a sentence in English, for people who look for a cause: pages have words of their own. */
  constructor(code: Code, message: string, facts: ErrorFacts = noFacts, trailers: Metadata = {}) {
    super(message);
    this.name = "ConnectError";
    this.code = code;
    this.reason = facts.reason;
    this.metadata = facts.metadata;
    this.violations = facts.violations;
    this.trailers = trailers;
  }

  /** Whether the server has given this reason. */
  is(reason: Reason): boolean {
    return this.reason === reason;
  }

  /** Whether the same call may succeed in a while. */
  get isPassing(): boolean {
    return passing.has(this.code);
  }
}

const passing: ReadonlySet<Code> = new Set([
  "canceled", "unknown", "deadline_exceeded", "resource_exhausted", "aborted", "internal", "unavailable",
] as const);

/** The error that Connect's JSON tells; undefined where it is not such an object. */
export function errorFromJSON(json: unknown, trailers: Metadata = {}): ConnectError | undefined {
  if (!isObject(json)) return undefined;
  const code = codes.find((name) => name === json["code"]);
  if (code === undefined) return undefined;
  const message = json["message"];
  const facts = readDetails(Array.isArray(json["details"]) ? json["details"] : []);
  return new ConnectError(code, typeof message === "string" ? message : "", facts, trailers);
}

/** Whether a value is an object of JSON. */
export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
