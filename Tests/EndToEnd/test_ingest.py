"""Readings go in, are committed, and are acknowledged (B-R.D1)."""

import math
import time

import grpc
import pytest

from trackme.protocol import ingest, readings

from failures import fails
from streams import METRIC_IDS, fresh_client, reading, scalars

pytestmark = pytest.mark.strict

HOUR_US = 3_600_000_000
T0 = 1_700_000_000_000_000


def reasons(acknowledgement):
    return {
        r.index: ingest.RejectionReason.Name(r.reason).removeprefix("REJECTION_REASON_")
        for r in acknowledgement.rejections
    }


def test_a_batch_is_acknowledged_when_it_can_be_read(operator, person):
    with operator.push() as push:
        assert push.welcome.last_sequence == 0
        assert push.welcome.max_batch_readings == 10_000
        assert push.welcome.max_batch_bytes >= 1 << 20
        answer = push.commit(1, scalars(person, [(T0, 61), (T0 + 1, 62)]))
    assert (answer.accepted, answer.rejected, answer.repeated) == (2, 0, False)
    assert answer.position > 0
    assert [r.scalar for r in operator.history(person)] == [62, 61]


def test_acknowledgements_come_in_the_order_of_the_sequences_with_rising_positions(operator, person):
    with operator.push() as push:
        for sequence in range(1, 101):
            push.batch(sequence, scalars(person, [(T0 + sequence, 60)]))
        answers = [push.acknowledgement() for _ in range(100)]
    assert [a.sequence for a in answers] == list(range(1, 101))
    positions = [a.position for a in answers]
    assert positions == sorted(positions)


def test_the_server_ends_the_stream_well_when_the_client_has_no_more(operator, person):
    with operator.push() as push:
        push.batch(1, scalars(person, [(T0, 60)]))
        push.half_close()
        assert push.acknowledgement().sequence == 1
        with pytest.raises(StopIteration):
            push.next()
    assert push.call.code() == grpc.StatusCode.OK


def test_one_stream_carries_many_persons(operator, person):
    columns = readings.ReadingColumns(
        scalars=readings.ScalarColumns(
            person_id=[person, person + 500_000], metric=[1, 5], time_us=[T0, T0], value=[60, 36.6]
        )
    )
    with operator.push() as push:
        assert push.commit(1, columns).accepted == 2
    assert [(r.metric, r.scalar) for r in operator.history(person)] == [("heart_rate", 60)]
    assert [(r.metric, r.scalar) for r in operator.history(person + 500_000)] == [("body_temperature", 36.6)]


def test_a_repeated_batch_is_neither_stored_nor_delivered_again(operator, person):
    client = fresh_client()
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        with operator.push(client) as push:
            first = push.commit(1, scalars(person, [(T0, 60)]))
            # The same number with other content: the number decides.
            again = push.commit(1, scalars(person, [(T0 + 1, 99)]))
            assert (again.accepted, again.rejected, again.repeated) == (0, 0, True)
            assert again.position >= first.position
            push.commit(2, scalars(person, [(T0 + 2, 61)]))
        assert subscription.times(2) == [T0, T0 + 2]
    assert [r.time_us for r in operator.history(person)] == [T0 + 2, T0]


def test_a_reconnecting_client_learns_how_far_it_got(operator, person):
    client = fresh_client()
    with operator.push(client) as push:
        push.commit(3, scalars(person, [(T0, 60)]))
        push.commit(8, scalars(person, [(T0 + 1, 60)]))
    with operator.push(client) as push:
        assert push.welcome.last_sequence == 8
        assert push.commit(8, scalars(person, [(T0 + 2, 60)])).repeated
        assert not push.commit(9, scalars(person, [(T0 + 2, 60)])).repeated
    with operator.push(fresh_client()) as push:
        assert push.welcome.last_sequence == 0


def test_a_newer_stream_of_the_same_client_ends_the_older_one(operator, person):
    client = fresh_client()
    with operator.push(client) as old, operator.push(client) as new:
        with fails(grpc.StatusCode.ABORTED):
            while True:
                old.next()
        assert new.commit(1, scalars(person, [(T0, 60)])).accepted == 1


def test_batches_under_way_when_a_newer_stream_begins_land_once(operator, person):
    client = fresh_client()
    with operator.push(client) as old:
        for sequence in range(1, 51):
            old.batch(sequence, scalars(person, [(T0 + sequence, 60)]))
        with operator.push(client) as new:
            rest = range(new.welcome.last_sequence + 1, 51)
            for sequence in rest:
                new.batch(sequence, scalars(person, [(T0 + sequence, 60)]))
            assert [new.acknowledgement().sequence for _ in rest] == list(rest)
    assert [r.time_us for r in operator.history(person, order=2)] == [T0 + s for s in range(1, 51)]


@pytest.mark.parametrize(
    "metric, value, offset_us, reason, field",
    [
        (60_000, 60, 0, "UNKNOWN_METRIC", "metric"),
        (METRIC_IDS["position"], 60, 0, "WRONG_KIND", None),
        (1, math.nan, 0, "NOT_A_NUMBER", "value"),
        (1, math.inf, 0, "NOT_A_NUMBER", "value"),
        (1, -1, 0, "OUT_OF_RANGE", "value"),
        (1, 10_000, 0, "OUT_OF_RANGE", "value"),
        (1, 60, 6 * 60_000_000, "TIME_IN_FUTURE", "time_us"),
        (1, 60, -200 * 366 * 24 * HOUR_US, "TIME_TOO_OLD", "time_us"),
    ],
)
def test_a_refused_reading_names_its_index_and_reason_and_the_others_land(
    operator, person, metric, value, offset_us, reason, field
):
    now = time.time_ns() // 1000
    columns = readings.ReadingColumns(
        scalars=readings.ScalarColumns(
            person_id=[person],
            metric=[1, metric, 1],
            time_us=[now - 2, now + offset_us, now - 1],
            value=[60, value, 62],
        )
    )
    with operator.push() as push:
        answer = push.commit(1, columns)
    assert (answer.accepted, answer.rejected) == (2, 1)
    assert reasons(answer) == {1: reason}
    if field:
        assert answer.rejections[0].field == field
    assert sorted(r.scalar for r in operator.history(person)) == [60, 62]


def test_rejections_number_scalars_then_positions_then_waveforms(operator, person):
    columns = scalars(person, [(T0, 60), (T0 + 1, -1)])
    columns.positions.MergeFrom(
        readings.PositionColumns(
            person_id=[person],
            metric=[11],
            time_us=[T0, T0 + 1, T0 + 2],
            latitude=[45, 91, math.nan],
            longitude=[9, 9, 9],
        )  # fmt: skip
    )
    columns.waveforms.MergeFrom(
        readings.WaveformColumns(
            person_id=[person],
            metric=[8],
            time_us=[T0, T0 + 1],
            rate_hz=[250, 0],
            sample_count=[2, 1],
            samples=[0.1, 0.2, 0.3],
        )  # fmt: skip
    )
    with operator.push() as push:
        answer = push.commit(1, columns)
    assert reasons(answer) == {1: "OUT_OF_RANGE", 3: "OUT_OF_RANGE", 4: "NOT_A_NUMBER", 6: "INVALID_WAVEFORM"}
    assert [r.field for r in answer.rejections][1] == "latitude"
    assert (answer.accepted, answer.rejected) == (3, 4)


@pytest.mark.parametrize("persons, index", [([0, 5], 0), ([5, -1], 1)])
def test_a_person_is_a_positive_number(operator, persons, index):
    columns = scalars(1, [(T0, 60), (T0, 60)])
    del columns.scalars.person_id[:]
    columns.scalars.person_id.extend(persons)
    with operator.push() as push:
        assert reasons(push.commit(1, columns)) == {index: "INVALID_PERSON"}


def test_a_source_must_be_in_the_batch_and_short(operator, person):
    columns = scalars(person, [(T0, 60), (T0 + 1, 61), (T0 + 2, 62)])
    columns.sources.extend(["cuff", "x" * 65])
    columns.scalars.source.extend([0, 7, 1])
    with operator.push() as push:
        assert reasons(push.commit(1, columns)) == {1: "INVALID_SOURCE", 2: "INVALID_SOURCE"}


def test_the_later_value_wins(operator, person):
    with operator.push() as push:
        push.commit(1, scalars(person, [(T0, 60), (T0, 61)], source="strap"))
        assert [r.scalar for r in operator.history(person)] == [61]
        push.commit(2, scalars(person, [(T0, 62)], source="strap"))
        assert [r.scalar for r in operator.history(person)] == [62]
        push.commit(3, scalars(person, [(T0, 63)], source="watch"))
    found = operator.history(person, order=2)
    assert sorted((r.source, r.scalar) for r in found) == [("strap", 62), ("watch", 63)]


def test_the_source_is_the_client_where_none_is_said(operator, person):
    client = fresh_client()
    with operator.push(client) as push:
        push.commit(1, scalars(person, [(T0, 60)]))
    assert [r.source for r in operator.history(person)] == [client]


def test_late_and_unordered_readings_are_welcome(operator, person):
    times = [T0 + 5, T0 - 400 * 24 * HOUR_US, T0 + 1, T0 - HOUR_US, T0]
    with operator.push() as push:
        for sequence, t in enumerate(times, 1):
            push.commit(sequence, scalars(person, [(t, 60)]))
    assert [r.time_us for r in operator.history(person, order=2)] == sorted(times)


def test_positions_come_back_as_they_went_in(operator, person):
    columns = readings.ReadingColumns(
        positions=readings.PositionColumns(
            person_id=[person],
            metric=[METRIC_IDS["position"]],
            time_us=[T0, T0 + 1],
            latitude=[45.4642, -8.0474711028858],
            longitude=[9.19, -34.89509604900439],
            altitude=[122.5, math.nan],
            accuracy=[4.5, 0],
            speed=[math.nan, 3.25],
            course=[359.5, 0],
        )  # fmt: skip
    )
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        with operator.push() as push:
            assert push.commit(1, columns).accepted == 2
        got = subscription.delivery().delivery.readings.positions
    assert list(got.latitude) == list(columns.positions.latitude)
    assert list(got.longitude) == list(columns.positions.longitude)
    assert got.altitude[0] == 122.5 and math.isnan(got.altitude[1])
    assert math.isnan(got.speed[0]) and got.speed[1] == 3.25
    first, second = (r.position for r in operator.history(person, order=2))
    assert (first.latitude, first.longitude, first.altitude, first.accuracy) == (45.4642, 9.19, 122.5, 4.5)
    assert not first.HasField("speed") and not second.HasField("altitude")
    assert (second.speed, second.course, second.accuracy) == (3.25, 0, 0)


def test_waveforms_come_back_as_they_went_in(operator, person):
    samples = [math.sin(i / 10) for i in range(1000)]
    columns = readings.ReadingColumns(
        waveforms=readings.WaveformColumns(
            person_id=[person],
            metric=[METRIC_IDS["ecg"]],
            time_us=[T0, T0 + 4_000_000],
            rate_hz=[250, 125.5],
            sample_count=[700, 300],
            samples=samples,
        )  # fmt: skip
    )
    with operator.subscribe([person]) as subscription:
        subscription.standing()
        with operator.push() as push:
            assert push.commit(1, columns).accepted == 2
        got = subscription.delivery().delivery.readings.waveforms
    assert list(got.samples) == samples and list(got.sample_count) == [700, 300]
    first, second = (r.waveform for r in operator.history(person, order=2))
    assert (first.rate_hz, list(first.samples)) == (250, samples[:700])
    assert (second.rate_hz, list(second.samples)) == (125.5, samples[700:])


def test_record_readings_takes_rows_of_every_kind(operator, person):
    rows = [
        reading(person, T0, 60, source="thumb"),
        readings.Reading(person_id=person, metric="position", time_us=T0 + 1,
                         position=readings.Position(latitude=45, longitude=9, altitude=0)),
        readings.Reading(person_id=person, metric="ecg", time_us=T0 + 2,
                         waveform=readings.Waveform(rate_hz=250, samples=[0.5, 0.25])),
    ]  # fmt: skip
    answer = operator.record(rows)
    assert (answer.accepted, answer.rejected) == (3, 0) and answer.position > 0
    assert operator.history(person, order=2) == rows


def test_record_readings_counts_rejections_by_the_rows_of_the_request(operator, person):
    rows = [
        readings.Reading(person_id=person, metric="position", time_us=T0, position=readings.Position(latitude=91)),
        reading(person, T0, 60),
        reading(person, T0, 60, metric="mood"),
        readings.Reading(person_id=person, metric="heart_rate", time_us=T0),
        readings.Reading(person_id=person, metric="heart_rate", time_us=T0, waveform=readings.Waveform(rate_hz=1)),
    ]
    answer = operator.record(rows)
    assert answer.accepted == 1
    got = reasons(answer)
    assert got[0] == "OUT_OF_RANGE" and got[2] == "UNKNOWN_METRIC" and got[3] == "NOT_A_NUMBER"
    assert got[4] in ("WRONG_KIND", "INVALID_WAVEFORM")


def test_record_readings_may_be_repeated_with_a_number(operator, person):
    client = fresh_client()
    first = operator.record([reading(person, T0, 60)], client_id=client, sequence=4)
    again = operator.record([reading(person, T0, 99)], client_id=client, sequence=4)
    assert (first.accepted, first.repeated, again.accepted, again.repeated) == (1, False, 0, True)
    assert [r.scalar for r in operator.history(person)] == [60]


def test_record_readings_without_a_number_still_counts_each_reading_once(operator, person):
    for _ in range(3):
        assert operator.record([reading(person, T0, 60)]).accepted == 1
    assert len(operator.history(person)) == 1


def test_a_full_batch_is_taken(operator, person):
    with operator.push() as push:
        assert push.commit(1, scalars(person, ((T0 + i, 60) for i in range(10_000)))).accepted == 10_000
    assert len(operator.history(person, page_size=10_000)) == 10_000


def test_a_client_that_vanishes_leaves_whole_batches(server, operator, person):
    from streams import Caller

    client = fresh_client()
    caller = Caller(server.target, server.operator_token)
    push = caller.push(client)
    for sequence in range(1, 201):
        push.batch(sequence, scalars(person, [(T0 + 10 * sequence + i, 60) for i in range(10)]))
    push.acknowledgement()
    caller.channel.close()
    with operator.push(client) as again:
        last = again.welcome.last_sequence
        assert last >= 1
        found = {r.time_us for r in operator.history(person, page_size=10_000)}
    assert found == {T0 + 10 * s + i for s in range(1, last + 1) for i in range(10)}
