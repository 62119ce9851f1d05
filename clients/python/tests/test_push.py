"""Batches take effect once, whatever happens to the connection."""

import asyncio

import grpc
import pytest

from trackme import BatchTooLarge, ClientSuperseded, Reading, TrackMeError, UnknownMetric, details_of

from fake_server import Break


def beats(n: int, start: int = 0) -> list[Reading]:
    return [Reading(7, "heart_rate", (start + i) * 1_000_000, 60.0 + i) for i in range(n)]


async def test_batches_are_numbered_and_acknowledged(server, client):
    async with client.push("phone") as session:
        tickets = [await session.send(beats(3, 10 * i)) for i in range(4)]
        acknowledgements = [await t for t in tickets]
    assert [a.sequence for a in acknowledgements] == [1, 2, 3, 4]
    assert [a.accepted for a in acknowledgements] == [3] * 4
    assert [a.position for a in acknowledgements] == sorted(a.position for a in acknowledgements)
    assert session.statistics.readings_accepted == 12


async def test_numbering_goes_on_where_an_earlier_session_ended(server, client):
    for _ in range(2):
        async with client.push("phone") as session:
            await session.send(beats(1))
    assert [s for _, s, _ in server.batches] == [1, 2]


async def test_rejections_are_named(server, client):
    async with client.push("phone") as session:
        acknowledgement = await (await session.send([*beats(2), Reading(7, "heart_rate", 9, 1000.0)]))
    assert (acknowledgement.accepted, acknowledgement.rejected) == (2, 1)
    assert [(r.index, r.reason, r.field) for r in acknowledgement.rejections] == [(2, "OUT_OF_RANGE", "value")]
    assert session.statistics.rejections == {"OUT_OF_RANGE": 1}
    assert session.statistics.rejected_metrics == {"OUT_OF_RANGE": {"heart_rate": 1}}


async def test_an_acknowledgement_lost_with_the_connection_is_learnt_from_the_welcome(server, client, quick):
    broken = []

    def break_once(sequence):
        if sequence == 2 and not broken:
            broken.append(sequence)
            raise Break

    server.before_acknowledgement = break_once
    async with client.push("phone", backoff=quick) as session:
        tickets = [await session.send(beats(1, i)) for i in range(5)]
        acknowledgements = [await t for t in tickets]
    assert [s for _, s, _ in server.batches] == [1, 2, 3, 4, 5]
    assert [a.repeated for a in acknowledgements] == [False, True, False, False, False]
    assert session.statistics.reconnects == 1 and session.statistics.batches_repeated == 1


async def test_every_batch_lands_once_through_many_broken_connections(server, client, quick):
    count = 0

    def break_often(sequence):
        nonlocal count
        count += 1
        if count % 3 == 0:
            raise Break

    server.before_acknowledgement = break_often
    async with client.push("phone", window=4, backoff=quick) as session:
        for i in range(40):
            await session.send(beats(1, i))
    assert [s for _, s, _ in server.batches] == list(range(1, 41))
    assert session.statistics.batches_acknowledged == 40
    assert session.statistics.reconnects >= 10


async def test_a_server_that_restarts_is_found_again(server, client, quick):
    async with client.push("phone", backoff=quick) as session:
        await (await session.send(beats(1)))
        await server.stop()
        ticket = await session.send(beats(1, 1))
        await asyncio.sleep(0.1)
        assert not ticket.done
        await server.start()
        assert (await ticket).accepted == 1
    assert [s for _, s, _ in server.batches] == [1, 2]


async def test_the_window_bounds_what_is_unacknowledged(server, client, quick):
    async with client.push("phone", window=2, backoff=quick) as session:
        await server.stop()
        for i in range(2):
            await session.send(beats(1, i))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(session.send(beats(1, 2)), 0.1)
        await server.start()
        await session.send(beats(1, 3))
    assert [s for _, s, _ in server.batches] == [1, 2, 3]


async def test_another_stream_of_the_same_name_ends_the_session(server, client, quick):
    with pytest.raises(ClientSuperseded):
        async with client.push("phone", backoff=quick) as old, client.push("phone", backoff=quick) as new:
            await (await new.send(beats(1)))
            ticket = await old.send(beats(1, 1))
            with pytest.raises(ClientSuperseded):
                await ticket
            with pytest.raises(ClientSuperseded):
                await old.send(beats(1, 2))


async def test_a_token_that_is_not_known_is_an_error_and_not_a_retry(server, client):
    server.token = "other"
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async with client.push("phone"):
            pass
    details = details_of(caught.value)
    assert (details.code, details.reason, details.domain) == (
        grpc.StatusCode.UNAUTHENTICATED,
        "UNAUTHENTICATED",
        "trackme",
    )


async def test_a_server_that_stays_away_is_given_up(server, client, quick):
    await server.stop()
    with pytest.raises(TrackMeError, match="gave up"):
        async with client.push("phone", backoff=quick, give_up_after_s=0.2):
            pass


async def test_batches_over_the_limits_of_the_welcome_are_refused_here(server, client):
    async with client.push("phone") as session:
        with pytest.raises(BatchTooLarge, match="101 readings"):
            await session.send(beats(101))
        rows = [Reading(7, "heart_rate", i, 60.0, f"{i:0200}") for i in range(100)]
        with pytest.raises(BatchTooLarge, match="bytes"):
            await session.send(rows)
        with pytest.raises(UnknownMetric):
            await session.send([Reading(7, "mood", 1, 1.0)])
        with pytest.raises(ValueError):
            await session.send([])


async def test_leaving_by_an_exception_does_not_wait(server, client, quick):
    with pytest.raises(RuntimeError, match="ours"):
        async with client.push("phone", backoff=quick) as session:
            await server.stop()
            ticket = await session.send(beats(1))
            raise RuntimeError("ours")
    with pytest.raises(asyncio.CancelledError):
        await ticket


async def test_a_metric_added_while_we_run_is_found(server, client):
    from trackme import Metric, MetricKind

    async with client.push("phone") as session:
        await session.send(beats(1))
        server.metrics.append(Metric(9, "mood", MetricKind.SCALAR))
        assert (await (await session.send([Reading(7, "mood", 1, 5.0)]))).accepted == 1
    assert server.list_metrics_calls == 2
