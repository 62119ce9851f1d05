"""Writers and subscribers that live through the kills and write down what they see."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

import grpc

from trackme import Backoff, Reading, TrackMeClient
from trackme.errors import raise_status
from trackme.protocol import IngestServiceStub, SubscriptionServiceStub, ingest, readings, sharing

from histories import Acknowledgement, Batch, Key, Resume, Stream, Welcome, Writer
from statuses import ObservedSession, Statuses

METRIC, METRIC_ID = "steps", 9
# A stream that is silent for so long is dead: heartbeats come five times per second.
SILENCE_S = 10
_OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 << 20))


@dataclass
class Landscape:
    """What all actors share."""

    target: str
    token: str
    rate: float
    """Batches per second of each writer."""
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the killing is over: writers finish."""
    packed: int = 0
    """Readings up to this position are in chunks, and no server that runs has had them in memory."""
    statuses: Statuses = field(default_factory=Statuses)

    @property
    def metadata(self):
        return (("authorization", f"Bearer {self.token}"),)

    def channel(self) -> grpc.aio.Channel:
        return grpc.aio.insecure_channel(self.target, options=_OPTIONS)


class _KeySource:
    """Readings that are all different: one a microsecond."""

    def __init__(self, client: str, persons: list[int], rng: random.Random):
        self._client, self._persons, self._rng = client, persons, rng
        self._time_us = time.time_ns() // 1000 - 3_600_000_000
        self._number = 0

    def batch(self) -> tuple[Key, ...]:
        keys = []
        for _ in range(self._rng.choice([1, 1, 2, 5, 20])):
            self._number += 1
            person = self._rng.choice(self._persons)
            keys.append(Key(person, self._client, self._time_us + self._number * 1000, float(self._number % 1_000_000)))
        return tuple(keys)


class StreamWriter:
    """PushReadings by hand, and unkind: it keeps a dozen batches under way, after a reconnect it sends again what the
    server has already, abandons some of what is unacknowledged, and now and then breaks the connection itself."""

    def __init__(self, client: str, land: Landscape, persons: list[int], rng: random.Random):
        self.history = Writer(client)
        self.sent_again = 0
        self._land, self._rng = land, rng
        self._keys = _KeySource(client, persons, rng)
        self._sequence = 0
        self._unacknowledged: dict[int, Batch] = {}
        self._abandoned: set[int] = set()

    async def run(self) -> None:
        while not (self._land.quiet.is_set() and not self._unacknowledged):
            try:
                async with self._land.channel() as channel:
                    await self._connection(IngestServiceStub(channel))
            except grpc.aio.AioRpcError as error:
                self._land.statuses.note(error)
                await asyncio.sleep(self._rng.uniform(0.01, 0.2))
            except TimeoutError:
                await asyncio.sleep(self._rng.uniform(0.01, 0.2))

    async def _connection(self, stub: IngestServiceStub) -> None:
        call = stub.PushReadings(metadata=self._land.metadata)
        try:
            await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=self.history.client)))
            async with asyncio.timeout(SILENCE_S):
                first = await call.read()
            if first is grpc.aio.EOF:
                return
            repeats = self._take_welcome(first.welcome.last_sequence)
            reader = asyncio.create_task(self._read(call))
            try:
                await self._write(call, repeats, reader)
            finally:
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)
        except asyncio.InvalidStateError:  # the call was over before our write
            await raise_status(call)
        finally:
            call.cancel()

    def _take_welcome(self, last: int) -> list[Batch]:
        """Notes what is committed, and says what to send first."""
        history = self.history
        history.welcomes.append(Welcome(last, max(history.acknowledged, default=0), self._sequence))
        for sequence in [s for s in self._unacknowledged if s <= last]:
            del self._unacknowledged[sequence]
            history.acknowledgements.append(Acknowledgement(sequence, None))
        # Not of what it has abandoned: if the server has passed its number, it is a repeat, whether it was kept or not.
        committed = [b for s, b in history.batches.items() if s <= last and s not in self._abandoned]
        repeats = sorted(self._rng.sample(committed[-50:], min(3, len(committed[-50:]))), key=lambda b: b.sequence)
        for sequence in list(self._unacknowledged):
            if self._rng.random() < 0.1:
                del self._unacknowledged[sequence]
                self._abandoned.add(sequence)
        return [*repeats, *self._unacknowledged.values()]

    async def _write(self, call, first: list[Batch], reader: asyncio.Task) -> None:
        self.sent_again += len(first)
        for batch in first:
            await call.write(self._frame(batch))
        ends = asyncio.get_running_loop().time() + self._rng.expovariate(1 / 8)
        while not reader.done():
            if self._land.quiet.is_set():
                if not self._unacknowledged:
                    return
                await asyncio.sleep(0.01)
                continue
            if asyncio.get_running_loop().time() > ends:
                return  # with batches under way
            if len(self._unacknowledged) < 12:
                self._sequence += self._rng.choice([1, 1, 1, 5])
                batch = Batch(self._sequence, self._keys.batch())
                self.history.batches[batch.sequence] = self._unacknowledged[batch.sequence] = batch
                await call.write(self._frame(batch))
            await asyncio.sleep(self._rng.expovariate(self._land.rate))
        await reader

    async def _read(self, call) -> None:
        while (response := await call.read()) is not grpc.aio.EOF:
            for a in response.acknowledgements.acknowledgements:
                self._unacknowledged.pop(a.sequence, None)
                self.history.acknowledgements.append(Acknowledgement(a.sequence, a.position, a.repeated))

    def _frame(self, batch: Batch) -> ingest.PushReadingsRequest:
        columns = readings.ReadingColumns(
            scalars=readings.ScalarColumns(
                person_id=[k.person for k in batch.keys],
                metric=[METRIC_ID],
                time_us=[k.time_us for k in batch.keys],
                value=[k.value for k in batch.keys],
            )
        )
        return ingest.PushReadingsRequest(batch=ingest.ReadingBatch(sequence=batch.sequence, readings=columns))


class SessionWriter:
    """PushReadings by the package's session, which must bring every batch home."""

    def __init__(self, client: str, land: Landscape, persons: list[int], rng: random.Random):
        self.history = Writer(client)
        self.sent_again = 0
        self._land, self._rng = land, rng
        self._keys = _KeySource(client, persons, rng)

    async def run(self) -> None:
        land = self._land
        async with TrackMeClient(land.target, land.token) as client:
            session = ObservedSession(
                client, self.history.client, land.statuses, window=16, backoff=Backoff(0.02, 0.3),
                connect_timeout_s=SILENCE_S,
            )  # fmt: skip
            async with asyncio.TaskGroup() as tickets, session:
                while not land.quiet.is_set():
                    keys = self._keys.batch()
                    ticket = await session.send([Reading(k.person, METRIC, k.time_us, k.value) for k in keys])
                    self.history.batches[ticket.sequence] = Batch(ticket.sequence, keys)
                    tickets.create_task(self._note(ticket))
                    await asyncio.sleep(self._rng.expovariate(land.rate))
            self.sent_again = session.statistics.batches_resent

    async def _note(self, ticket) -> None:
        a = await ticket
        position = a.position if a.position > 0 else None
        self.history.acknowledgements.append(Acknowledgement(a.sequence, position, a.repeated))


class StreamReader:
    """Subscribe by hand. It resumes after the cursor of the last frame it dealt with, after every broken connection
    and, with `frames_per_connection`, after breaking it itself. It is away between `leave` and `come_back`."""

    def __init__(
        self,
        name: str,
        land: Landscape,
        persons: frozenset[int] | None,
        rng: random.Random,
        *,
        pause_s: float = 0.0,
        frames_per_connection: float = float("inf"),
        max_outstanding: int = 0,
    ):
        self.history = Stream(name, persons)
        self.standing = asyncio.Event()
        self.connections = 0
        self._land, self._rng = land, rng
        self._pause_s, self._max_outstanding = pause_s, max_outstanding
        self._frames_per_connection = frames_per_connection
        self._cursor = ""
        self._grown = asyncio.Condition()
        self._here = asyncio.Event()
        self._here.set()

    async def run(self) -> None:
        while True:
            await self._here.wait()
            try:
                async with self._land.channel() as channel:
                    self.connections += 1
                    self.history.resumes.append(Resume(len(self.history.delivered), self._land.packed))
                    await self._connection(SubscriptionServiceStub(channel))
            except grpc.aio.AioRpcError as error:
                self._land.statuses.note(error)
                await asyncio.sleep(self._rng.uniform(0.01, 0.2))
            except TimeoutError:
                await asyncio.sleep(self._rng.uniform(0.01, 0.2))

    def leave(self) -> None:
        """Ends the connection with the next frame; there is no other until `come_back`."""
        self._here.clear()

    def come_back(self) -> None:
        self._here.set()

    async def has(self, count: int) -> None:
        """Waits until so many readings were delivered."""
        async with self._grown:
            await self._grown.wait_for(lambda: len(self.history.delivered) >= count)

    async def _connection(self, stub: SubscriptionServiceStub) -> None:
        call = stub.Subscribe(metadata=self._land.metadata)
        try:
            start = sharing.SubscribeStart(
                person_ids=self.history.persons or (),
                cursor=self._cursor,
                start_at=sharing.START_AT_NOW,
                max_outstanding=self._max_outstanding,
            )
            await call.write(sharing.SubscribeRequest(start=start))
            # Those that resume get one frame more than they note, as in a crash: it must come again.
            frames = self._frames_per_connection
            left = frames if frames == float("inf") else self._rng.randrange(1, int(2 * frames))
            while left > 0 and self._here.is_set():
                async with asyncio.timeout(SILENCE_S):
                    response = await call.read()
                if response is grpc.aio.EOF:
                    return
                left -= 1
                if left == 0 and frames != float("inf") and self.standing.is_set():
                    return
                await self._take(response)
                if self._pause_s:
                    await asyncio.sleep(self._rng.expovariate(1 / self._pause_s))
                await call.write(
                    sharing.SubscribeRequest(acknowledgement=sharing.SubscribeAcknowledgement(cursor=response.cursor))
                )
        except asyncio.InvalidStateError:  # the call was over before our write
            await raise_status(call)
        finally:
            call.cancel()

    async def _take(self, response: sharing.SubscribeResponse) -> None:
        columns = response.delivery.readings
        scalars = columns.scalars
        n = len(scalars.time_us)

        def entry(column, i):
            return column[0] if len(column) == 1 else column[i]

        keys = [
            Key(
                entry(scalars.person_id, i),
                columns.sources[entry(scalars.source, i)],
                scalars.time_us[i],
                scalars.value[i],
            )
            for i in range(n)
        ]
        async with self._grown:
            history = self.history
            if response.delivery.catching_up:
                history.caught_up.update(range(len(history.delivered), len(history.delivered) + n))
            history.delivered += keys
            self._cursor = response.cursor
            self._grown.notify_all()
        self.standing.set()
