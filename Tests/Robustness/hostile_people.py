"""Well-behaved persons: those whose values cross a limit, and those who ask small questions."""

from __future__ import annotations

import asyncio
import json
import random
import time

import grpc

from trackme.protocol import (
    IdentityServiceStub, IngestServiceStub, NotificationServiceStub, RaceServiceStub, ReadingServiceStub,
    SosServiceStub, identity, ingest, notifications, races, reading_service, readings, sos,
)  # fmt: skip

from attack_http import head
from hostile_bridge import HEART_RATE, SECOND_US, open_channel, sleep_until
from hostile_cast import Cast, said

HOLD_S = 3.1
"""Between the two readings of a crossing; more than the hold of the default limits."""
BEYOND = 35.0
DEADLINE_S = 30
"""Of every call: one that takes longer counts as refused."""
PAUSE_S = 0.5
CALLS_PER_CONNECTION = 10


class Wearer:
    """A person whose device tells of a limit that is crossed: on a stream that is open since the beginning, or by
    connecting."""

    def __init__(self, cast: Cast, person: int, at_s: float, is_connected: bool):
        self._cast, self._person, self._at_s, self._is_connected = cast, person, at_s, is_connected
        self.problems: list[str] = []
        self.seen = {"person": person, "due_s": at_s, "acknowledged": 0}
        """When the call was due, and what was acknowledged. The time that a device takes to connect counts."""

    async def run(self) -> None:
        if not self._is_connected:
            await sleep_until(self._at_s)
            self.seen["due_s"] = time.time()
        async with open_channel(self._cast.target) as channel:
            metadata = self._cast.caller("device", self._person)
            call = IngestServiceStub(channel).PushReadings(metadata=metadata)
            try:
                await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id="watch")))
                await call.read()
                if self._is_connected:
                    await sleep_until(self._at_s)
                    self.seen["due_s"] = time.time()
                await call.write(ingest.PushReadingsRequest(batch=self._crossing()))
                async with asyncio.timeout(DEADLINE_S):
                    answer = await call.read()
                self.seen["acknowledged"] = sum(a.accepted for a in answer.acknowledgements.acknowledgements)
                await call.done_writing()
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError, AttributeError, TimeoutError) as error:
                word = error.code().name if isinstance(error, grpc.RpcError) else repr(error)
                self.problems.append(f"wearer {self._person}: {word}")

    def _crossing(self) -> ingest.ReadingBatch:
        times = [int((self.seen["due_s"] - ago) * SECOND_US) for ago in (HOLD_S, 0)]
        columns = readings.ReadingColumns(
            scalars=readings.ScalarColumns(
                person_id=[self._person], metric=[HEART_RATE], time_us=times, value=[BEYOND] * 2
            )
        )
        return ingest.ReadingBatch(sequence=1, readings=columns)


class Prober:
    """A person who asks something small again and again; now and then one who logs in."""

    def __init__(self, cast: Cast, person: int, rng: random.Random):
        self._cast, self._person, self._rng = cast, person, rng
        self.probes: list[tuple[float, str, float, str]] = []
        """When a call began, what it was, how long it took in seconds, and its status."""

    async def run(self, begin_s: float, end_s: float) -> None:
        await sleep_until(begin_s + self._rng.uniform(0, PAUSE_S))
        while time.time() < end_s:
            async with open_channel(self._cast.target) as channel:
                for _ in range(CALLS_PER_CONNECTION):
                    await self._ask(channel)
                    await asyncio.sleep(self._rng.uniform(0, 2 * PAUSE_S))
                    if time.time() > end_s:
                        return

    async def _ask(self, channel: grpc.aio.Channel) -> None:
        method, request = self._rng.choice(self._questions(channel))
        name = type(request).__name__.removesuffix("Request")
        metadata = self._cast.caller("device" if name == "RecordReadings" else "session", self._person)
        if name == "LogIn":
            who = self._rng.randrange(len(self._cast.log_ins))
            request.name, request.password, token = self._cast.log_ins[who]
            metadata = said(token, f"198.51.100.{self._rng.randrange(1, 255)}")
        began, clock = time.time(), time.monotonic()
        try:
            try:
                response = await method(request, metadata=metadata, timeout=DEADLINE_S)
            except grpc.aio.AioRpcError as error:
                # The disk was busy for two seconds; that readings are sent again then is part of how long it took.
                if name != "RecordReadings" or error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
                response = await method(request, metadata=metadata, timeout=DEADLINE_S)
            status = "OK"
            if name == "LogIn" and token is not None:
                # The oldest of an account's sessions ends for a new one: clients show their newest.
                self._cast.log_ins[who] = (request.name, request.password, response.session.token)
        except grpc.aio.AioRpcError as error:
            status = f"{error.code().name} ({error.details()})"
        self.probes.append((round(began, 3), name, round(time.monotonic() - clock, 4), status))

    def _questions(self, channel: grpc.aio.Channel):
        now_us = int(time.time() * SECOND_US)
        reading = readings.Reading(person_id=self._person, metric="heart_rate", time_us=now_us, scalar=70)
        reads = ReadingServiceStub(channel)
        return [
            (IdentityServiceStub(channel).GetAccount, identity.GetAccountRequest()),
            (IdentityServiceStub(channel).ListDevices, identity.ListDevicesRequest()),
            (NotificationServiceStub(channel).ListNotifications, notifications.ListNotificationsRequest()),
            (SosServiceStub(channel).GetSosSettings, sos.GetSosSettingsRequest()),
            (RaceServiceStub(channel).SearchRaces, races.SearchRacesRequest(text="Corsa")),
            (reads.GetCurrentStatus, reading_service.GetCurrentStatusRequest(person_id=self._person)),
            (reads.ListReadings, reading_service.ListReadingsRequest(person_id=self._person, page_size=100)),
            (IngestServiceStub(channel).RecordReadings, ingest.RecordReadingsRequest(readings=[reading])),
            (IdentityServiceStub(channel).LogIn, identity.LogInRequest()),
        ]


class WebProber(Prober):
    """The same over HTTP, with JSON."""

    async def run(self, begin_s: float, end_s: float) -> None:
        await sleep_until(begin_s + self._rng.uniform(0, PAUSE_S))
        while time.time() < end_s:
            await self._ask_over_http()
            await asyncio.sleep(self._rng.uniform(0, 2 * PAUSE_S))

    async def _ask_over_http(self) -> None:
        path, fields = self._rng.choice([
            ("/trackme.identity.v1.IdentityService/GetAccount", {}),
            ("/trackme.readings.v1.ReadingService/GetCurrentStatus", {"personId": str(self._person)}),
        ])  # fmt: skip
        body = json.dumps(fields).encode()
        headers = self._cast.caller("session", self._person)
        request = head(path, headers, f"Content-Length: {len(body)}", "Connection: close") + b"\r\n" + body
        began, clock = time.time(), time.monotonic()
        status = await self._answer_to(request)
        # Where all places are taken, whoever has said nothing for longest makes room. In these attacks that may be somebody
        # who has come a fifth of a second ago.
        if status == "closed":
            status = await self._answer_to(request)
        name = f"{path.rpartition('/')[2]} over HTTP"
        self.probes.append((round(began, 3), name, round(time.monotonic() - clock, 4), status))

    async def _answer_to(self, request: bytes) -> str:
        try:
            async with asyncio.timeout(DEADLINE_S):
                reader, writer = await asyncio.open_connection(*self._cast.web_address)
                writer.write(request)
                answer = await reader.read()
                writer.close()
            return "OK" if answer.startswith(b"HTTP/1.1 200 ") else answer[:12].decode(errors="replace") or "closed"
        except (OSError, TimeoutError) as error:
            return type(error).__name__
