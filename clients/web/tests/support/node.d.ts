// What the tests use of Node: Debian's packages have no types of it.

declare module "node:test" {
  interface TestContext {
    after(call: () => unknown): void;
  }
  export default function test(name: string, call: (context: TestContext) => unknown): void;
}

declare module "node:assert/strict" {
  const assert: {
    ok(value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(text: string, pattern: RegExp): void;
    rejects(promise: Promise<unknown>, check: (error: unknown) => boolean): Promise<void>;
    throws(call: () => unknown, check: (error: unknown) => boolean): void;
  };
  export default assert;
}

declare module "node:http" {
  export interface IncomingMessage extends AsyncIterable<Uint8Array> {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
  }
  export interface ServerResponse {
    writeHead(status: number, headers?: Readonly<Record<string, string>>): this;
    write(part: Uint8Array | string): boolean;
    end(part?: Uint8Array | string): void;
    destroy(): void;
    on(event: "close", call: () => void): void;
  }
  export interface Server {
    listen(port: number, host: string, call: () => void): void;
    address(): { readonly port: number };
    close(call: () => void): void;
    closeAllConnections(): void;
  }
  export function createServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Server;
}

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function readdirSync(path: string): string[];
  export function statSync(path: string): { isDirectory(): boolean };
}
