/** The most numbers that are marked at once. */
const numbersMax = 20_000;

/** Numbers and ranges as people write them, such as "1-20, 25": all of them, each once, or undefined. */
export function parseNumbers(text: string): readonly number[] | undefined {
  const numbers = new Set<number>();
  for (const part of text.split(/[\s,;]+/).filter((part) => part !== "")) {
    const found = /^(\d{1,6})(?:[-–](\d{1,6}))?$/.exec(part);
    const first = Number(found?.[1] ?? NaN);
    const last = Number(found?.[2] ?? first);
    if (!(first >= 1 && first <= last && last - first < numbersMax)) return undefined;
    for (let number = first; number <= last; number += 1) numbers.add(number);
    if (numbers.size > numbersMax) return undefined;
  }
  return numbers.size > 0 ? [...numbers] : undefined;
}

/** A time such as "1:02:03.5" or "48:31", in seconds; undefined where it is none. */
export function parseTime(text: string): number | undefined {
  const found = /^\s*(?:(\d{1,2}):)?(\d{1,2}):(\d{2}(?:[.,]\d{1,3})?)\s*$/.exec(text);
  if (!found) return undefined;
  const [hours, minutes, seconds] = [found[1] ?? "0", found[2], found[3]].map((part) => (
    Number((part ?? "").replace(",", ".")))) as [number, number, number];
  if (seconds >= 60 || (found[1] !== undefined && minutes >= 60)) return undefined;
  return hours * 3_600 + minutes * 60 + seconds;
}

/** Usernames, one on a line or with commas between them, each once. */
export function parseUsernames(text: string): readonly string[] {
  return [...new Set(text.split(/[\n,;]+/).map((name) => name.trim()).filter((name) => name !== ""))];
}

/** The private link of a race by invitation: no server sees what stands behind the #. */
export function invitationLink(origin: string, raceId: string, invitation: string): string {
  return `${origin}/races/${raceId}#${new URLSearchParams({ invitation }).toString()}`;
}
