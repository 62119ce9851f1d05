"""The revocation checker: while a person's device pushes at full speed, third parties follow, export and get digests
under grants that end at a random moment, in a part of the runs while the server is killed. It is proved that no reading
of a batch that was committed after the grant's end reached them, by itself or in a mean, that every stream ended with
the change and its position or was cut off in time, that whoever came after it got nothing, and how soon; and that the
server is back within a second after a kill (B-3.7.2).

    python Tests/Robustness/revocation.py [--runs 1000] [--parallel 8] [--seed N] [--json]

Exit status 0: all promises held. 1: some did not; the data folder is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

from accounts import Accounts  # noqa: E402
import findings  # noqa: E402
from consent_actors import KINDS, Household, Stage  # noqa: E402
from emergency_runs import SERVING_S  # noqa: E402
from findings import Late  # noqa: E402
from revoked_runs import END_S, RevokedRun  # noqa: E402
from server_process import ServerProcess  # noqa: E402
from stalls import stood_still_s, watch_disk  # noqa: E402
from statuses import Statuses, status_problems  # noqa: E402

P99_LIMIT_S = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks that a revoked grant shows nothing more, and ends at once.")
    parser.add_argument("--runs", type=int, default=1000, help="grants that end (%(default)s)")
    parser.add_argument("--killed", type=int, default=None, help="those in which the server is killed (a fifth)")
    parser.add_argument("--parallel", type=int, default=8, help="persons with a device and a doctor (%(default)s)")
    parser.add_argument("--history", type=int, default=100_000, help="readings each has before (%(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="of the random numbers; printed")
    parser.add_argument("--limit", type=float, default=None, metavar="SECONDS", help="longest time of the runs")
    parser.add_argument("--json", action="store_true", help="summary as one JSON object, on one line")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", file=sys.stderr)
    watch_disk()
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}).start()
    try:
        summary = check(server, options, seed)
        if (status := server.stop()) != 0:
            summary["problems"].append(f"the server ended with status {status} on SIGTERM")
    except BaseException:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
        raise
    summary |= findings.judged(summary["problems"], seed)
    if summary["ok"]:
        server.remove()
    else:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
    print(json.dumps(summary, indent=None if options.json else 2))
    return 0 if summary["ok"] else 1


def check(server: ServerProcess, options, seed: int) -> dict:
    """All runs on one server, and the verdict."""
    rng = random.Random(seed)
    started = time.monotonic()
    accounts = Accounts(server, seed)
    households = [
        Household(number, accounts, random.Random(rng.random()), options.history)
        for number in range(min(options.parallel, options.runs))
    ]
    accounts.close()
    killed = options.runs // 5 if options.killed is None else options.killed
    rounds = -(-killed // len(households))
    limit = options.limit or 180 + options.runs
    starts: list[tuple[float, float]] = []
    problems = []
    try:
        others = max(0, options.runs - rounds * len(households))
        asyncio.run(asyncio.wait_for(_run(households, others, rounds, server, rng, starts), limit))
    except TimeoutError:
        problems.append(Late(f"the runs did not end within {limit:.0f} s"))
    runs = [run for h in households for run in h.runs]
    problems += [p for h in households for run in h.runs for p in run.problems(h.pushed)]
    seconds = sorted(s for run in runs if not run.is_killed for s in run.seconds_to_end())
    p50, p99, longest = (_share(seconds, share) for share in (0.5, 0.99, 1.0))
    if p99 > P99_LIMIT_S:
        problems.append(Late(f"99 of 100 streams ended within {p99:.3f} s, not {P99_LIMIT_S} s"))
    problems += slow_starts(starts)
    problems += unseen(runs, killed)
    problems += status_problems(Statuses(r.status for run in runs for r in run.readings), server.log.read_text())
    kinds = Counter(run.kind for run in runs)
    after_kill = sorted(s for run in runs if run.is_killed for s in run.seconds_to_end())
    return {
        "seed": seed, "duration_s": round(time.monotonic() - started, 1), "runs": len(runs),
        "kinds": {kind: kinds[kind] for kind in KINDS}, "kills": len(starts),
        "serving_s": round(max((serving - began for began, serving in starts), default=0), 3),
        "runs_with_kills": sum(run.is_killed for run in runs),
        "connections_broken_by_kills": sum(r.breaks for run in runs for r in run.readings),
        "streams_ended": len(seconds),
        "exports_over_before": sum(r.status == "OK" for run in runs for r in run.readings),
        "streams_cut_off": sum(run.was_cut_off(r) for run in runs for r in run.readings),
        "streams_that_came_too_late": sum(run.came_too_late(r) for run in runs for r in run.readings if not r.is_late),
        "end_ms": {"p50": round(p50 * 1000, 1), "p99": round(p99 * 1000, 1), "max": round(longest * 1000, 1)},
        "end_after_kills_max_ms": round(_share(after_kill, 1.0) * 1000, 1), "end_limit_ms": END_S * 1000,
        "readings_delivered": sum(r.readings for run in runs for r in run.readings),
        "minutes_delivered": sum(len(r.minutes) for run in runs for r in run.readings),
        "runs_with_commits_after_the_end": sum(run.committed_after > 0 for run in runs),
        "batches_committed_after_the_end": sum(run.committed_after for run in runs),
        "problems": problems,
    }  # fmt: skip


def slow_starts(starts: list[tuple[float, float]], still_s: findings.StoodStill = stood_still_s) -> list[str]:
    """Of servers that began and were SERVING then, in seconds of time.monotonic()."""
    return [
        findings.late(seconds, SERVING_S, still_s(began, serving), f"the server was SERVING {seconds:.2f} s after its start")
        for began, serving in starts if (seconds := serving - began) > SERVING_S
    ]  # fmt: skip


def unseen(runs: list[RevokedRun], killed: int) -> list[str]:
    """What the runs are about and did not see."""
    readings = [reading for run in runs for reading in run.readings]
    seen = {
        "no batch was committed after the end of a grant": any(run.committed_after for run in runs),
        "no reading was delivered": any(r.readings for r in readings),
        "no stream was cut off": any(run.was_cut_off(r) for run in runs for r in run.readings),
        "no digest was delivered": any(r.minutes for r in readings),
        "no export was ended by the end of its grant": any(
            r.is_export and not r.is_late and r.status != "OK" for r in readings
        ),
        "nobody came after the end of a grant": any(r.is_late for r in readings),
        "no kill broke a stream": not killed or any(r.breaks for r in readings),
    }
    return [what for what, is_seen in seen.items() if not is_seen]


async def _run(
    households: list[Household], runs: int, rounds: int, server: ServerProcess, rng: random.Random,
    starts: list[tuple[float, float]],
) -> None:
    shares = [runs // len(households) + (i < runs % len(households)) for i in range(len(households))]
    everybody = len(households) + 1
    stages = [Stage(asyncio.Barrier(everybody), asyncio.Barrier(everybody), []) for _ in range(rounds)]
    async with asyncio.TaskGroup() as group:
        for household, share in zip(households, shares):
            group.create_task(household.live(share, stages))
        for number, stage in enumerate(stages):
            await stage.ready.wait()
            # The first time at once: later, all streams may have ended before.
            await _kill(stage, server, rng, starts, within_s=0.5 if number else 0)
            await stage.over.wait()


async def _kill(
    stage: Stage, server: ServerProcess, rng: random.Random, starts: list[tuple[float, float]], within_s: float
) -> None:
    """Kills the server once or twice while the grants of a stage end, the first time within so many seconds."""
    for number in range(rng.choice([1, 1, 2])):
        await asyncio.sleep(rng.uniform(0, 0.5 if number else within_s))
        outage = [time.monotonic(), float("inf")]
        stage.outages.append(outage)
        server.kill()
        await asyncio.sleep(rng.choice([0, rng.uniform(0, 0.5)]))
        began = time.monotonic()
        await asyncio.to_thread(server.start)
        outage[1] = time.monotonic()
        starts.append((began, outage[1]))


def _share(ordered: list[float], share: float) -> float:
    """The value below which so many of the values are."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


if __name__ == "__main__":
    sys.exit(main())
