import type { Course } from "../../../api/races_v1.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { ageText } from "../../../metrics/format.js";
import { clockText, distanceText, runnerStatusText, stopsOf } from "../../../races/format.js";
import { rankText } from "../../../races/rank_text.js";
import type { Runner } from "../../../races/standing.js";
import { element } from "../../../shell/element.js";
import { words } from "./words.js";

/** Whom somebody follows, above all else: how it stands with them, and what they have passed. */
export class FollowedCard {
  readonly node: HTMLElement;
  private readonly title = element("h2", {});
  private readonly said = element("p", {});
  private readonly splits = element("p", { class: "hint" });

  constructor(private readonly locale: Locale, stop: () => void) {
    const t = translator(words, locale.language);
    const button = element("button", { type: "button" }, t("stopFollowing"));
    button.addEventListener("click", () => {
      stop();
      // The button is gone with the card.
      document.getElementById("find")?.focus();
    });
    this.node = element(
      "section", { class: "card followed", "aria-label": t("followed") }, this.title, this.said, this.splits,
      element("div", { class: "buttons" }, button));
    this.node.hidden = true;
  }

  /** Shows a runner, or nobody. */
  show(runner: Runner | undefined, course: Course | undefined, now: number): void {
    this.node.hidden = runner === undefined;
    if (!runner) return;
    const { locale } = this;
    const t = translator(words, locale.language);
    const time = runner.fixTime;
    const texts = [
      [this.title, `${runner.number} ${runner.name}`],
      [this.said, t("followedText", {
        rank: rankText(runner), status: runnerStatusText(runner.status, locale),
        reached: runner.finishMs !== undefined && runner.status === "RUNNER_STATUS_FINISHED"
          ? clockText(runner.finishMs, locale, true) : distanceText(runner.distance, locale),
        age: time === undefined ? t("noFix") : ageText(new Date(time), new Date(Math.max(now, time)), locale),
      })],
      [this.splits, splitsText(runner, course, locale)],
    ] as const;
    for (const [node, text] of texts) if (node.textContent !== text) node.textContent = text;
  }
}

/** "Start 0:00:02 · Stage 1: Arena 0:04:10", for what was passed. */
function splitsText(runner: Runner, course: Course | undefined, locale: Locale): string {
  const stops = course ? stopsOf(course, locale) : [];
  return runner.splits.map(({ point, timeMs }) => `${stops[point]?.name ?? point} ${clockText(timeMs, locale)}`).join(" · ");
}
