import type { Runner } from "./standing.js";

/** "3 (2–5)": a rank, and which ranks are possible where it is not certain; "–" for who is not ranked. */
export function rankText({ rank, firstRank, lastRank }: Pick<Runner, "rank" | "firstRank" | "lastRank">): string {
  if (rank === 0) return "–";
  return firstRank === lastRank || firstRank === 0 ? String(rank) : `${rank} (${firstRank}–${lastRank})`;
}
