"""A person's device that pushes at full speed, also through kills of the server."""

from __future__ import annotations

import asyncio
import random

import grpc

from trackme.errors import raise_status
from trackme.protocol import IngestServiceStub, ingest, readings

from follower import PATIENCE_S
from revoked_runs import SECOND_US, PushedBatches

HEART_RATE = 1
FIRST_SECOND = 1_000_000_000
# Batches that a device has under way at most.
WINDOW = 64
OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 << 20),
    ("grpc.initial_reconnect_backoff_ms", 100), ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 300),
)  # fmt: skip
NARROW = (*OPTIONS, ("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1 << 16))
"""Of a client that is sent little ahead of what it reads."""


def is_passing(error: grpc.RpcError) -> bool:
    """Whether a call ended so because the server was killed. What grpc.aio makes of a write into a connection that
    broke is no status."""
    return error.code() == grpc.StatusCode.UNAVAILABLE or error.details() == "Internal error from Core"


class Device:
    """Pushes as fast as it may, as long as it is let."""

    def __init__(self, person: int, token: str, name: str, rng: random.Random):
        self.pushed = PushedBatches(FIRST_SECOND)
        self.pause_s = 0.0
        """After each batch."""
        self._person, self._name, self._rng = person, name, rng
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._under_way: dict[int, ingest.PushReadingsRequest] = {}
        self._room = asyncio.Semaphore(WINDOW)

    async def push(self, channel: grpc.aio.Channel, sizes, quiet: asyncio.Event, resumes: bool = False) -> None:
        """Batches of these sizes until it shall be quiet; returns when all of them are committed. With `resumes` it
        goes on, and sends again what was under way, when the server was killed."""
        sizes = iter(sizes)
        while True:
            try:
                await self._connection(channel, sizes, quiet)
                if not self._under_way:
                    return
            except grpc.aio.AioRpcError as error:
                if not resumes or not is_passing(error):
                    raise
                await asyncio.sleep(0.05)

    async def _connection(self, channel: grpc.aio.Channel, sizes, quiet: asyncio.Event) -> None:
        call = IngestServiceStub(channel).PushReadings(metadata=self._metadata)
        reader = None
        try:
            await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=self._name)))
            async with asyncio.timeout(PATIENCE_S):
                first = await call.read()
            if first is grpc.aio.EOF:
                return await raise_status(call)
            for sequence in sorted(s for s in self._under_way if s <= first.welcome.last_sequence):
                self.pushed.committed(sequence)
                self._settle(sequence)
            again = list(self._under_way.values())
            reader = asyncio.create_task(self._acknowledgements(call))
            for frame in again:
                await call.write(frame)
            await self._send_new(call, reader, sizes, quiet)
            await call.done_writing()
            async with asyncio.timeout(PATIENCE_S):
                await reader
        except asyncio.InvalidStateError:  # the call was over before our write
            await raise_status(call)
        finally:
            if reader is not None:
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)
            call.cancel()

    async def _send_new(self, call, reader: asyncio.Task, sizes, quiet: asyncio.Event) -> None:
        while not quiet.is_set():
            if self._room.locked():
                room = asyncio.create_task(self._room.acquire())
                await asyncio.wait([room, reader], return_when=asyncio.FIRST_COMPLETED)
                if not room.done():
                    room.cancel()
                    return  # the connection broke
            else:
                await self._room.acquire()
            size = next(sizes, None)
            if size is None or quiet.is_set():
                self._room.release()
                return
            frame = self._batch(self.pushed.add(size))
            self._under_way[self.pushed.count] = frame
            await call.write(frame)
            if self.pause_s:
                await asyncio.sleep(self.pause_s)

    async def _acknowledgements(self, call) -> None:
        while (response := await call.read()) is not grpc.aio.EOF:
            for a in response.acknowledgements.acknowledgements:
                if a.repeated:
                    self.pushed.committed(a.sequence)
                else:
                    self.pushed.acknowledged(a.sequence, a.position)
                self._settle(a.sequence)
        await raise_status(call)

    def _settle(self, sequence: int) -> None:
        if self._under_way.pop(sequence, None) is not None:
            self._room.release()

    def _batch(self, seconds: range) -> ingest.PushReadingsRequest:
        columns = readings.ReadingColumns(
            scalars=readings.ScalarColumns(
                person_id=[self._person],
                metric=[HEART_RATE],
                time_us=[s * SECOND_US for s in seconds],
                value=[self.pushed.value(s) for s in seconds],
            )
        )
        return ingest.PushReadingsRequest(
            batch=ingest.ReadingBatch(sequence=self.pushed.count, readings=columns)
        )
