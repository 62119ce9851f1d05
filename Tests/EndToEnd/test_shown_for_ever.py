"""A-R5: minutes and hours that were shown are shown the same way for ever, whichever way a third party looks."""

import time

import pytest

from trackme.protocol import access, sharing

from accounts import whole
from server_process import wait_until
from streams import Subscribe, scalars

pytestmark = pytest.mark.strict

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US
PATIENCE_S = 60


def push(device, person, rows, client="watch"):
    with device.push(client) as stream:
        assert stream.commit(stream.welcome.last_sequence + 1, scalars(person.account_id, rows)).accepted == len(rows)


def export(doctor, grant) -> dict[int, float]:
    return {r.time_us: r.scalar for part in doctor.export(0, access_request_id=grant) for r in part.readings}


@pytest.mark.parametrize(
    "granularity, unit_us", [(access.GRANULARITY_MINUTE, MINUTE_US), (access.GRANULARITY_HOUR, HOUR_US)]
)
def test_an_export_shows_the_same_after_late_and_replaced_readings(server, accounts, granularity, unit_us):
    """From two means of one interval, with a reading and without it, the reading could be computed."""
    person, doctor = accounts.person(), accounts.third_party()
    grant, device = doctor.granted(person, whole(granularity)), person.device()
    start = 1_700_000_000_000_000 // HOUR_US * HOUR_US
    push(device, person, [(start, 60), (start + SECOND_US, 80), (start + unit_us, 100)])
    shown = {start: 70, start + unit_us: 100}
    assert export(doctor, grant) == shown
    push(device, person, [(start + 2 * SECOND_US, 190)])
    assert export(doctor, grant) == shown
    push(device, person, [(start, 120), (start + unit_us, 61)])
    assert export(doctor, grant) == shown
    # In chunks, out of which what was replaced is gone.
    held = "SELECT sum(reading_count) FROM reading_chunk WHERE person = %s AND hour = %s"
    tail = "SELECT count(*) FROM reading_log WHERE reading_count > 0"
    wait_until(lambda: server.sql(held, (person.account_id, start // HOUR_US))[0][0] and server.sql(tail) == [(0,)],
               PATIENCE_S, "the compaction")  # fmt: skip
    assert export(doctor, grant) == shown
    # Two third parties that compare notes have seen the same.
    other = accounts.third_party()
    assert export(other, other.granted(person, whole(granularity))) == shown


@pytest.mark.parametrize(
    "granularity, unit_us", [(access.GRANULARITY_MINUTE, MINUTE_US), (access.GRANULARITY_HOUR, HOUR_US)]
)
def test_a_reading_under_another_clients_name_does_not_stand_alone_in_what_was_shown(accounts, granularity, unit_us):
    """Minutes and hours are one value of all sources, in exports and in digests."""
    person, doctor = accounts.person(), accounts.third_party()
    grant, device = doctor.granted(person, whole(granularity)), person.device()
    start = 1_700_000_000_000_000 // HOUR_US * HOUR_US
    push(device, person, [(start, 60), (start + SECOND_US, 80)])
    push(device, person, [(start + 2 * SECOND_US, 100), (start + unit_us, 100)], client="strap")
    shown = [(start, 80, ""), (start + unit_us, 100, "")]

    def seen():
        parts = doctor.export(0, access_request_id=grant)
        return [(r.time_us, r.scalar, r.source) for part in parts for r in part.readings]

    assert seen() == shown
    push(device, person, [(start + 3 * SECOND_US, 190), (start + unit_us, 61)], client="somebody-elses")
    assert seen() == shown


def test_a_minute_is_exported_when_it_is_over_and_not_before(accounts):
    person, doctor = accounts.person(), accounts.third_party()
    grant, device = doctor.granted(person, whole(access.GRANULARITY_MINUTE)), person.device()
    now = time.time_ns() // 1_000
    push(device, person, [(now - 5 * MINUTE_US, 60), (now, 70)])
    # Whatever the clock: the minute that runs now has been over for 45 seconds only in a while.
    assert export(doctor, grant) == {(now - 5 * MINUTE_US) // MINUTE_US * MINUTE_US: 60}


def test_a_digest_of_minutes_shows_what_an_export_showed(server, accounts):
    person, doctor = accounts.person(), accounts.third_party()
    grant, device = doctor.granted(person, whole(access.GRANULARITY_MINUTE)), person.device()
    subscription = doctor.subscription(grant, sharing.CADENCE_HOURLY)
    start = 1_700_000_000_000_000 // HOUR_US * HOUR_US
    push(device, person, [(start, 60), (start + SECOND_US, 80)])
    assert export(doctor, grant) == {start: 70}
    push(device, person, [(start + 2 * SECOND_US, 190), (start, 100)])
    # The period that runs ends.
    server.sql(
        "UPDATE subscription SET period_start = now() - interval '2 hours', period_end = now() - interval '1 hour' "
        "WHERE id = %s", (subscription,),
    )  # fmt: skip
    with Subscribe(
        doctor.channel, doctor.token, subscription_id=subscription, start_at=sharing.START_AT_BEGINNING
    ) as stream:
        digest = wait_until(lambda: next_digest(stream), PATIENCE_S, "a digest with readings")
    assert dict(zip(digest.readings.scalars.time_us, digest.readings.scalars.value)) == {start: 70}
    assert export(doctor, grant) == {start: 70}


def next_digest(stream):
    """The next frame, if it is a digest with readings."""
    frame = stream.frame()
    return frame.digest if frame.HasField("digest") and frame.digest.readings.scalars.time_us else None
