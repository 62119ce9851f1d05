"""The checker of hostile callers: ten accounts and a hundred strangers do, at once, whatever may hurt, beside bridges,
subscribers, wearers who cross limits and persons who ask small questions. Then it is proved that the server lived, lost
nothing that it had acknowledged, called for everyone in time, kept to its memory, refused nobody else, and was as before
soon after. In a second run, strangers flood it with frames of HTTP/2 on raw sockets, in one way after the other.

    python Tests/Robustness/hostile.py [--long] [--attack [NAME ...]] [--flood [NAME ...] [--connections N ...]]
      [--seed N] [--json]

With --long everything is larger, each flood comes on 1, 30 and 100 connections, and the same load is also run without
attacks, for comparison. Exit status 0: all promises held. 1: some did not; the data folder is kept.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

import findings  # noqa: E402
from flood_frames import FLOODS  # noqa: E402
from flood_verdict import GIVEN_BACK_S, OVER_S, table  # noqa: E402
from hostile_attacker import ATTACKS  # noqa: E402
from hostile_floods import FloodedServer  # noqa: E402
from hostile_run import Run, Size  # noqa: E402
from patients import sos_environment  # noqa: E402
from server_process import ServerProcess  # noqa: E402
from sms_gateway import SmsGateway  # noqa: E402
from stalls import watch_disk  # noqa: E402

SHORT = Size(readings_per_s=20_000, subscribers=50, crossings=40, files=760, before_s=3, attack_s=18, niceness=5)
LONG = Size(readings_per_s=100_000, subscribers=1_000, crossings=500, files=6_016, before_s=30, attack_s=180, niceness=19)
SHORT_FLOOD = Size(
    readings_per_s=2_000, subscribers=10, crossings=0, files=4_096, before_s=3, attack_s=3, calm_s=OVER_S + 0.2
)  # fmt: skip
LONG_FLOOD = replace(SHORT_FLOOD, before_s=10, attack_s=10, calm_s=GIVEN_BACK_S + 1, after_s=GIVEN_BACK_S + 1)
CROSSINGS_PER_S = 0.7
CONNECTIONS = (1, 30, 100)
SHORT_FLOODS = {
    "log-ins unread": 1, "rapid reset": 100, "silent calls": 30, "PING": 100, "CONTINUATION": 30, "zero windows": 30,
}  # fmt: skip
"""Those of the short form, one of each kind, on as many connections as hurt a server that has no limit."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks what callers who mean harm can do to the others.")
    parser.add_argument("--long", action="store_true", help="the whole load, for minutes, and without attacks too")
    parser.add_argument("--attack", nargs="*", choices=ATTACKS, help="only these, or all of them")
    parser.add_argument("--flood", nargs="*", choices=FLOODS, help="only these, or all of them")
    parser.add_argument("--connections", nargs="+", type=int, help="of each flood, one after the other")
    parser.add_argument("--seed", type=int, default=None, help="of the random numbers; printed")
    parser.add_argument("--json", action="store_true", help="summary as one JSON object, on one line")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", file=sys.stderr)
    started = time.monotonic()
    watch_disk()
    runs = {}
    for name, run in planned(options, lambda: random.Random(seed)):
        runs[name] = perform(*run)
        if floods := runs[name][1].get("floods"):
            print(table(floods), file=sys.stderr)
    problems = [findings.of(name, problem) for name, (found, _) in runs.items() for problem in found]
    summary = {"seed": seed, "duration_s": round(time.monotonic() - started, 1),
               **{name: summary for name, (_, summary) in runs.items()},
               **findings.judged(problems, seed)}  # fmt: skip
    print(json.dumps(summary, indent=None if options.json else 2))
    return 0 if summary["ok"] else 1


def planned(options: argparse.Namespace, rng: Callable[[], random.Random]):
    """The runs by their names, and what `perform` is told of each."""
    is_long, size, attacks, floods = options.long, (LONG if options.long else SHORT), options.attack, options.flood
    if attacks is None and floods is None:
        attacks, floods = [], []
    if attacks is not None:
        if is_long:
            yield "without attacks", (size, lambda server: Run(server, size, [], rng(), is_long))
        yield "with attacks", (size, lambda server: Run(server, size, attacks or list(ATTACKS), rng(), is_long))
    if floods is not None:
        names = floods or list(FLOODS if is_long else SHORT_FLOODS)
        counts = {name: options.connections or (CONNECTIONS if is_long else [SHORT_FLOODS.get(name, 30)]) for name in names}
        turns = [(name, count) for name in names for count in counts[name]]
        flood = LONG_FLOOD if is_long else SHORT_FLOOD
        whole_s = flood.before_s + len(turns) * (flood.attack_s + flood.calm_s)
        flood = replace(flood, crossings=round(whole_s * CROSSINGS_PER_S))
        yield "with floods", (flood, lambda server: FloodedServer(server, flood, turns, rng(), is_long))


def perform(size: Size, make: Callable[[ServerProcess], Run]) -> tuple[list[str], dict]:
    """One run on a server of its own: the broken promises, and what was measured."""
    with SmsGateway() as gateway:
        server = ServerProcess(sos_environment(gateway, TRACKME_TRUSTED_PROXIES="127.0.0.1"), has_web=True)
        server.launcher = ("prlimit", f"--nofile={size.files}:{size.files}")
        run = make(server)
        server.start()
        try:
            problems = run.run()
        except BaseException:
            run.end()
            server.end()
            print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
            raise
        run.end()
        if problems:
            server.end()
            print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
        else:
            server.remove()
        return problems, run.summary()


if __name__ == "__main__":
    sys.exit(main())
