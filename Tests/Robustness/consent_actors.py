"""A person, the person's device and a third party who follows under one grant after the other."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import NamedTuple

import grpc

from trackme.protocol import (
    AccessServiceStub,
    ReadingServiceStub,
    SubscriptionServiceStub,
    access,
    reading_service,
    sharing,
)

from accounts import Accounts, whole
from compactions import compacted_position
from follower import COMPACTION_S, PATIENCE_S, STREAM_S, Follower, note, note_status
from pushing_device import NARROW, OPTIONS, Device, is_passing
from revoked_runs import MINUTE_S, SECOND_US, PushedBatches, Reading, RevokedRun
from stalls import stood_still_s

KINDS = ("live", "catching up", "slow reader", "max_outstanding", "no acknowledgements", "two streams", "export",
         "given up by the third party", "digest", "does not read")  # fmt: skip


class Stage(NamedTuple):
    """Of a run in which the server is killed."""

    ready: asyncio.Barrier
    """Everybody waits here before the killing begins."""
    over: asyncio.Barrier
    """And here when the run is over; nobody is killed any more."""
    outages: list[list[float]]
    """From when to when no server answered; that of one that runs ends in infinity."""


class Household:
    """One person with a device, and one doctor. Its runs follow each other; other households run beside it."""

    def __init__(self, number: int, accounts: Accounts, rng: random.Random, history: int):
        self.rng, self.runs = rng, []
        self._history, self._server = history, accounts.server
        person, doctor = accounts.person(), accounts.third_party()
        self._fiscal_code = person.who.fiscal_code
        self._device = Device(person.account_id, person.device().token, f"watch-{number}", rng)
        self._person_metadata, self._doctor_metadata = (
            (("authorization", f"Bearer {who.token}"),) for who in (person, doctor)
        )
        self._kinds = itertools.cycle(rng.sample(KINDS, len(KINDS)))

    async def live(self, runs: int, killed: Sequence[Stage] = ()) -> None:
        """So many runs, then one on each stage."""
        async with AsyncExitStack() as stack:
            self._own, self._devices, self._doctors = [
                await stack.enter_async_context(grpc.aio.insecure_channel(self._server.target, options=OPTIONS))
                for _ in range(3)
            ]
            self._followed, self._narrow = [
                stack.enter_context(grpc.insecure_channel(self._server.target, options))
                for options in (OPTIONS, NARROW)
            ]
            self._threads = stack.enter_context(ThreadPoolExecutor(3))
            sizes = [5_000] * (self._history // 5_000)
            await self._device.push(self._devices, sizes, asyncio.Event())
            for stage in [None] * runs + list(killed):
                self.runs.append(await self._one(next(self._kinds), stage))

    @property
    def pushed(self) -> PushedBatches:
        return self._device.pushed

    async def _one(self, kind: str, stage: Stage | None) -> RevokedRun:
        run = RevokedRun(kind, stood_still_s=stood_still_s)
        is_digest = kind == "digest"
        grant = await self._grant(access.GRANULARITY_MINUTE if is_digest else access.GRANULARITY_SECOND)
        subscription = await self._subscribe(grant)
        revoked = asyncio.Event()
        another = await self._subscribe(grant) if self.rng.random() < 0.5 else subscription
        followers = self._followers(kind, run, grant, subscription, another, revoked, stage is not None)
        quiet = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            sizes = (self.rng.choice([1, 1, 2, 5, 50]) for _ in itertools.count())
            pushing = group.create_task(self._device.push(self._devices, sizes, quiet, stage is not None))
            standing = [asyncio.Event() for _ in followers]
            ends = [group.create_task(follow(event)) for follow, event in zip(followers, standing)]
            # Some of those that begin with the oldest reading come at the moment of the end, or too late.
            if kind != "catching up" or self.rng.random() < 0.5:
                async with asyncio.timeout(PATIENCE_S):
                    await asyncio.gather(*(event.wait() for event in standing))
            if is_digest:
                await self._make_digests_due(subscription)
            if stage is not None:
                run.is_killed, run.outages = True, stage.outages
                await stage.ready.wait()
            await self._wait_for_end(run)
            ended = await self._end(kind, grant, run)
            run.answered_s, run.position, run.state = time.monotonic(), ended.position, ended.state
            revoked.set()
            await self._come_late(run, grant, subscription)
            async with asyncio.timeout(STREAM_S + PATIENCE_S):
                await asyncio.gather(*ends)
            quiet.set()
            await pushing
        run.committed_after = self.pushed.after(run.position)
        if stage is not None:
            await stage.over.wait()
        return run

    async def _wait_for_end(self, run: RevokedRun) -> None:
        """Until the moment at which the grant shall end."""
        await asyncio.sleep(self.rng.choice([0, self.rng.uniform(0, 0.05), self.rng.uniform(0, 0.4)]))
        if run.kind == "digest":
            # Digests are made once per second, when what their watermark covers is in chunks: some at the moment of the end.
            wait_until_s = time.monotonic() + self.rng.choice([self.rng.uniform(0, 2), COMPACTION_S])
            while not run.readings[0].minutes and time.monotonic() < wait_until_s:
                await asyncio.sleep(0.02)

    async def _make_digests_due(self, subscription: int) -> None:
        """When what is new to the subscription is in chunks, its period that runs is made one that is over."""
        # What was pushed before is no news; a whole minute is in what follows.
        second = self.pushed.next_second + 2 * MINUTE_S
        self._device.pause_s = 0.02
        async with asyncio.timeout(COMPACTION_S):
            while not await self._is_in_chunks(second):
                await asyncio.sleep(0.1)
        self._device.pause_s = 0.0
        await asyncio.to_thread(
            self._server.sql,
            "UPDATE subscription SET period_start = date_trunc('minute', now()) - interval '4 minutes',"
            " period_end = date_trunc('minute', now()) - interval '3 minutes' WHERE id = %s", (subscription,),
        )  # fmt: skip

    async def _is_in_chunks(self, second: int) -> bool:
        position = self.pushed.position_of(second * SECOND_US)
        return position is not None and position <= await asyncio.to_thread(compacted_position, self._server)

    async def _grant(self, granularity: int) -> int:
        doctor, person = AccessServiceStub(self._doctors), AccessServiceStub(self._own)
        asked = await doctor.RequestAccess(
            access.RequestAccessRequest(
                fiscal_code=self._fiscal_code, scope=whole(granularity), purpose="To be revoked"
            ),
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
        """Ends the grant, again until that is answered."""
        by_doctor = kind == "given up by the third party"
        stub = AccessServiceStub(self._doctors if by_doctor else self._own)
        run.revoked_s = time.monotonic()
        while True:
            try:
                answer = await stub.RevokeAccess(
                    access.RevokeAccessRequest(access_request_id=grant),
                    metadata=self._doctor_metadata if by_doctor else self._person_metadata, timeout=PATIENCE_S,
                )  # fmt: skip
                return answer.access_request
            except grpc.aio.AioRpcError as error:
                if not run.is_killed or not is_passing(error) or time.monotonic() > run.revoked_s + PATIENCE_S:
                    raise
                await asyncio.sleep(0.05)

    async def _come_late(self, run: RevokedRun, grant: int, subscription: int) -> None:
        """Asks for an export and for a stream when the end was answered."""
        export = Reading("late export", is_export=True, is_late=True)
        stream = Reading("late stream", is_late=True)
        run.readings += [export, stream]
        revoked = asyncio.Event()
        revoked.set()
        await self._export(export, grant, revoked, asyncio.Event(), resumes=run.is_killed)
        await self._stream(
            stream, subscription, revoked, asyncio.Event(), resumes=run.is_killed, start_at=sharing.START_AT_BEGINNING
        )

    def _followers(
        self, kind: str, run: RevokedRun, grant: int, subscription: int, another: int, revoked: asyncio.Event,
        resumes: bool,
    ) -> list:  # fmt: skip
        """What the third party does: functions that return when what they follow has ended."""

        def stream(name: str = "stream", of: int = subscription, **options):
            reading = Reading(name)
            run.readings.append(reading)
            return lambda standing: self._stream(reading, of, revoked, standing, resumes=resumes, **options)

        match kind:
            case "catching up":
                return [stream(start_at=sharing.START_AT_BEGINNING)]
            case "slow reader":
                # What waits in its own memory has to be read first: not so much that reading it takes long.
                pause_s, start_at = self.rng.uniform(0.005, 0.1), self.rng.choice([1, 2])
                return [stream(pause_s=pause_s, start_at=start_at, max_outstanding=100)]
            case "max_outstanding":
                return [stream(max_outstanding=self.rng.randrange(1, 9))]
            case "no acknowledgements":
                return [stream(max_outstanding=self.rng.randrange(1, 4), acknowledges=False)]
            case "two streams":
                return [stream("first"), stream("second", another, start_at=sharing.START_AT_BEGINNING)]
            case "does not read":
                return [stream(stalls_s=0.8, start_at=sharing.START_AT_BEGINNING)]
            case "digest":
                return [stream(start_at=sharing.START_AT_BEGINNING)]
            case "export":
                reading = Reading("export", is_export=True)
                run.readings.append(reading)
                return [stream(), lambda standing: self._export(reading, grant, revoked, standing, resumes)]
            case _:
                return [stream()]

    async def _stream(
        self, reading: Reading, subscription: int, revoked: asyncio.Event, standing: asyncio.Event, **options
    ) -> None:
        """Follows a subscription to its end. On a thread of its own: the asynchronous library forgets the status of a
        stream that ends while the client writes."""
        loop = asyncio.get_running_loop()
        channel = self._narrow if "stalls_s" in options else self._followed
        follower = Follower(channel, self._doctor_metadata, reading, revoked, **options)

        def follow() -> float:
            try:
                return follower.follow(subscription, lambda: loop.call_soon_threadsafe(standing.set))
            finally:
                loop.call_soon_threadsafe(standing.set)

        reading.ended_s = await loop.run_in_executor(self._threads, follow)

    async def _export(
        self, reading: Reading, grant: int, revoked: asyncio.Event, standing: asyncio.Event, resumes: bool
    ) -> None:
        """Exports all that is granted; with `resumes` again from the beginning when the server was killed."""
        pause_s = self.rng.choice([0, 0.005, 0.05])
        patience = time.monotonic() + 2 * PATIENCE_S
        while True:
            reading.begin()
            call = ReadingServiceStub(self._doctors).ExportReadings(
                reading_service.ExportReadingsRequest(access_request_id=grant),
                metadata=self._doctor_metadata, timeout=PATIENCE_S,
            )  # fmt: skip
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
            if not resumes or reading.status != "UNAVAILABLE" or reading.ended_s > patience:
                break
            reading.breaks += 1
            await asyncio.sleep(0.05)
        standing.set()
