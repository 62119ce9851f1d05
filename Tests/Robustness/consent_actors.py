"""A person, the person's device and a third party who follows under one grant after the other."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack

import grpc

from trackme.protocol import (
    AccessServiceStub,
    IngestServiceStub,
    ReadingServiceStub,
    SubscriptionServiceStub,
    access,
    ingest,
    reading_service,
    readings,
    sharing,
)

from accounts import Accounts, whole
from follower import PATIENCE_S, Follower, note, note_status
from revoked_runs import SECOND_US, PushedBatches, Reading, RevokedRun

HEART_RATE = 1
FIRST_SECOND = 1_000_000_000
# Batches that a device has under way at most.
WINDOW = 64
OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 << 20))

KINDS = ("live", "catching up", "slow reader", "max_outstanding", "no acknowledgements", "two streams", "export",
         "given up by the third party")  # fmt: skip


class Device:
    """Pushes as fast as it may, as long as it is let."""

    def __init__(self, person: int, token: str, name: str, rng: random.Random):
        self.pushed = PushedBatches(FIRST_SECOND)
        self._person, self._name, self._rng = person, name, rng
        self._metadata = (("authorization", f"Bearer {token}"),)

    async def push(self, channel: grpc.aio.Channel, sizes, quiet: asyncio.Event) -> None:
        """Batches of these sizes until it shall be quiet; returns when all of them are acknowledged."""
        call = IngestServiceStub(channel).PushReadings(metadata=self._metadata)
        room = asyncio.Semaphore(WINDOW)
        await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=self._name)))
        await call.read()
        reader = asyncio.create_task(self._acknowledgements(call, room))
        try:
            for size in sizes:
                await room.acquire()
                if quiet.is_set():
                    break
                await call.write(self._batch(self.pushed.add(size)))
            await call.done_writing()
            async with asyncio.timeout(PATIENCE_S):
                await reader
        finally:
            reader.cancel()
            call.cancel()

    async def _acknowledgements(self, call, room: asyncio.Semaphore) -> None:
        while (response := await call.read()) is not grpc.aio.EOF:
            for a in response.acknowledgements.acknowledgements:
                self.pushed.acknowledged(a.sequence, a.position)
                room.release()

    def _batch(self, seconds: range) -> ingest.PushReadingsRequest:
        columns = readings.ReadingColumns(
            scalars=readings.ScalarColumns(
                person_id=[self._person],
                metric=[HEART_RATE],
                time_us=[s * SECOND_US for s in seconds],
                value=[float(60 + s % 60) for s in seconds],
            )
        )
        return ingest.PushReadingsRequest(
            batch=ingest.ReadingBatch(sequence=self.pushed.count, readings=columns)
        )


class Household:
    """One person with a device, and one doctor. Its runs follow each other; other households run beside it."""

    def __init__(self, number: int, accounts: Accounts, rng: random.Random, history: int):
        self.rng, self.runs, self.problems = rng, [], []
        self._history, self._target = history, accounts.server.target
        person, doctor = accounts.person(), accounts.third_party()
        self._fiscal_code = person.who.fiscal_code
        self._device = Device(person.account_id, person.device().token, f"watch-{number}", rng)
        self._person_metadata, self._doctor_metadata = (
            (("authorization", f"Bearer {who.token}"),) for who in (person, doctor)
        )

    async def live(self, runs: int) -> None:
        """So many runs."""
        async with AsyncExitStack() as stack:
            self._own, self._devices, self._doctors = [
                await stack.enter_async_context(grpc.aio.insecure_channel(self._target, options=OPTIONS))
                for _ in range(3)
            ]
            self._followed = stack.enter_context(grpc.insecure_channel(self._target, OPTIONS))
            self._threads = stack.enter_context(ThreadPoolExecutor(2))
            sizes = [5_000] * (self._history // 5_000)
            await self._device.push(self._devices, sizes, asyncio.Event())
            for _ in range(runs):
                run = await self._one(self.rng.choice(KINDS))
                self.runs.append(run)
                self.problems += run.problems(self._device.pushed)

    async def _one(self, kind: str) -> RevokedRun:
        run = RevokedRun(kind)
        grant = await self._grant()
        subscription = await self._subscribe(grant)
        revoked = asyncio.Event()
        another = await self._subscribe(grant) if self.rng.random() < 0.5 else subscription
        followers = self._followers(kind, run, grant, subscription, another, revoked)
        quiet = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            sizes = (self.rng.choice([1, 1, 2, 5, 50]) for _ in itertools.count())
            pushing = group.create_task(self._device.push(self._devices, sizes, quiet))
            standing = [asyncio.Event() for _ in followers]
            ends = [group.create_task(follow(event)) for follow, event in zip(followers, standing)]
            # Some of those that begin with the oldest reading come at the moment of the end, or too late.
            if kind != "catching up" or self.rng.random() < 0.5:
                async with asyncio.timeout(PATIENCE_S):
                    await asyncio.gather(*(event.wait() for event in standing))
            await asyncio.sleep(self.rng.choice([0, self.rng.uniform(0, 0.05), self.rng.uniform(0, 0.4)]))
            ended = await self._end(kind, grant, run)
            run.position, run.state = ended.position, ended.state
            revoked.set()
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.gather(*ends)
            quiet.set()
            await pushing
        run.committed_after = self._device.pushed.after(run.position)
        return run

    async def _grant(self) -> int:
        doctor, person = AccessServiceStub(self._doctors), AccessServiceStub(self._own)
        asked = await doctor.RequestAccess(
            access.RequestAccessRequest(fiscal_code=self._fiscal_code, scope=whole(), purpose="To be revoked"),
            metadata=self._doctor_metadata, timeout=PATIENCE_S,
        )  # fmt: skip
        number = asked.access_request.access_request_id
        await person.AcceptAccessRequest(
            access.AcceptAccessRequestRequest(access_request_id=number),
            metadata=self._person_metadata, timeout=PATIENCE_S,
        )  # fmt: skip
        return number

    async def _subscribe(self, grant: int) -> int:
        answer = await SubscriptionServiceStub(self._doctors).CreateSubscription(
            sharing.CreateSubscriptionRequest(access_request_id=grant, cadence=sharing.CADENCE_AS_PRODUCED),
            metadata=self._doctor_metadata, timeout=PATIENCE_S,
        )  # fmt: skip
        return answer.subscription.subscription_id

    async def _end(self, kind: str, grant: int, run: RevokedRun) -> access.AccessRequest:
        by_doctor = kind == "given up by the third party"
        stub = AccessServiceStub(self._doctors if by_doctor else self._own)
        run.revoked_s = time.monotonic()
        answer = await stub.RevokeAccess(
            access.RevokeAccessRequest(access_request_id=grant),
            metadata=self._doctor_metadata if by_doctor else self._person_metadata, timeout=PATIENCE_S,
        )  # fmt: skip
        return answer.access_request

    def _followers(
        self, kind: str, run: RevokedRun, grant: int, subscription: int, another: int, revoked: asyncio.Event
    ) -> list:
        """What the third party does: functions that return when what they follow has ended."""

        def stream(name: str = "stream", of: int = subscription, **options):
            reading = Reading(name)
            run.readings.append(reading)
            return lambda standing: self._stream(reading, of, revoked, standing, **options)

        match kind:
            case "catching up":
                return [stream(start_at=sharing.START_AT_BEGINNING)]
            case "slow reader":
                return [stream(pause_s=self.rng.uniform(0.005, 0.1), start_at=self.rng.choice([1, 2]))]
            case "max_outstanding":
                return [stream(max_outstanding=self.rng.randrange(1, 9))]
            case "no acknowledgements":
                return [stream(max_outstanding=self.rng.randrange(1, 4), acknowledges=False)]
            case "two streams":
                return [stream("first"), stream("second", another, start_at=sharing.START_AT_BEGINNING)]
            case "export":
                reading = Reading("export", is_export=True)
                run.readings.append(reading)
                return [stream(), lambda standing: self._export(reading, grant, revoked, standing)]
            case _:
                return [stream()]

    async def _stream(
        self, reading: Reading, subscription: int, revoked: asyncio.Event, standing: asyncio.Event, **options
    ) -> None:
        """Follows a subscription to its end. On a thread of its own: the asynchronous library forgets the status of a
        stream that ends while the client writes."""
        loop = asyncio.get_running_loop()
        follower = Follower(self._followed, self._doctor_metadata, reading, revoked, **options)

        def follow() -> float:
            try:
                return follower.follow(subscription, lambda: loop.call_soon_threadsafe(standing.set))
            finally:
                loop.call_soon_threadsafe(standing.set)

        reading.ended_s = await loop.run_in_executor(self._threads, follow)

    async def _export(
        self, reading: Reading, grant: int, revoked: asyncio.Event, standing: asyncio.Event
    ) -> None:
        call = ReadingServiceStub(self._doctors).ExportReadings(
            reading_service.ExportReadingsRequest(access_request_id=grant),
            metadata=self._doctor_metadata, timeout=PATIENCE_S,
        )  # fmt: skip
        pause_s = self.rng.choice([0, 0.005, 0.05])
        try:
            async for part in call:
                standing.set()
                note(reading, [r.time_us for r in part.readings])
                if pause_s and not revoked.is_set():
                    await asyncio.sleep(pause_s)
            reading.status = "OK"
        except grpc.aio.AioRpcError as error:
            note_status(reading, error)
        reading.ended_s = time.monotonic()
        standing.set()
