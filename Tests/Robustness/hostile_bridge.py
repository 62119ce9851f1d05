"""Well-behaved streams: a bridge that pushes at a steady rate, and a person who follows what comes of it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import grpc

from trackme.protocol import IngestServiceStub, SubscriptionServiceStub, ingest, readings, sharing

from hostile_cast import READINGS_PER_PERSON, Cast

OPTIONS = (("grpc.use_local_subchannel_pool", 1),)
PERSONS_PER_BATCH = 100
SECOND_US = 1_000_000
HEART_RATE = 1
LAG_EVERY_S = 0.5


def open_channel(target: str) -> grpc.aio.Channel:
    """A connection of its own."""
    return grpc.aio.insecure_channel(target, OPTIONS)


async def sleep_until(moment_s: float) -> None:
    await asyncio.sleep(max(0.0, moment_s - time.time()))


class Bridge:
    """Pushes the last second of each of its persons once a second. It sends again what was not acknowledged when a
    stream ends, and notes that it did."""

    def __init__(self, cast: Cast, number: int, persons: list[int]):
        self._cast, self._account = cast, cast.bridges[number]
        groups = [persons[i : i + PERSONS_PER_BATCH] for i in range(0, len(persons), PERSONS_PER_BATCH)]
        # What is the same in each second: persons, values, and times within the second.
        self._groups = [
            (
                group,
                [p for p in group for _ in range(READINGS_PER_PERSON)],
                [60.0 + (p + i) % 40 for p in group for i in range(READINGS_PER_PERSON)],
                [p % 997 + i * SECOND_US // READINGS_PER_PERSON for p in group for i in range(READINGS_PER_PERSON)],
            )
            for group in groups
        ]
        self.acknowledged: Counter[int] = Counter()
        """Readings of each person."""
        self.sent = 0
        self.problems: list[str] = []
        self._open: dict[int, tuple[int, ingest.PushReadingsRequest]] = {}
        """What is not acknowledged, by its sequence number: the place of its group, and the frame."""
        self._call = None

    async def run(self, begin_s: float, end_s: float, last_s: float) -> None:
        async with open_channel(self._cast.target) as channel:
            keeping = asyncio.create_task(self._keep_open(channel))
            try:
                await self._push(begin_s, end_s)
                async with asyncio.timeout(last_s):
                    while self._open:
                        await asyncio.sleep(0.05)
            except TimeoutError:
                self.problems.append(f"bridge: {len(self._open)} batches were not acknowledged in the end")
            finally:
                keeping.cancel()
                await asyncio.gather(keeping, return_exceptions=True)

    async def _push(self, begin_s: float, end_s: float) -> None:
        sequence, second = 0, 0
        while begin_s + second < end_s:
            for place, (_, persons, values, offsets) in enumerate(self._groups):
                due = begin_s + second + place / len(self._groups)
                await sleep_until(due)
                start = int((begin_s + second - 1) * SECOND_US)
                sequence += 1
                frame = ingest.PushReadingsRequest(
                    batch=ingest.ReadingBatch(
                        sequence=sequence,
                        readings=readings.ReadingColumns(
                            scalars=readings.ScalarColumns(
                                person_id=persons, metric=[HEART_RATE], time_us=[start + o for o in offsets],
                                value=values,
                            )
                        ),
                    )
                )  # fmt: skip
                self._open[sequence] = (place, frame)
                self.sent += len(persons)
                if self._call is not None:
                    try:
                        await self._call.write(frame)
                    except (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
                        pass  # It is sent again on the next stream.
            second += 1

    async def _keep_open(self, channel: grpc.aio.Channel) -> None:
        while True:
            call = IngestServiceStub(channel).PushReadings(metadata=self._cast.caller("bridge", self._account))
            try:
                await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id="bridge")))
                welcome = (await call.read()).welcome
                written = welcome.last_sequence
                for number in [n for n in self._open if n <= written]:
                    self._acknowledge(number)
                # Others come while these are written.
                while (number := min((n for n in self._open if n > written), default=None)) is not None:
                    await call.write(self._open[number][1])
                    written = number
                self._call = call
                while (response := await call.read()) is not grpc.aio.EOF:
                    for one in response.acknowledgements.acknowledgements:
                        if one.rejected:
                            self.problems.append(f"bridge: {one.rejected} readings were rejected")
                        self._acknowledge(one.sequence)
                self.problems.append("bridge: the stream ended")
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
                self.problems.append(f"bridge: {_status(error)}")
            finally:
                self._call = None
                call.cancel()
            await asyncio.sleep(0.2)

    def _acknowledge(self, sequence: int) -> None:
        if (entry := self._open.pop(sequence, None)) is not None:
            for person in self._groups[entry[0]][0]:
                self.acknowledged[person] += READINGS_PER_PERSON


class Subscriber:
    """A person who follows the own readings: each comes once, in order."""

    def __init__(self, cast: Cast, person: int, channel: grpc.aio.Channel):
        self._cast, self._channel = cast, channel
        self.person = person
        self.readings = 0
        self.lags: list[tuple[float, float]] = []
        """When a frame came, and how long after its last reading's time; not of every frame."""
        self.problems: list[str] = []
        self.standing = asyncio.Event()

    async def run(self) -> None:
        metadata = self._cast.caller("session", self.person)
        call = SubscriptionServiceStub(self._channel).Subscribe(metadata=metadata)
        start = sharing.SubscribeStart(person_ids=[self.person], start_at=sharing.START_AT_NOW)
        newest, noted_s = 0, 0.0
        try:
            await call.write(sharing.SubscribeRequest(start=start))
            while (response := await call.read()) is not grpc.aio.EOF:
                self.standing.set()
                times = response.delivery.readings.scalars.time_us
                if not times:
                    continue
                self.readings += len(times)
                if times[0] <= newest or any(b <= a for a, b in zip(times, times[1:])):
                    self.problems.append(f"subscriber {self.person}: readings came twice or out of order")
                newest = times[-1]
                if (now := time.time()) > noted_s + LAG_EVERY_S:
                    noted_s = now
                    self.lags.append((round(now, 3), round(now - newest / SECOND_US, 3)))
            self.problems.append(f"subscriber {self.person}: the stream ended")
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            self.problems.append(f"subscriber {self.person}: {_status(error)}")
        finally:
            self.standing.set()
            call.cancel()


def _status(error: Exception) -> str:
    return f"{error.code().name}: {error.details()}" if isinstance(error, grpc.RpcError) else repr(error)
