import type { words } from "../errors/reasons/words.js";

/**
 * What the server's errors are told apart by, `ErrorInfo.reason`: each has its sentence, which a test holds to the server's
 * sources. It may get more at any time, so a page needs an answer to those that it does not know.
 */
export type Reason = keyof typeof words;
