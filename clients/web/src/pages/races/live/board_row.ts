import type { RunnerStatus } from "../../../api/races_v1.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { ageText } from "../../../metrics/format.js";
import { clockText, distanceText, runnerStatusText } from "../../../races/format.js";
import { rankText } from "../../../races/rank_text.js";
import type { Runner } from "../../../races/standing.js";
import { element } from "../../../shell/element.js";
import { words } from "./words.js";

/** A position that is older is a stale one, as it is for the server. */
const staleMs = 30_000;

/** Whether nobody knows where a runner is, who should be running. */
export function isStale({ status, fixTime }: Runner, now: number): boolean {
  return onCourse.has(status) && fixTime !== undefined && now - fixTime > staleMs;
}

const onCourse: ReadonlySet<RunnerStatus> = new Set([
  "RUNNER_STATUS_RUNNING", "RUNNER_STATUS_STANDING", "RUNNER_STATUS_NO_SIGNAL", "RUNNER_STATUS_OFF_COURSE",
] as const);

/** What the board is to show of a runner besides the runner. */
export interface RowView {
  /** The moment of the board, by the server's clock. */
  readonly now: number;
  readonly followed: number | undefined;
  /** The own number. */
  readonly mine: number | undefined;
}

/** A runner's row of the board. It is changed where something has changed, so that nobody's focus is lost. */
export class BoardRow {
  readonly node: HTMLElement;
  private readonly cells: Readonly<Record<"rank" | "number" | "name" | "status" | "reached" | "fix", HTMLElement>>;
  private readonly button = element("button", { type: "button" });
  private runner: Runner | undefined;

  constructor(number: number, private readonly locale: Locale, follow: (number: number) => void) {
    const cell = (attributes: Readonly<Record<string, string>> = {}): HTMLElement => (
      element("td", { role: "cell", ...attributes }));
    this.cells = {
      rank: cell({ class: "value" }), number: cell({ class: "value" }), status: cell(), reached: cell({ class: "value" }),
      name: element("th", { scope: "row", role: "rowheader" }), fix: cell(),
    };
    this.button.addEventListener("click", () => follow(number));
    const { rank, name, status, reached, fix } = this.cells;
    this.node = element(
      "tr", { role: "row" }, rank, this.cells.number, name, status, reached, fix,
      element("td", { role: "cell" }, this.button));
  }

  show(runner: Runner, view: RowView): void {
    const { locale } = this;
    const t = translator(words, locale.language);
    const before = this.runner;
    this.runner = runner;
    const isMine = runner.number === view.mine;
    const isFollowed = runner.number === view.followed;
    say(this.cells.rank, rankText(runner));
    say(this.cells.number, String(runner.number));
    say(this.cells.name, isMine ? `${runner.name} (${t("mine")})` : runner.name);
    say(this.cells.status, runnerStatusText(runner.status, locale)
      + (runner.isCorrected ? `, ${t("corrected")}` : ""));
    say(this.cells.reached, runner.finishMs !== undefined && runner.status === "RUNNER_STATUS_FINISHED"
      ? clockText(runner.finishMs, locale, true) : distanceText(runner.distance, locale));
    this.age(view.now);
    say(this.button, t(isFollowed ? "unfollow" : "follow"));
    if (before?.name !== runner.name) {
      this.button.setAttribute("aria-label", t("followRunner", { number: String(runner.number), name: runner.name }));
    }
    mark(this.button, "aria-pressed", String(isFollowed));
    mark(this.node, "class", [...(runner.isGrey ? ["out"] : []), ...(isFollowed || isMine ? ["chosen"] : [])].join(" "));
  }

  /** Says anew how old the position is. */
  age(now: number): void {
    if (!this.runner) return;
    const time = this.runner.fixTime;
    const t = translator(words, this.locale.language);
    say(this.cells.fix, time === undefined ? t("noFix") : ageText(new Date(time), new Date(Math.max(now, time)), this.locale));
    mark(this.cells.fix, "class", isStale(this.runner, now) ? "stale" : "");
  }
}

function say(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

function mark(node: HTMLElement, name: string, value: string): void {
  if ((node.getAttribute(name) ?? "") !== value) node.setAttribute(name, value);
}
