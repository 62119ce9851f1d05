import type { ServerStream } from "./methods.js";

type RequestOf<Method> = Method extends { readonly types?: (request: infer Request) => unknown } ? Request : never;

/**
 * The address of the file that the messages of a method are, for `<a href=… download>`. The server names it, and has
 * files of the methods that docs/web.md lists.
 */
export function downloadAddress<Method extends ServerStream<never, unknown>>(
  method: Method, request: RequestOf<Method>,
): string {
  return `/web/downloads${method.path}?connect=v1&encoding=json&message=${encodeURIComponent(JSON.stringify(request))}`;
}
