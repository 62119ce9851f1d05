import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import type { Runner } from "./standing.js";
import { words } from "./words.js";

/** More names than these are a number. */
const namedMax = 3;

/**
 * What of a race is worth saying aloud: who leads now, who has finished, who was disqualified. What happens while
 * nobody can speak is kept, and then told together.
 */
export class Commentary {
  private leader: number | undefined;
  private known: Map<number, { readonly isFinished: boolean; readonly isGrey: boolean }> | undefined;
  private finished: Runner[] = [];
  private disqualified: Runner[] = [];
  private reinstated: Runner[] = [];
  private leads: Runner | undefined;

  constructor(private readonly locale: Locale) {}

  /** Looks what has changed. What a race begins with is not news. */
  see(rows: readonly Runner[]): void {
    const before = this.known;
    this.known = new Map();
    for (const row of rows) {
      const isFinished = row.status === "RUNNER_STATUS_FINISHED";
      this.known.set(row.number, { isFinished, isGrey: row.isGrey });
      const was = before?.get(row.number);
      if (!was) continue;
      if (isFinished && !was.isFinished) this.finished.push(row);
      if (row.isGrey && !was.isGrey) this.disqualified.push(row);
      if (!row.isGrey && was.isGrey) this.reinstated.push(row);
    }
    const [first] = rows;
    const leader = first && first.rank === 1 ? first : undefined;
    if (leader && leader.number !== this.leader && before) this.leads = leader;
    this.leader = leader?.number;
  }

  /** What has happened since it was last asked; undefined if nothing has. */
  next(): string | undefined {
    const t = translator(words, this.locale.language);
    const name = (row: Runner): string => `${row.number} ${row.name}`.trim();
    const list = (rows: readonly Runner[], few: keyof typeof words, many: keyof typeof words): string[] => {
      if (rows.length === 0) return [];
      if (rows.length > namedMax) return [t(many, { count: new Intl.NumberFormat(this.locale.tag).format(rows.length) })];
      return [t(few, { names: rows.map(name).join(", ") })];
    };
    const sentences = [
      ...list(this.disqualified, "disqualified", "manyDisqualified"),
      ...list(this.reinstated, "reinstated", "manyReinstated"), ...list(this.finished, "finish", "manyFinish"),
      ...(this.leads ? [t("leads", { name: name(this.leads) })] : []),
    ];
    [this.finished, this.disqualified, this.reinstated, this.leads] = [[], [], [], undefined];
    return sentences.length === 0 ? undefined : sentences.join(" ");
  }
}
