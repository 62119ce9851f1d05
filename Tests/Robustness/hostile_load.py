"""The well-behaved load beside which others attack: bridges that push for many persons, and persons who follow their own
readings. Everybody has an address of their own. It says READY when everybody is there, reads when to begin and to end, and
answers with one JSON object.

    python Tests/Robustness/hostile_load.py CAST
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

from findings import packed  # noqa: E402
from hostile_bridge import Bridge, Subscriber, open_channel  # noqa: E402
from hostile_cast import Cast, persons_of  # noqa: E402

SUBSCRIBERS_PER_CONNECTION = 10
LAST_S = 20
"""How long the last acknowledgements and deliveries may take."""


async def load(cast: Cast) -> dict:
    channels, subscribers = [], []
    for number, person in enumerate(cast.bulk[: cast.subscribers]):
        if number % SUBSCRIBERS_PER_CONNECTION == 0:
            channels.append(open_channel(cast.target))
        subscribers.append(Subscriber(cast, person, channels[-1]))
    bridges = [Bridge(cast, number, persons_of(cast, number)) for number in range(len(cast.bridges))]
    async with asyncio.TaskGroup() as following:
        follow = [following.create_task(subscriber.run()) for subscriber in subscribers]
        async with asyncio.timeout(60):
            for subscriber in subscribers:
                await subscriber.standing.wait()
        print("READY", flush=True)
        begin_s, end_s = map(float, (await asyncio.to_thread(sys.stdin.readline)).split())
        async with asyncio.TaskGroup() as tasks:
            for bridge in bridges:
                tasks.create_task(bridge.run(begin_s, end_s, LAST_S))
        acknowledged = {person: count for bridge in bridges for person, count in bridge.acknowledged.items()}
        last = time.time() + LAST_S
        while time.time() < last and any(s.readings < acknowledged.get(s.person, 0) for s in subscribers):
            await asyncio.sleep(0.1)
        for task in follow:
            task.cancel()
    for channel in channels:
        await channel.close()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "acknowledged": acknowledged,
        "sent": sum(bridge.sent for bridge in bridges),
        "delivered": {s.person: s.readings for s in subscribers},
        "lags": [lag for subscriber in subscribers for lag in subscriber.lags],
        "problems": packed(p for actor in (*bridges, *subscribers) for p in actor.problems),
        "cpu_s": used.ru_utime + used.ru_stime,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cast", type=Path)
    options = parser.parse_args()
    seen = asyncio.run(load(Cast.read(options.cast)))
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main()
