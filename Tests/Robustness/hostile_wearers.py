"""The devices whose wearers cross a limit while others attack. They have a process of their own, as they would have
machines: what a bridge and its subscribers do must not delay them. It says READY, reads when to begin and to end, and
answers with one JSON object.

    python Tests/Robustness/hostile_wearers.py CAST --seed N
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

from hostile_cast import Cast  # noqa: E402
from hostile_people import Wearer  # noqa: E402


async def wear(cast: Cast, rng: random.Random) -> dict:
    print("READY", flush=True)
    begin_s, end_s = map(float, (await asyncio.to_thread(sys.stdin.readline)).split())
    # No crossing is due so late that its call would come after the end.
    moments = sorted(rng.uniform(begin_s + 1, end_s - 6) for _ in cast.wearers)
    wearers = [Wearer(cast, person, at, n % 2 == 0) for n, (person, at) in enumerate(zip(cast.wearers, moments))]
    async with asyncio.TaskGroup() as tasks:
        for wearer in wearers:
            tasks.create_task(wearer.run())
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "crossings": [wearer.seen for wearer in wearers],
        "problems": [problem for wearer in wearers for problem in wearer.problems],
        "cpu_s": used.ru_utime + used.ru_stime,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cast", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    seen = asyncio.run(wear(Cast.read(options.cast), random.Random(options.seed)))
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main()
