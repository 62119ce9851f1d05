import type { ImportFiguresRequest, ImportFiguresResponse } from "../api/expenditure_v1.js";
import type { CallOptions, ConnectClient } from "../connect/client.js";
import { envelope } from "../connect/envelopes.js";

// Files of figures on their way to the server: a head, then for each file its head and its bytes.

/** The method takes many messages, which the generated services leave out. */
const path = "/trackme.expenditure.v1.ExpenditureService/ImportFigures";

/** Bytes of a file in one message; a multiple of three, so that base64 has no padding within a file. */
const chunkBytes = 768 * 1024;

/** The most bytes of all files of one import: the server takes 256 MiB of messages, whose base64 is a third longer. */
export const importBytesMax = 190 * 1024 * 1024;

/** How long an import may take. */
const importTimeoutMs = 15 * 60_000;

/** A file as pages have it. */
export type FigureFile = Pick<File, "name" | "size" | "slice">;

/** What is said of a number of files before they are sent. */
export interface ImportWish {
  readonly dryRun: boolean;
  readonly note: string;
  readonly files: readonly FigureFile[];
}

/** The messages of an import in their frames. Of each file one piece at a time is read. */
export async function importMessages({ dryRun, note, files }: ImportWish): Promise<Blob> {
  const parts: Uint8Array[] = [frame({ head: { dryRun, note } })];
  for (const file of files) {
    parts.push(frame({ file: { name: file.name } }));
    for (let at = 0; at < file.size; at += chunkBytes) {
      const bytes = new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer());
      parts.push(frame({ chunk: base64(bytes) }));
    }
  }
  return new Blob(parts);
}

/** Sends files. @throws ConnectError naming file, row and column of what is wrong. */
export async function importFigures(
  client: Pick<ConnectClient, "upload">, wish: ImportWish, options: CallOptions,
): Promise<ImportFiguresResponse> {
  const messages = await importMessages(wish);
  return await client.upload(path, messages, { timeoutMs: importTimeoutMs, ...options }) as ImportFiguresResponse;
}

function frame(message: ImportFiguresRequest): Uint8Array {
  return envelope(new TextEncoder().encode(JSON.stringify(message)));
}

function base64(bytes: Uint8Array): string {
  const letters: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x6000) {
    letters.push(String.fromCharCode(...bytes.subarray(at, at + 0x6000)));
  }
  return btoa(letters.join(""));
}
