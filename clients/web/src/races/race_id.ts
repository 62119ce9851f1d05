import { ConnectError } from "../connect/errors.js";
import type { Int64 } from "../json/scalars.js";

/**
 * The race of a page's address.
 * @throws ConnectError "not_found" where it is no number, as for a race that is not there.
 */
export function raceIdOf(parameters: Readonly<Record<string, string>>): Int64 {
  const id = parameters["raceId"] ?? "";
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new ConnectError("not_found", "the address has no number of a race");
  return id;
}
