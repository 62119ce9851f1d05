import type { Leaderboard, LeaderboardRow, RaceDelta, RaceState, RunnerStatus } from "../api/races_v1.js";
import { toNumber } from "../json/scalars.js";

/** A runner's line of the leaderboard. */
export interface Runner {
  readonly number: number;
  readonly name: string;
  /** From 1; 0 for who is not ranked. */
  readonly rank: number;
  /** The best and the worst rank that the runner may have, as exact as positions are. */
  readonly firstRank: number;
  readonly lastRank: number;
  readonly status: RunnerStatus;
  /** Metres along the course. */
  readonly distance: number;
  /** The standard deviation of it. */
  readonly uncertainty: number;
  /** Metres along the course where the marker is; undefined where there is none. */
  readonly marker: number | undefined;
  /** Disqualified: shown grey. */
  readonly isGrey: boolean;
  /** When the last position was taken, by the server's clock in milliseconds; undefined where there is none. */
  readonly fixTime: number | undefined;
  readonly splits: ReadonlyArray<{ readonly point: number; readonly timeMs: number }>;
  /** From the start of the race to the arrival. */
  readonly finishMs: number | undefined;
  readonly isCorrected: boolean;
}

type Changing = { -readonly [Name in keyof Runner]: Runner[Name] };

/** A leaderboard as a stream tells it: whole at first, then by what has changed. */
export class Standing {
  /** In their order. */
  rows: readonly Runner[] = [];
  state: RaceState = "RACE_STATE_UNSPECIFIED";
  /** The moment of it, by the server's clock in milliseconds. */
  time = 0;
  private byNumber = new Map<number, Changing>();

  find(number: number): Runner | undefined {
    return this.byNumber.get(number);
  }

  /** Everything anew. */
  take(leaderboard: Leaderboard | undefined): void {
    this.time = Date.parse(leaderboard?.time ?? "") || 0;
    this.state = leaderboard?.state ?? "RACE_STATE_UNSPECIFIED";
    const rows = (leaderboard?.rows ?? []).map((row) => runnerOf(row, this.time));
    this.byNumber = new Map(rows.map((row) => [row.number, row]));
    this.rows = rows;
  }

  /** What has changed. Who is before whom follows from the markers; of the first ten the server says it. */
  change(delta: RaceDelta): void {
    this.time = Date.parse(delta.time ?? "") || this.time;
    this.state = delta.state ?? "RACE_STATE_UNSPECIFIED";
    for (const [index, number] of (delta.numbers ?? []).entries()) {
      const row = this.byNumber.get(number);
      if (!row) continue;
      const marker = delta.markerM?.[index] ?? 0;
      // Who reports from off the course has no marker for it: what has none before gets one as a whole row.
      if (row.marker !== undefined) row.marker = marker;
      if (this.state === "RACE_STATE_RUNNING" && moving.has(row.status)) row.distance = marker;
      row.fixTime = this.time - (delta.fixAgeMs?.[index] ?? 0);
    }
    const leaders = delta.leaders ?? [];
    for (const row of [...(delta.changed ?? []), ...leaders]) this.byNumber.set(row.number ?? 0, runnerOf(row, this.time));
    this.rank(leaders.map(({ number }) => number ?? 0));
  }

  /** The order and the ranks by what is known of each runner, as the server makes them: RaceBoard+Standing.swift. */
  private rank(leaders: readonly number[]): void {
    const rows = [...this.byNumber.values()].sort((one, other) => one.number - other.number);
    const ahead = new Map(leaders.map((number, place) => [number, place]));
    const last = leaders.length;
    const place = ({ number }: Runner): number => ahead.get(number) ?? last;
    const value = (row: Runner): number => (
      row.status === "RUNNER_STATUS_FINISHED" ? row.finishMs ?? 0 : group(row) === 1 ? -row.distance : 0);
    rows.sort((one, other) => (
      place(one) - place(other) || group(one) - group(other) || value(one) - value(other) || one.number - other.number));
    this.rows = rows;
    const ranked = rows.filter((row) => group(row) < 2);
    const finished = ranked.filter((row) => group(row) === 0).length;
    const running = ranked.slice(finished);
    const low = (row: Runner): number => row.distance - 2 * row.uncertainty;
    const high = (row: Runner): number => row.distance + 2 * row.uncertainty;
    const lows = Float64Array.from(running, low).sort();
    const highs = Float64Array.from(running, high).sort();
    for (const [index, row] of rows.entries()) {
      if (ahead.has(row.number)) continue;
      row.rank = index < ranked.length ? index + 1 : 0;
      row.firstRank = row.rank;
      row.lastRank = row.rank;
      if (index < finished || index >= ranked.length) continue;
      row.firstRank = finished + lows.length - countBelow(lows, high(row), true) + 1;
      row.lastRank = ranked.length - countBelow(highs, low(row), false);
    }
  }
}

/** Those whose distance is where their marker is. */
const moving: ReadonlySet<RunnerStatus> = new Set([
  "RUNNER_STATUS_RUNNING", "RUNNER_STATUS_STANDING", "RUNNER_STATUS_NO_SIGNAL", "RUNNER_STATUS_OFF_COURSE",
  "RUNNER_STATUS_RETIRED",
] as const);

const unranked: ReadonlySet<RunnerStatus> = new Set([
  "RUNNER_STATUS_ENROLLED", "RUNNER_STATUS_ABSENT", "RUNNER_STATUS_NOT_SEEN", "RUNNER_STATUS_DISQUALIFIED",
] as const);

/** 0: has finished; 1: is on the course; 2: is not ranked. */
function group({ status }: Runner): 0 | 1 | 2 {
  return status === "RUNNER_STATUS_FINISHED" ? 0 : unranked.has(status) ? 2 : 1;
}

function runnerOf(row: LeaderboardRow, time: number): Changing {
  const age = Number(row.fixAgeMs ?? 0);
  return {
    number: row.number ?? 0, name: row.name ?? "", rank: row.rank ?? 0, firstRank: row.firstRank ?? 0,
    lastRank: row.lastRank ?? 0, status: row.status ?? "RUNNER_STATUS_UNSPECIFIED", distance: toNumber(row.distanceM),
    uncertainty: toNumber(row.uncertaintyM), marker: row.hasMarker ? toNumber(row.markerM) : undefined,
    isGrey: row.isGrey ?? false, fixTime: age < 0 ? undefined : time - age,
    splits: (row.splits ?? []).map(({ point, timeMs }) => ({ point: point ?? 0, timeMs: Number(timeMs ?? 0) })),
    finishMs: row.finishTimeMs === undefined ? undefined : Number(row.finishTimeMs), isCorrected: row.isCorrected ?? false,
  };
}

/** How many of a sorted list are less than a value, or at most that. */
function countBelow(sorted: Float64Array, value: number, orEqual: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle] ?? 0;
    if (orEqual ? at <= value : at < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
