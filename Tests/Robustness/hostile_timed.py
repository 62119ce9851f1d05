"""Persons whose calls are timed while others attack: those whose values cross a limit, and those who ask small questions.
They have a process of their own, as they would have machines: what bridges and their subscribers do must not delay them.
It says READY, reads when to begin and to end, and answers with one JSON object.

    python Tests/Robustness/hostile_timed.py CAST --seed N
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

from findings import packed  # noqa: E402
from hostile_cast import Cast  # noqa: E402
from hostile_people import Prober, WebProber, Wearer  # noqa: E402


async def act(cast: Cast, rng: random.Random) -> dict:
    probers = [kind(cast, person, random.Random(rng.random())) for person in cast.probers for kind in (Prober, WebProber)]
    print("READY", flush=True)
    begin_s, end_s = map(float, (await asyncio.to_thread(sys.stdin.readline)).split())
    # No crossing is due so late that its call would come after the end.
    first, apart = begin_s + 1, (end_s - begin_s - 7) / len(cast.wearers)
    moments = [first + (number + rng.random()) * apart for number in range(len(cast.wearers))]
    wearers = [Wearer(cast, person, at, n % 2 == 0) for n, (person, at) in enumerate(zip(cast.wearers, moments))]
    async with asyncio.TaskGroup() as tasks:
        for wearer in wearers:
            tasks.create_task(wearer.run())
        for prober in probers:
            tasks.create_task(prober.run(begin_s, end_s))
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "crossings": [wearer.seen for wearer in wearers],
        "probes": [probe for prober in probers for probe in prober.probes],
        "problems": packed(problem for wearer in wearers for problem in wearer.problems),
        "cpu_s": used.ru_utime + used.ru_stime,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cast", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    seen = asyncio.run(act(Cast.read(options.cast), random.Random(options.seed)))
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main()
