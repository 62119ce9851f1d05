"""Readings come out as they are produced, in order, once (A-G4, A-R11)."""

import threading

import grpc
import pytest

from failures import fails
from streams import Caller, fresh_client, scalars, times_of

pytestmark = pytest.mark.strict

T0 = 1_700_000_000_000_000


def push_times(caller, person, times, size=1):
    times = list(times)
    with caller.push() as push:
        for sequence, start in enumerate(range(0, len(times), size), 1):
            push.batch(sequence, scalars(person, [(t, 60) for t in times[start : start + size]]))
        for _ in range(0, len(times), size):
            push.acknowledgement()


def test_a_reading_is_delivered_as_it_is_committed(operator, person):
    with operator.subscribe([person]) as subscription, operator.push() as push:
        subscription.standing()
        push.commit(1, scalars(person, [(T0, 61.5)], source="strap"))
        delivery = subscription.delivery().delivery
    rows = delivery.readings
    assert (list(rows.scalars.time_us), list(rows.scalars.value)) == ([T0], [61.5])
    assert list(rows.scalars.person_id) == [person]
    assert [rows.sources[i] for i in rows.scalars.source] == ["strap"]
    assert not delivery.catching_up


def test_a_delivery_names_its_source_even_if_it_is_the_client(operator, person):
    client = fresh_client()
    with operator.subscribe([person]) as subscription, operator.push(client) as push:
        subscription.standing()
        push.commit(1, scalars(person, [(T0, 60)]))
        rows = subscription.delivery().delivery.readings
    assert [rows.sources[i] for i in rows.scalars.source] == [client]


def test_only_what_was_asked_for_is_delivered(operator, person):
    other = person + 500_000
    with operator.subscribe([person], metrics=["steps"]) as subscription:
        subscription.standing()
        push_times(operator, other, [T0])
        push_times(operator, person, [T0 + 1])
        with operator.push() as push:
            push.commit(1, scalars(person, [(T0 + 2, 60)], metric="steps"))
        assert subscription.times(1) == [T0 + 2]


def test_everyone_is_delivered_to_an_operator_who_names_nobody(operator, person):
    with operator.subscribe() as subscription:
        subscription.standing()
        push_times(operator, person, [T0])
        push_times(operator, person + 500_000, [T0 + 1])
        assert subscription.times(2) == [T0, T0 + 1]


def test_from_the_beginning_comes_all_that_is_stored(operator, person):
    push_times(operator, person, range(T0, T0 + 500), size=7)
    with operator.subscribe([person], start_at=2) as subscription:
        assert subscription.times(500) == list(range(T0, T0 + 500))
        push_times(operator, person, [T0 + 500])
        assert subscription.times(1) == [T0 + 500]


def test_a_cursor_resumes_with_no_gap_and_no_duplicate(operator, person):
    expected = list(range(T0, T0 + 300))
    writer = threading.Thread(target=push_times, args=(operator, person, expected))
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        cursor = subscription.cursor
    writer.start()
    got = []
    while len(got) < len(expected):
        with operator.subscribe([person], cursor=cursor) as subscription:
            for _ in range(3):
                if len(got) < len(expected):
                    got += times_of(subscription.delivery().delivery.readings)
            cursor = subscription.cursor
    writer.join()
    assert got == expected


def test_a_cursor_of_a_heartbeat_resumes_too(operator, person):
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        push_times(operator, person + 500_000, [T0])
        while subscription.frame().WhichOneof("frame") != "heartbeat":
            pass
        cursor = subscription.cursor
    push_times(operator, person, [T0 + 1])
    with operator.subscribe([person], cursor=cursor) as subscription:
        assert subscription.times(1) == [T0 + 1]


def test_an_idle_stream_has_heartbeats(operator, person):
    with operator.subscribe([person]) as subscription:
        frames = [subscription.frame(5) for _ in range(4)]
    assert {f.WhichOneof("frame") for f in frames} == {"heartbeat"}


def test_no_more_than_max_outstanding_deliveries_are_sent_unacknowledged(operator, person):
    with operator.subscribe([person], max_outstanding=2) as subscription, operator.push() as push:
        subscription.standing()
        cursors = []
        for sequence in (1, 2):
            push.commit(sequence, scalars(person, [(T0 + sequence, 60)]))
            cursors.append(subscription.delivery().cursor)
        push.commit(3, scalars(person, [(T0 + 3, 60)]))
        with pytest.raises(TimeoutError):
            subscription.delivery(1.0)
        subscription.acknowledge(cursors[0])
        assert subscription.times(1) == [T0 + 3]
        push.commit(4, scalars(person, [(T0 + 4, 60)]))
        with pytest.raises(TimeoutError):
            subscription.delivery(1.0)
        subscription.acknowledge()
        assert subscription.times(1) == [T0 + 4]


def test_a_stalled_subscriber_slows_nobody_and_catches_up(server, operator, person):
    batches, size = 60, 5_000
    with Caller(server.target, server.operator_token) as slow_caller:
        stalled = slow_caller.subscribe([person])
        stalled.standing()
        stalled._responses.maxsize = 1  # its reader stops at the next frame that nobody takes
        with operator.subscribe([person]) as live, operator.push() as push:
            live.standing()
            expected = []
            for sequence in range(1, batches + 1):
                times = range(T0 + sequence * size, T0 + (sequence + 1) * size)
                push.batch(sequence, scalars(person, [(t, 60) for t in times]))
                expected += times
            for _ in range(batches):
                push.acknowledgement()
            # All of it, before the stalled one takes anything.
            assert live.times(len(expected)) == expected
        assert stalled.times(len(expected)) == expected
        stalled.cancel()


def test_many_subscribers_get_the_same(operator, person):
    subscriptions = [operator.subscribe([person]).standing() for _ in range(50)]
    push_times(operator, person, range(T0, T0 + 20), size=5)
    for subscription in subscriptions:
        assert subscription.times(20) == list(range(T0, T0 + 20))
        subscription.cancel()


def test_a_reading_of_yesterday_is_delivered_when_it_is_committed(operator, person):
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        push_times(operator, person, [T0 + 10, T0, T0 + 5])
        assert subscription.times(3) == [T0 + 10, T0, T0 + 5], "the order of the log, not of the clock"


def test_a_client_that_has_no_more_to_say_goes_on_listening(operator, person):
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        subscription.half_close()
        push_times(operator, person, [T0])
        assert subscription.times(1) == [T0]


def test_a_deadline_ends_the_stream(operator, person):
    with operator.subscribe([person], timeout=1) as subscription:
        with pytest.raises(grpc.RpcError) as caught:
            while True:
                subscription.frame()
    assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


@pytest.mark.parametrize("cursor", ["nonsense", "-1", "\u00e9", "A" * 5000])
def test_a_cursor_that_is_none_is_refused(operator, person, cursor):
    with operator.subscribe([person], cursor=cursor) as subscription:
        with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
            subscription.frame()
        assert any(f.endswith("cursor") for f in failure.fields)


def test_an_acknowledgement_of_no_cursor_is_refused(operator, person):
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        subscription.acknowledge("nonsense")
        with fails(grpc.StatusCode.INVALID_ARGUMENT):
            while True:
                subscription.frame()


# WatchReadings


def test_watching_delivers_as_it_is_committed_and_resumes(operator, person):
    stream = operator.watch(person)
    first = next(stream)
    assert first.cursor and not first.readings
    push_times(operator, person, [T0, T0 + 1])
    got, cursor = [], first.cursor
    while len(got) < 1:
        frame = next(stream)
        got += [r.time_us for r in frame.readings]
        cursor = frame.cursor
    stream.cancel()
    push_times(operator, person, [T0 + 2])
    stream = operator.watch(person, cursor=cursor)
    while len(got) < 3:
        got += [r.time_us for r in next(stream).readings]
    stream.cancel()
    assert got == [T0, T0 + 1, T0 + 2]


def test_watching_has_heartbeats_and_a_filter(operator, person):
    stream = operator.watch(person, metrics=["steps"])
    next(stream)
    push_times(operator, person, [T0])
    assert not any(next(stream).readings for _ in range(3))
    stream.cancel()
