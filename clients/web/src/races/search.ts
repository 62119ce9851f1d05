import type { Runner } from "./standing.js";

/** The runners whose number begins with a text, or whose name has it in it, whatever the case and the accents. */
export function runnersLike(rows: readonly Runner[], text: string): readonly Runner[] {
  const wanted = plain(text.trim());
  if (wanted === "") return rows;
  if (/^\d+$/.test(wanted)) return rows.filter(({ number }) => String(number).startsWith(wanted));
  return rows.filter(({ name }) => plain(name).includes(wanted));
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{Diacritic}/gu, "").toLowerCase();
}
