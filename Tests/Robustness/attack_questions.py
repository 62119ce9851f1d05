"""Questions that no good client asks: cursors with extreme times, and much that is asked at once."""

from __future__ import annotations

import asyncio
import time

from trackme.protocol import (
    AccessServiceStub, IdentityServiceStub, IngestServiceStub, LiveServiceStub, NotificationServiceStub,
    RaceServiceStub, ReadingServiceStub, SosServiceStub, access, identity, ingest, live, notifications, races,
    reading_service, readings, sos,
)  # fmt: skip

from hostile_bridge import HEART_RATE, SECOND_US
from hostile_stage import Stage
from sealed import EXTREMES, KINDS, MAX, MIN, RACE, sealed, unsealed

HOUR_US = 3600 * SECOND_US
MINUTE = 3
BATCH = 10_000


async def extreme_cursors(stage: Stage) -> None:
    """Cursors and page tokens with numbers at the ends of their types: such as anybody can write, and such as only the
    server can sign."""
    key = bytes.fromhex(stage.cast.cursor_key)
    rng = stage.rng

    def cursor() -> str:
        numbers = [rng.choice([*EXTREMES, rng.randrange(MIN, MAX), rng.randrange(10)]) for _ in range(4)]
        kind, race = rng.choice(KINDS), rng.choice(stage.cast.races)
        return rng.choice(
            [
                unsealed("1", *numbers[: rng.randrange(1, 5)]), unsealed("r1", *numbers),
                sealed(key, kind, *numbers[: rng.randrange(1, 5)]), sealed(key, RACE, race, *numbers[1:]), unsealed("r1", race, *numbers[1:]),
            ]
        )  # fmt: skip

    async with stage.channel() as channel:
        live_stub, lists = LiveServiceStub(channel), ReadingServiceStub(channel)

        async def ask(number: int) -> None:
            place = stage.place(number)
            person, race, text = stage.person(place), rng.choice(stage.cast.races), cursor()
            method, request = rng.choice(
                [
                    (live_stub.GetLeaderboard, live.GetLeaderboardRequest(race_id=race, cursor=text)),
                    (
                        lists.ListReadings,
                        reading_service.ListReadingsRequest(person_id=person, page_token=text, page_size=1),
                    ),
                    (IdentityServiceStub(channel).ListDevices, identity.ListDevicesRequest(page_token=text)),
                    (
                        NotificationServiceStub(channel).ListNotifications,
                        notifications.ListNotificationsRequest(page_token=text),
                    ),
                    (SosServiceStub(channel).ListEmergencies, sos.ListEmergenciesRequest(page_token=text)),
                    (
                        AccessServiceStub(channel).ListAccessRequests,
                        access.ListAccessRequestsRequest(page_token=text),
                    ),
                    (RaceServiceStub(channel).SearchRaces, races.SearchRacesRequest(text="C", page_token=text)),
                ]
            )
            await stage.call(method, request, stage.account(place))

        await stage.repeat(ask, rate=stage.scale(50, 500), side_by_side=8)


async def heavy_questions(stage: Stage) -> None:
    """One account fills an hour with readings, and asks for summaries of it, many at once, again and again."""
    metadata, person = stage.account(0), stage.person(0)
    start = (int(time.time()) * SECOND_US // HOUR_US - 24) * HOUR_US
    count = stage.scale(200_000, 900_000)
    async with stage.channel() as channel:
        await fill_hour(stage, channel, person, start, count)
        stub = ReadingServiceStub(channel)
        request = reading_service.SummarizeReadingsRequest(
            metric="heart_rate", resolution=MINUTE, from_us=start, to_us=start + HOUR_US
        )
        while not stage.is_over:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(40):
                    tasks.create_task(stage.call(stub.SummarizeReadings, request, metadata))
            # Answers can be very fast: refusals.
            await asyncio.sleep(0.2)


async def fill_hour(stage: Stage, channel, person: int, start: int, count: int) -> None:
    """Pushes readings that are evenly spread over an hour."""
    step = HOUR_US // count
    call = IngestServiceStub(channel).PushReadings(metadata=stage.account(0, "device"))
    await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id="much")))
    await call.read()
    values = [60 + i % 40 for i in range(BATCH)]
    for number in range(count // BATCH):
        first = start + number * BATCH * step
        columns = readings.ReadingColumns(
            scalars=readings.ScalarColumns(
                person_id=[person], metric=[HEART_RATE], time_us=range(first, first + BATCH * step, step), value=values
            )
        )
        batch = ingest.ReadingBatch(sequence=number + 1, readings=columns)
        await call.write(ingest.PushReadingsRequest(batch=batch))
    left = count // BATCH
    while left:
        left -= len((await call.read()).acknowledgements.acknowledgements)
    stage.statuses["OK"] += 1
    call.cancel()


async def tracks(stage: Stage) -> None:
    """GPX files as large as they may be: beside the pole, to and fro over it, and elements that say nothing."""
    zigzag = [f'<trkpt lat="{90 - 4e-7:.7f}" lon="{i % 2 * 180}"/>' for i in range(40_000)]
    zigzag.insert(0, '<trkpt lat="89.9" lon="0"/>')
    turning = [f'<trkpt lat="{89.9999 + i % 9 / 1e6:.6f}" lon="{i * 37 % 360 - 180}"/>' for i in range(3_000)]
    files = [
        gpx("".join(zigzag)), gpx("".join(turning)), b"<gpx>" + b"<a/>" * ((4 << 20) // 4 - 3) + b"</gpx>",
        b"<a>" * ((4 << 20) // 3), gpx('<trkpt lat="1e308" lon="nan"/>' * 1_000),
    ]  # fmt: skip
    async with stage.channel() as channel:
        stub = RaceServiceStub(channel)

        async def ask(number: int) -> None:
            request = races.PlanRoutesRequest(gpx=files[number % len(files)], laps=number % 2 * 50)
            await stage.call(stub.PlanRoutes, request, stage.account(stage.place(number)))

        await stage.repeat(ask, rate=stage.scale(4, 40), side_by_side=stage.scale(4, 20))


def gpx(points: str) -> bytes:
    """A track of these points."""
    return f'<gpx version="1.1"><trk><trkseg>{points}</trkseg></trk></gpx>'.encode()
