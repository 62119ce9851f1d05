import { LiveService } from "../../../api/races_v1.js";
import type { Race, WatchRaceRequest, WatchRaceResponse } from "../../../api/races_v1.js";
import { ConnectError } from "../../../connect/errors.js";
import type { Freshness } from "../../../connect/follow.js";
import { describeError } from "../../../errors/describe.js";
import { toNumber } from "../../../json/scalars.js";
import { translator } from "../../../language/words.js";
import { MapView } from "../../../map/map_view.js";
import { textField } from "../../../parts/field.js";
import { live } from "../../../parts/live.js";
import { dateOf, momentText } from "../../../parts/time.js";
import { Commentary } from "../../../races/commentary.js";
import { CoursePath, mapCourse } from "../../../races/course_path.js";
import { clockText, durationMs } from "../../../races/format.js";
import { runnersLike } from "../../../races/search.js";
import { Standing } from "../../../races/standing.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { BoardTable } from "./board_table.js";
import { FollowedCard } from "./followed_card.js";
import { markersOf } from "./markers.js";
import { Replay } from "./replay.js";
import { words } from "./words.js";

/** Between two sentences about the race, for those who listen to it. */
const speakMs = 10_000;
/** How often clocks and ages are said anew, and how long a moment is shown that plays. */
const tickMs = 1_000;

/** What the page shows: the race as it is now, or a moment of it, in milliseconds since the start. */
type Shown = "now" | number;

/** The race on its page: map, board, whoever is followed, and the moment that is shown. */
export class LiveRace {
  readonly content: readonly Node[];
  private readonly t;
  private readonly standing = new Standing();
  private readonly commentary: Commentary;
  private readonly map: MapView;
  private readonly board: BoardTable;
  private readonly followedCard: FollowedCard;
  private readonly replay: Replay;
  private readonly line = element("div", {});
  private readonly pausedLine = element("p", { class: "freshness", "data-freshness": "resting" });
  private readonly problem = element("p", { class: "problem", role: "alert" });
  private readonly clock = element("p", { class: "clock value" });
  private readonly pauser = element("button", { type: "button" });
  private readonly finder;
  private path = new CoursePath([], 0);
  private readonly mine: number | undefined;
  private followed: number | undefined;
  private isPaused = false;
  private isSpeaking = false;
  /** When the newest frame came, by the browser's own clock. */
  private receivedAt = 0;
  private shown: Shown = "now";
  /** Ends the stream that runs. */
  private watching = new AbortController();
  private isLoading = false;

  constructor(private readonly context: PageContext, private race: Race) {
    const { locale, query, signal, surroundings } = context;
    this.t = translator(words, locale.language);
    this.commentary = new Commentary(locale);
    this.mine = race.myEnrolment?.number;
    this.followed = Number(query.get("follow")) || undefined;
    this.map = new MapView(context, {
      label: this.t("map"), alternative: this.t("mapTable"), onMarker: (id) => this.follow(Number(id)),
    });
    this.board = new BoardTable(locale, (number) => this.follow(number === this.followed ? undefined : number), () => {
      this.remember();
      this.draw();
    });
    this.board.page = Math.max(Math.trunc(Number(query.get("page"))) - 1, 0) || 0;
    this.followedCard = new FollowedCard(locale, () => this.follow(undefined));
    this.replay = new Replay(locale, this.isOver, { wanted: (moment) => this.show(moment ?? "now") });
    this.finder = textField({ name: "find", label: this.t("find"), type: "search", optional: true }, locale);
    this.finder.set(query.get("find") ?? "");
    this.finder.node.addEventListener("input", () => {
      this.board.page = 0;
      this.remember();
      this.draw();
    });
    this.pauser.addEventListener("click", () => this.pause(!this.isPaused));
    this.setCourse(race);
    this.pause(false);
    this.content = [
      this.line, this.pausedLine, this.problem, element("div", { class: "buttons" }, this.pauser, this.clock),
      this.followedCard.node, this.map.node, element("h2", {}, this.t("board")),
      element("p", { class: "hint" }, this.t("ranges")), element("div", { class: "narrow" }, this.finder.node),
      this.board.node, this.replay.node,
    ];
    signal.addEventListener("abort", () => {
      this.watching.abort();
      cancel();
    });
    const tick = (): void => {
      this.tick();
      cancel = surroundings.timer(tickMs, tick);
    };
    let cancel = surroundings.timer(tickMs, tick);
    const at = query.get("at");
    this.show(at === null ? "now" : Math.max(Date.parse(at) - this.starts, 0) || 0);
    this.map.follow(this.followed === undefined ? undefined : String(this.followed));
  }

  // MARK: Which moment

  private show(shown: Shown): void {
    this.shown = shown;
    this.watching.abort();
    this.problem.textContent = "";
    this.pause(false);
    this.remember();
    this.setEnd();
    this.replay.show(shown === "now" ? undefined : shown);
    if (shown === "now" && !this.isOver) this.watch();
    else void this.load();
  }

  private watch(): void {
    const watching = new AbortController();
    this.watching = watching;
    const { context } = this;
    const line = live<WatchRaceRequest, WatchRaceResponse>({
      ...context, signal: watching.signal,
      // The server ends the streams of a race that is over: that is no connection that is lost.
      announce: (message) => { if (!this.isOver) context.announce(message); },
    }, {
      method: LiveService.watchRace,
      request: (cursor) => ({ raceId: this.race.raceId ?? "", ...(cursor === undefined ? {} : { cursor }) }),
      cursor: (frame) => frame.cursor,
    }, {
      message: (frame) => this.take(frame),
      freshness: (freshness: Freshness) => {
        if (freshness !== "stale" || !this.isOver) return;
        watching.abort();
        this.sayMoment();
      },
      ended: () => this.clear(),
    });
    this.line.replaceChildren(line);
  }

  private take(frame: WatchRaceResponse): void {
    this.receivedAt = this.context.surroundings.now();
    if (frame.snapshot) {
      this.standing.take(frame.snapshot.leaderboard);
      this.setCourse(frame.snapshot.race ?? {});
    } else if (frame.delta) {
      this.standing.change(frame.delta);
    } else {
      return;
    }
    this.commentary.see(this.standing.rows);
    this.setEnd();
    this.draw();
    this.speak();
  }

  /** The race may not be seen any more: nothing of it is left on the page. */
  private clear(): void {
    this.standing.take(undefined);
    this.pause(false);
    this.draw();
    this.pauser.hidden = true;
    this.replay.node.hidden = true;
    this.map.setCourse();
  }

  /** The leaderboard of the moment that is wanted. While one is on its way, the newest wish is the next. */
  private async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    const { client, locale, signal, surroundings } = this.context;
    const { shown } = this;
    this.line.replaceChildren(element("p", { class: "freshness" }, this.t("loading")));
    try {
      const moment = shown === "now" ? {} : { time: new Date(this.starts + shown).toISOString() };
      const { leaderboard } = await client.unary(
        LiveService.getLeaderboard, { raceId: this.race.raceId ?? "", ...moment }, { signal });
      if (signal.aborted) return;
      if (this.shown === shown) {
        this.standing.take(leaderboard);
        this.receivedAt = surroundings.now();
        this.draw();
        this.sayMoment();
        surroundings.timer(tickMs, () => { if (this.shown === shown && !signal.aborted) this.replay.arrived(); });
      }
    } catch (failure) {
      if (signal.aborted) return;
      this.line.replaceChildren();
      this.problem.textContent = describeError(failure, locale.language);
      this.replay.rest();
      if (failure instanceof ConnectError && failure.code === "not_found") this.clear();
    } finally {
      this.isLoading = false;
    }
    const isWanted = this.shown !== shown && (this.shown !== "now" || this.isOver);
    if (isWanted) await this.load();
  }

  /** Says which moment it is, where that is not now. */
  private sayMoment(): void {
    const { locale } = this.context;
    const time = momentText(new Date(this.standing.time), locale, { dateStyle: "medium", timeStyle: "medium" });
    const isCancelled = this.state === "RACE_STATE_CANCELLED";
    const text = this.shown !== "now" ? this.t("shown", { time }) : this.t(isCancelled ? "cancelled" : "over");
    this.line.replaceChildren(element("p", { class: "freshness" }, text));
  }

  private get starts(): number {
    return dateOf(this.race.starts)?.getTime() ?? 0;
  }

  /** The state as it is known: that of a moment of the past says nothing about now. */
  private get state(): Race["state"] {
    return this.shown === "now" && this.standing.time > 0 ? this.standing.state : this.race.state;
  }

  private get isOver(): boolean {
    return this.state === "RACE_STATE_FINISHED" || this.state === "RACE_STATE_CANCELLED";
  }

  /** The server's time now, as far as it is known; of a replay, that of the moment. */
  private get now(): number {
    if (this.standing.time === 0) return Date.now();
    if (this.shown !== "now" || this.isOver) return this.standing.time;
    return this.standing.time + (this.context.surroundings.now() - this.receivedAt);
  }

  private setEnd(): void {
    const ends = Math.min(
      this.starts + durationMs(this.race.timeLimit), dateOf(this.race.finished)?.getTime() ?? Infinity,
      this.shown === "now" && !this.isOver ? this.now : Date.now());
    this.replay.end = ends - this.starts;
    this.replay.node.hidden = ends <= this.starts;
    if (this.shown === "now") this.replay.show(undefined);
  }

  // MARK: What is shown

  private setCourse(race: Race): void {
    if (!race.course?.latitudes?.length) return;
    // The stream's race lacks what is the caller's own.
    this.race = { ...this.race, ...race };
    const course = mapCourse(race.course, this.context.locale);
    this.path = new CoursePath(course.line, toNumber(race.course.lengthM));
    this.map.setCourse(course);
  }

  private draw(): void {
    if (this.isPaused) return;
    const { rows, state } = this.standing;
    const text = this.finder.value() ?? "";
    const isEarly = state === "RACE_STATE_ENROLMENT_OPEN" || state === "RACE_STATE_DRAFT";
    const none = isEarly ? "empty" : text === "" || rows.length === 0 ? "none" : "noneFound";
    const view = { now: this.now, followed: this.followed, mine: this.mine };
    this.board.draw(runnersLike(rows, text), view, this.t(none));
    const followed = this.followed === undefined ? undefined : this.standing.find(this.followed);
    this.followedCard.show(followed, this.race.course, view.now);
    this.map.setMarkers(markersOf(rows, this.path, view));
    this.sayClock();
  }

  private tick(): void {
    if (this.isPaused) return;
    if (this.shown === "now" && !this.isOver) this.board.grow(this.now);
    this.sayClock();
  }

  private sayClock(): void {
    const elapsed = (this.shown === "now" ? this.now : this.standing.time) - this.starts;
    const { locale } = this.context;
    const isRunning = this.state === "RACE_STATE_RUNNING" || this.shown !== "now";
    this.clock.textContent = elapsed < 0 ? this.t("toStart", { time: clockText(-elapsed, locale) })
      : isRunning ? this.t("clock", { time: clockText(elapsed, locale) }) : "";
  }

  private pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.pauser.hidden = this.shown !== "now" || this.isOver;
    this.pauser.textContent = this.t(isPaused ? "resume" : "pause");
    this.pausedLine.hidden = !isPaused;
    this.line.hidden = isPaused;
    if (isPaused) {
      const time = momentText(new Date(this.now), this.context.locale, { timeStyle: "medium" });
      this.pausedLine.textContent = this.t("paused", { time });
    } else if (this.standing.time > 0) {
      this.draw();
      this.speak();
    }
  }

  private speak(): void {
    if (this.isSpeaking || this.isPaused || this.shown !== "now") return;
    const sentence = this.commentary.next();
    if (sentence === undefined) return;
    this.context.announce(sentence);
    this.isSpeaking = true;
    this.context.surroundings.timer(speakMs, () => {
      this.isSpeaking = false;
      if (!this.context.signal.aborted) this.speak();
    });
  }

  private follow(number: number | undefined): void {
    this.followed = number;
    this.map.follow(number === undefined ? undefined : String(number));
    this.remember();
    this.draw();
  }

  /** Puts into the address what brings this back. */
  private remember(): void {
    const query = new URLSearchParams();
    if (this.shown !== "now") query.set("at", new Date(this.starts + this.shown).toISOString());
    if (this.followed !== undefined) query.set("follow", String(this.followed));
    const text = this.finder.value() ?? "";
    if (text !== "") query.set("find", text);
    if (this.board.page > 0) query.set("page", String(this.board.page + 1));
    const search = query.toString();
    this.context.keep(`/races/${this.race.raceId ?? ""}/live${search === "" ? "" : `?${search}`}`);
  }
}
