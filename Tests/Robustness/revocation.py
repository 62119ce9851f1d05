"""The revocation checker: while a person's device pushes at full speed, third parties follow under grants that end at a
random moment. It is proved that no reading of a batch that was committed after the grant's end reached them, that every
stream ended with the change and its position, and how soon.

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
from consent_actors import KINDS, Household  # noqa: E402
from server_process import ServerProcess  # noqa: E402

P99_LIMIT_S = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks that a revoked grant shows nothing more, and ends at once.")
    parser.add_argument("--runs", type=int, default=1000, help="grants that end (%(default)s)")
    parser.add_argument("--parallel", type=int, default=8, help="persons with a device and a doctor (%(default)s)")
    parser.add_argument("--history", type=int, default=100_000, help="readings each has before (%(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="of the random numbers; printed")
    parser.add_argument("--limit", type=float, default=None, metavar="SECONDS", help="longest time of the runs")
    parser.add_argument("--json", action="store_true", help="summary as one JSON object, on one line")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", file=sys.stderr)
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}).start()
    try:
        summary = check(server, options, seed)
        if (status := server.stop()) != 0:
            summary["problems"].append(f"the server ended with status {status} on SIGTERM")
    except BaseException:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
        raise
    summary["ok"] = not summary["problems"]
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
    limit = options.limit or 120 + options.runs
    try:
        asyncio.run(asyncio.wait_for(_run(households, options.runs), limit))
        problems = []
    except TimeoutError:
        problems = [f"the runs did not end within {limit:.0f} s"]
    runs = [run for h in households for run in h.runs]
    problems += [p for h in households for p in h.problems]
    seconds = sorted(s for run in runs for s in run.seconds_to_end())
    p50, p99, longest = (_share(seconds, share) for share in (0.5, 0.99, 1.0))
    if p99 > P99_LIMIT_S:
        problems.append(f"99 of 100 streams ended within {p99:.3f} s, not {P99_LIMIT_S} s")
    kinds = Counter(run.kind for run in runs)
    return {
        "ok": False, "seed": seed, "duration_s": round(time.monotonic() - started, 1), "runs": len(runs),
        "kinds": {kind: kinds[kind] for kind in KINDS}, "streams_ended": len(seconds),
        "exports_over_before": sum(r.status == "OK" for run in runs for r in run.readings),
        "streams_cut_off": sum(run.was_cut_off(r) for run in runs for r in run.readings),
        "streams_that_came_too_late": sum(run.came_too_late(r) for run in runs for r in run.readings),
        "end_ms": {"p50": round(p50 * 1000, 1), "p99": round(p99 * 1000, 1), "max": round(longest * 1000, 1)},
        "readings_delivered": sum(r.readings for run in runs for r in run.readings),
        "runs_with_commits_after_the_end": sum(run.committed_after > 0 for run in runs),
        "batches_committed_after_the_end": sum(run.committed_after for run in runs),
        "problem_count": len(problems), "problems": problems[:50],
    }  # fmt: skip


async def _run(households: list[Household], runs: int) -> None:
    shares = [runs // len(households) + (i < runs % len(households)) for i in range(len(households))]
    async with asyncio.TaskGroup() as group:
        for household, share in zip(households, shares):
            group.create_task(household.live(share))


def _share(ordered: list[float], share: float) -> float:
    """The value below which so many of the values are."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


if __name__ == "__main__":
    sys.exit(main())
