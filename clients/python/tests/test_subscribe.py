"""Every reading arrives once and in order, whatever happens to the connection."""

import asyncio

import grpc
import pytest

from trackme import Reading, TrackMeError


async def push(client, times):
    async with client.push("phone") as session:
        for t in times:
            await session.send([Reading(7, "heart_rate", t, 60.0)])


async def collect(stream, count, acknowledge=False):
    rows = []
    async for frame in stream:
        rows += [r.time_us for r in frame.readings]
        if acknowledge:
            await stream.acknowledge(frame)
        if len(rows) >= count:
            return rows


async def test_what_is_committed_arrives(server, client):
    async with client.subscribe([7]) as stream:
        first = await anext(stream)
        assert first.is_heartbeat
        await push(client, range(1, 6))
        assert await collect(stream, 5) == [1, 2, 3, 4, 5]


async def test_from_the_beginning(server, client):
    await push(client, range(1, 6))
    async with client.subscribe(from_beginning=True) as stream:
        assert await collect(stream, 5) == [1, 2, 3, 4, 5]


async def test_a_broken_stream_resumes_with_no_gap_and_no_repeat(server, client, quick):
    server.deliveries_per_stream = 2
    async with client.subscribe(from_beginning=True, backoff=quick) as stream:
        await push(client, range(1, 12))
        assert await collect(stream, 11) == list(range(1, 12))
        assert stream.reconnects == 5


async def test_a_restarted_server_is_found_again(server, client, quick):
    async with client.subscribe(backoff=quick) as stream:
        await anext(stream)
        await push(client, [1])
        assert await collect(stream, 1) == [1]
        await server.stop()
        waiting = asyncio.create_task(collect(stream, 1))
        await asyncio.sleep(0.1)
        await server.start()
        await push(client, [2])
        assert await waiting == [2]


async def test_a_cursor_resumes_in_another_process(server, client):
    await push(client, range(1, 6))
    async with client.subscribe(from_beginning=True) as stream:
        await collect(stream, 2)
        cursor = stream.cursor
    async with client.subscribe(cursor=cursor) as stream:
        assert await collect(stream, 3) == [3, 4, 5]


async def test_acknowledgements_reach_the_server(server, client):
    await push(client, range(1, 4))
    async with client.subscribe(from_beginning=True) as stream:
        await collect(stream, 3, acknowledge=True)
        while server.acknowledged_cursors[-1:] != ["3"]:
            await asyncio.sleep(0.01)
    assert server.acknowledged_cursors[-3:] == ["1", "2", "3"]


async def test_a_silent_stream_is_taken_for_dead(server, client, quick):
    server.heartbeat_s = 30
    async with client.subscribe(backoff=quick, heartbeat_timeout_s=0.1, give_up_after_s=30) as stream:
        await anext(stream)  # the frame that every stream begins with
        await anext(stream)
        assert stream.reconnects >= 1


async def test_a_bad_cursor_is_an_error_and_not_a_retry(server, client):
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async with client.subscribe(cursor="bad") as stream:
            await anext(stream)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_server_that_stays_away_is_given_up(server, client, quick):
    await server.stop()
    with pytest.raises(TrackMeError, match="gave up"):
        async with client.subscribe(backoff=quick, give_up_after_s=0.2) as stream:
            await anext(stream)


async def test_watching_one_person_resumes_too(server, client, quick):
    await push(client, [1, 2])
    async with client.watch(7, backoff=quick) as stream:
        assert await collect(stream, 2) == [1, 2]
        await server.stop()
        await server.start()
        await push(client, [3])
        assert await collect(stream, 1) == [3]
