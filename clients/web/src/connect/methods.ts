// What the generated services say of their methods.

/** A method that takes one message and answers with one. */
export interface Unary<Request, Response> {
  readonly kind: "unary";
  /** "/package.Service/Method". */
  readonly path: string;
  /** Never there: it only carries the types. */
  readonly types?: (request: Request) => Response;
}

/** A method that takes one message and answers with many. */
export interface ServerStream<Request, Response> {
  readonly kind: "stream";
  /** "/package.Service/Method". */
  readonly path: string;
  /** Never there: it only carries the types. */
  readonly types?: (request: Request) => Response;
}
