"""Readings that are dear to take in: evidence that comes out of order, from new sources each time, and readings of hours
long ago."""

from __future__ import annotations

import asyncio
import time

import grpc

from trackme.protocol import IngestServiceStub, ingest, readings

from hostile_bridge import HEART_RATE, SECOND_US
from hostile_stage import Stage

BATCH = 10_000
FINE, BEYOND = 70.0, 35.0
HOUR_US = 3600 * SECOND_US
WINDOW = 4
"""Batches that are not acknowledged."""


class HostileStream:
    """PushReadings of one of the accounts, which pushes until the end, and connects again when it is cut off."""

    def __init__(self, stage: Stage, place: int, client: str):
        self._stage, self._place, self._client = stage, place, client
        self._sequence = time.time_ns()

    async def run(self, columns, pause_s: float) -> None:
        """`columns` makes the next batch."""
        stage = self._stage
        while not stage.is_over:
            async with stage.channel() as channel:
                call = IngestServiceStub(channel).PushReadings(metadata=stage.account(self._place, "device"))
                try:
                    await self._push(call, columns, pause_s)
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    await stage.note_end(call)
            await asyncio.sleep(0.2)

    async def _push(self, call, columns, pause_s: float) -> None:
        await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=self._client)))
        await call.read()
        left = 0
        while not self._stage.is_over:
            while left >= WINDOW:
                answer = await call.read()
                if answer is grpc.aio.EOF:
                    return
                left -= len(answer.acknowledgements.acknowledgements)
                self._stage.statuses["OK"] += 1
            self._sequence += 1
            batch = ingest.ReadingBatch(sequence=self._sequence, readings=columns())
            await call.write(ingest.PushReadingsRequest(batch=batch))
            left += 1
            await asyncio.sleep(pause_s)
        call.cancel()


async def evidence_out_of_order(stage: Stage) -> None:
    """Large batches of fine readings and crossings by turns, the newest first, of sources that nobody has seen."""
    rng = stage.rng

    def columns(place: int) -> readings.ReadingColumns:
        now = int(time.time() * SECOND_US)
        times = [now - 10 * i for i in range(BATCH)]
        if rng.random() < 0.5:
            rng.shuffle(times)
        sources = [f"s{rng.randrange(10**9)}" for _ in range(rng.choice([1, 10, 100]))]
        return readings.ReadingColumns(
            sources=sources,
            scalars=readings.ScalarColumns(
                person_id=[stage.person(place)],
                metric=[HEART_RATE],
                source=[i % len(sources) for i in range(BATCH)],
                time_us=times,
                value=[rng.choice((FINE, BEYOND))] + [BEYOND if i % 2 else FINE for i in range(BATCH - 1)],
            ),
        )

    async with asyncio.TaskGroup() as tasks:
        for place in range(1, 1 + stage.scale(2, 4)):
            stream = HostileStream(stage, place, "evidence")
            tasks.create_task(stream.run(lambda place=place: columns(place), pause_s=0.1))


async def hours_since_1970(stage: Stage) -> None:
    """One reading of each hour since 1970: each makes a chunk of its own to compact and to merge."""
    hour = 0

    def columns() -> readings.ReadingColumns:
        nonlocal hour
        hours = range(hour, hour + BATCH)
        hour = (hour + BATCH) % (int(time.time()) // 3600 - BATCH)
        return readings.ReadingColumns(
            scalars=readings.ScalarColumns(
                person_id=[stage.person(9)], metric=[HEART_RATE],
                time_us=[h * HOUR_US + stage.rng.randrange(HOUR_US) for h in hours], value=[FINE] * BATCH,
            )
        )  # fmt: skip

    await HostileStream(stage, 9, "history").run(columns, pause_s=0.2)
