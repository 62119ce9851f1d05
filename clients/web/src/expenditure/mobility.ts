import type { MobilityRow } from "../api/expenditure_v1.js";
import { toBigInt } from "../json/scalars.js";

/** The years that there are rows of, ascending. */
export function mobilityYears(rows: readonly MobilityRow[]): number[] {
  return [...new Set(rows.map(({ year = 0 }) => year))].sort((one, other) => one - other);
}

/** What a territory paid in all, in cents: to public bodies and private ones. */
export function togetherOf({ publicCents, privateCents }: MobilityRow): bigint {
  return toBigInt(publicCents) + toBigInt(privateCents);
}

/** The rows of a year, whoever paid most on top. */
export function rowsOfYear(rows: readonly MobilityRow[], year: number): MobilityRow[] {
  return rows.filter((row) => row.year === year).sort((one, other) => Number(togetherOf(other) - togetherOf(one)));
}
