"""Connections and streams that are opened and not used: nothing is sent, or headers and no message, or nothing is
read."""

from __future__ import annotations

import asyncio

import grpc

from trackme.protocol import (
    LiveServiceStub, NotificationServiceStub, ReadingServiceStub, SubscriptionServiceStub, live, notifications,
    reading_service, readings, sharing,
)  # fmt: skip

from attack_readings import HostileStream
from hostile_bridge import HEART_RATE, SECOND_US
from hostile_stage import Stage
from raw_http2 import RawConnection

BATCH = 10_000
STREAMS = 1_000
"""As many as a connection may have."""
FEW_APART_S, MANY_APART_S = 0.02, 0.002
"""Seconds between two that come. In the short form the server has room for a tenth as many, so they come a tenth as fast: a
newcomer has as long to make its first call before those behind it displace it."""
AGAIN_S = 2
"""After which a connection that was closed is opened again."""
HOLD_S = 20
"""So long later each connection begins anew."""
FOLLOWED = 8
"""The place of the account that is followed by itself."""


async def unread_streams(stage: Stage) -> None:
    """An account follows its own readings and inbox on many streams, reads none of them, and pushes much."""
    calls = []
    async with stage.channel(("grpc.http2.lookahead_bytes", 1024)) as channel:
        metadata, person = stage.account(FOLLOWED), stage.person(FOLLOWED)
        start = sharing.SubscribeStart(person_ids=[person], start_at=sharing.START_AT_BEGINNING)
        for number in range(stage.scale(40, 80)):
            match number % 4:
                case 0 | 1:
                    call = SubscriptionServiceStub(channel).Subscribe(metadata=metadata)
                    try:
                        await call.write(sharing.SubscribeRequest(start=start))
                    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                        pass  # It is counted below.
                case 2:
                    request = reading_service.WatchReadingsRequest(person_id=person)
                    call = ReadingServiceStub(channel).WatchReadings(request, metadata=metadata)
                case _:
                    request = reading_service.ExportReadingsRequest(person_id=person)
                    call = ReadingServiceStub(channel).ExportReadings(request, metadata=metadata)
            calls.append(call)
        now_us = int(stage.until_s - 60) * SECOND_US
        second = 0

        def columns() -> readings.ReadingColumns:
            nonlocal second
            second += 1
            first = now_us - second * SECOND_US
            return readings.ReadingColumns(
                scalars=readings.ScalarColumns(
                    person_id=[person], metric=[HEART_RATE], time_us=range(first, first + BATCH), value=[70.0] * BATCH
                )
            )

        await HostileStream(stage, FOLLOWED, "unread").run(columns, pause_s=0.1)
        for call in calls:
            if call.done():
                await stage.note_end(call)
            call.cancel()


async def streams_without_a_message(stage: Stage) -> None:
    """Streams that begin and never say what they are about, of accounts and of strangers."""
    async with stage.channel() as channel:

        async def begin(number: int) -> None:
            metadata = stage.account(stage.place(number)) if number % 2 else stage.stranger()
            call = SubscriptionServiceStub(channel).Subscribe(metadata=metadata)
            try:
                async with asyncio.timeout(5):
                    await stage.note_end(call)
            except TimeoutError:
                stage.statuses["left open"] += 1
            finally:
                call.cancel()

        await stage.repeat(begin, rate=stage.scale(100, 1_000), side_by_side=stage.scale(200, 2_000))


async def spectators(stage: Stage) -> None:
    """Strangers watch races and inboxes that are not theirs, and leave at once."""
    async with stage.channel() as channel:

        async def watch(number: int) -> None:
            metadata = stage.stranger() if number % 3 else stage.account(stage.place(number))
            if number % 2:
                race = stage.rng.choice([*stage.cast.races, 1, 2**63 - 1])
                call = LiveServiceStub(channel).WatchRace(live.WatchRaceRequest(race_id=race), metadata=metadata)
            else:
                request = notifications.WatchNotificationsRequest()
                call = NotificationServiceStub(channel).WatchNotifications(request, metadata=metadata)
            try:
                await call.read()
                stage.statuses["OK"] += 1
            except grpc.aio.AioRpcError:
                await stage.note_end(call)
            finally:
                call.cancel()

        await stage.repeat(watch, rate=stage.scale(50, 500), side_by_side=20)


async def idle_connections(stage: Stage) -> None:
    """Connections on which nothing is said, or no more than the first words. What the server closes is opened again."""
    host, _, port = stage.cast.target.rpartition(":")

    async def idle(number: int) -> None:
        while not stage.is_over:
            try:
                if number % 2:
                    connection = await RawConnection.open(stage.cast.target)
                    stage.statuses["opened"] += 1
                    async with asyncio.timeout(stage.left_s):
                        await connection.read()
                    connection.close()
                else:
                    reader, writer = await asyncio.open_connection(host, int(port))
                    stage.statuses["opened"] += 1
                    async with asyncio.timeout(stage.left_s):
                        await reader.read()
                    writer.close()
            except (OSError, TimeoutError):
                stage.statuses["left open"] += 1
            await asyncio.sleep(AGAIN_S)

    async with asyncio.TaskGroup() as tasks:
        for number in range(stage.scale(400, 4_000)):
            tasks.create_task(idle(number))
            await asyncio.sleep(MANY_APART_S if stage.is_long else FEW_APART_S)


async def headers_without_a_message(stage: Stage) -> None:
    """Strangers and accounts begin as many calls as fit into a connection, on many connections, and send no message."""

    async def hold(number: int) -> None:
        while not stage.is_over:
            try:
                connection = await RawConnection.open(stage.cast.target)
                reading = asyncio.create_task(connection.read())
                headers = stage.account(stage.place(number)) if number % 4 == 0 else stage.stranger()
                connection.begin("/trackme.identity.v1.IdentityService/GetRegistrationForm", headers, STREAMS)
                stage.statuses["begun"] += STREAMS
                await asyncio.wait([reading], timeout=min(HOLD_S, stage.left_s))
                reading.cancel()
                stage.statuses.update(connection.seen)
                connection.close()
            except OSError:
                stage.statuses["refused"] += 1
                await asyncio.sleep(0.2)

    async with asyncio.TaskGroup() as tasks:
        for number in range(stage.scale(8, 101)):
            tasks.create_task(hold(number))
            await asyncio.sleep(0.1)
