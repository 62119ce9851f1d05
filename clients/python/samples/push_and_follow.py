"""Pushes one reading and prints it as it comes back: TRACKME_TOKEN=… python push_and_follow.py [HOST:PORT]"""

import asyncio
import os
import sys
import time

from trackme import Reading, TrackMeClient


async def main(server: str) -> None:
    async with TrackMeClient(server, os.environ["TRACKME_TOKEN"]) as client:
        async with client.subscribe([7]) as stream:
            await anext(stream)  # the first frame: from here on nothing is missed
            async with client.push("sample") as session:
                ticket = await session.send([Reading(7, "heart_rate", time.time_ns() // 1000, 72.0)])
                print(await ticket)
            async for frame in stream:
                if frame.readings:
                    print(frame.readings)
                    return


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"))
