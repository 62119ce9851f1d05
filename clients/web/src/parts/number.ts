import { ConnectError } from "../connect/errors.js";

/**
 * The number of something that an address names.
 * @throws ConnectError "not_found" for what is no number: it is the number of nothing.
 */
export function numberIn(text: string | null | undefined): string {
  if (!text || !/^\d{1,18}$/.test(text)) throw new ConnectError("not_found", "the address has no number");
  return text;
}
