"""The history, the current status, summaries and the export of one person (B-R.D2/3, A-R27)."""

import math
import secrets
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import grpc
import pytest

from trackme.protocol import readings

import seeds
from failures import fails
from streams import METRIC_IDS, reading, scalars

T0 = 1_700_000_000_000_000
NEWEST, OLDEST = 1, 2
RAW, SECOND, MINUTE, HOUR, DAY, WEEK = range(1, 7)
SECOND_US = 1_000_000


@pytest.fixture
def walked(operator, person):
    """Three metrics of one person, two sources, 250 times each. The sources are new, and met in the order of their
    names: by it they stand in histories."""
    rows = []
    sources = [f"{letter}-{secrets.token_hex(4)}" for letter in "ab"]
    with operator.push() as push:
        sequence = 0
        for metric in ("heart_rate", "body_temperature", "steps"):
            for source in sources:
                sequence += 1
                batch = [(T0 + 1000 * i, 30 + i % 20) for i in range(250)]
                push.commit(sequence, scalars(person, batch, metric=metric, source=source))
                rows += [(t, METRIC_IDS[metric], source, v) for t, v in batch]
    return rows


def key(r):
    return (r.time_us, METRIC_IDS[r.metric], r.source, r.scalar)


def test_history_is_ordered_by_time_then_metric_then_source(operator, person, walked):
    assert [key(r) for r in operator.history(person, order=OLDEST, page_size=10_000)] == sorted(walked)
    newest = operator.history(person, page_size=10_000)
    assert sorted(key(r) for r in newest) == sorted(walked)
    times = [r.time_us for r in newest]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("order", [0, NEWEST, OLDEST])
@pytest.mark.parametrize("page_size", [1, 7, 99, 1500])
def test_pages_follow_each_other_with_no_gap_and_no_repeat(operator, person, walked, order, page_size):
    everything = operator.history(person, order=order, page_size=10_000)
    to_us = T0 + 30_000 if page_size == 1 else 0
    expected = [r for r in everything if not to_us or r.time_us < to_us]
    assert operator.history(person, order=order, page_size=page_size, to_us=to_us) == expected


def test_the_interval_includes_its_start_and_not_its_end(operator, person, walked):
    got = operator.history(person, metrics=["steps"], from_us=T0 + 10_000, to_us=T0 + 12_000, order=OLDEST)
    assert [r.time_us for r in got] == [T0 + 10_000, T0 + 10_000, T0 + 11_000, T0 + 11_000]


def test_metrics_are_chosen_by_name(operator, person, walked):
    got = operator.history(person, metrics=["steps", "heart_rate"], page_size=10_000)
    assert {r.metric for r in got} == {"steps", "heart_rate"} and len(got) == 1000


def test_a_page_has_100_readings_where_nothing_is_said_and_10000_at_most(operator, person, walked):
    assert len(operator.list(person).readings) == 100
    assert len(operator.list(person, page_size=1_000_000).readings) == 1500


def test_a_history_that_grows_meanwhile_keeps_its_pages(operator, person, walked):
    first = operator.list(person, order=OLDEST, page_size=500)
    with operator.push() as push:
        push.commit(1, scalars(person, [(T0 + 10**9, 60)]))
    rest, token = [], first.next_page_token
    while token:
        page = operator.list(person, order=OLDEST, page_size=500, page_token=token)
        rest += page.readings
        token = page.next_page_token
    got = [key(r) for r in [*first.readings, *rest] if r.time_us < T0 + 10**9]
    assert got == sorted(walked)


def test_a_page_token_with_other_arguments_is_refused(operator, person, walked):
    token = operator.list(person, page_size=10).next_page_token
    for change in ({"metrics": ["steps"]}, {"from_us": 5}, {"to_us": T0 + 1}, {"order": OLDEST}):
        with fails(grpc.StatusCode.INVALID_ARGUMENT, "page_token"):
            operator.list(person, **{"page_size": 10, "page_token": token, **change})
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "page_token"):
        operator.list(person + 500_000, page_size=10, page_token=token)


def test_nothing_is_found_of_a_person_without_readings(operator, person):
    assert operator.history(person) == [] and operator.status(person) == []
    assert [r for part in operator.export(person) for r in part.readings] == []
    assert not operator.summarize(person_id=person, metric="steps", from_us=1, to_us=T0, resolution=DAY).summaries


def test_the_current_status_is_the_newest_of_each_metric(operator, person, walked):
    operator.record([reading(person, T0 + 5, 99, metric="heart_rate", source="late")])
    operator.record([
        readings.Reading(person_id=person, metric="position", time_us=T0, position=readings.Position(latitude=1))
    ])  # fmt: skip
    got = {r.metric: r.time_us for r in operator.status(person)}
    newest = T0 + 249_000
    assert got == {"heart_rate": newest, "body_temperature": newest, "steps": newest, "position": T0}
    operator.record([reading(person, newest + 1, 77)])
    assert {r.metric: r.scalar for r in operator.status(person)}["heart_rate"] == 77


def test_the_export_is_everything_oldest_first(operator, person, walked):
    parts = list(operator.export(person))
    got = [r for part in parts for r in part.readings]
    assert [r.time_us for r in got] == sorted(t for t, *_ in walked)
    assert sorted(key(r) for r in got) == sorted(walked)
    some = [r for part in operator.export(person, metrics=["steps"], from_us=T0 + 5000, to_us=T0 + 6000)
            for r in part.readings]  # fmt: skip
    assert [(r.metric, r.time_us) for r in some] == [("steps", T0 + 5000)] * 2


def test_a_long_export_holds_every_reading_once(operator, person):
    with operator.push() as push:
        for sequence in range(1, 31):
            push.batch(sequence, scalars(person, [(T0 + sequence * 10**10 + i, 60) for i in range(5_000)]))
        for _ in range(30):
            push.acknowledgement()
    times = [r.time_us for part in operator.export(person) for r in part.readings]
    assert times == [T0 + s * 10**10 + i for s in range(1, 31) for i in range(5_000)]


# Summaries, against an oracle in plain Python


def interval_start(time_us: int, resolution: int, zone: ZoneInfo) -> int:
    """Where the interval begins that holds the time."""
    whole = {SECOND: SECOND_US, MINUTE: 60 * SECOND_US, HOUR: 3600 * SECOND_US}
    if resolution == RAW:
        return time_us
    if resolution in whole:
        return time_us // whole[resolution] * whole[resolution]
    day = (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=time_us)).astimezone(zone).date()
    if resolution == WEEK:
        day -= timedelta(days=day.weekday())
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int(midnight.timestamp()) * SECOND_US


def oracle(rows, resolution, zone, from_us, to_us):
    groups = defaultdict(list)
    for t, v in sorted(rows):
        if from_us <= t < to_us:
            groups[interval_start(t, resolution, zone)].append(v)
    return [(start, len(vs), min(vs), math.fsum(vs) / len(vs), max(vs), vs[-1]) for start, vs in sorted(groups.items())]


@pytest.fixture(scope="module")
def year(server):
    """Two bursts and a sparse year with both changes of the clock."""
    from streams import Caller

    person, rng = 900_001, seeds.rng("year")
    base = int(datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp()) * SECOND_US
    times = {base + rng.randrange(366 * 86_400) * SECOND_US + rng.randrange(SECOND_US) for _ in range(3_000)}
    for burst in (datetime(2024, 3, 31, tzinfo=timezone.utc), datetime(2024, 10, 27, tzinfo=timezone.utc)):
        start = int(burst.timestamp()) * SECOND_US - 3600 * SECOND_US
        times |= {start + i * 500_000 for i in range(12_000)}
    rows = [(t, round(rng.uniform(40, 190), 3)) for t in sorted(times)]
    shuffled = rows[:]
    rng.shuffle(shuffled)
    with Caller(server.target, server.operator_token) as caller, caller.push() as push:
        for sequence, start in enumerate(range(0, len(shuffled), 5_000), 1):
            push.commit(sequence, scalars(person, shuffled[start : start + 5_000]))
    return person, rows


@pytest.mark.parametrize("time_zone", ["", "Europe/Rome", "America/New_York", "Asia/Kathmandu"])
@pytest.mark.parametrize("resolution", [RAW, SECOND, MINUTE, HOUR, DAY, WEEK])
def test_summaries_agree_with_plain_python(operator, year, resolution, time_zone):
    person, rows = year
    from_us, to_us = rows[100][0], rows[-100][0]
    got, token = [], ""
    while True:
        page = operator.summarize(
            person_id=person, metric="heart_rate", from_us=from_us, to_us=to_us, resolution=resolution,
            time_zone=time_zone, page_token=token, page_size=7_001 if resolution == RAW else 0,
        )  # fmt: skip
        got += [(s.start_us, s.count, s.min, s.mean, s.max, s.last) for s in page.summaries]
        token = page.next_page_token
        if not token:
            break
    expected = oracle(rows, resolution, ZoneInfo(time_zone or "UTC"), from_us, to_us)
    assert [g[:3] + g[4:] for g in got] == [e[:3] + e[4:] for e in expected]
    assert [g[3] for g in got] == pytest.approx([e[3] for e in expected], rel=1e-12)


def test_a_summary_counts_a_repeated_reading_once_with_its_later_value(operator, person):
    with operator.push() as push:
        push.commit(1, scalars(person, [(T0, 60), (T0 + 1, 70)], source="s"))
        push.commit(2, scalars(person, [(T0, 100)], source="s"))
    (summary,) = operator.summarize(
        person_id=person, metric="heart_rate", from_us=T0, to_us=T0 + 10, resolution=HOUR
    ).summaries
    assert (summary.count, summary.min, summary.mean, summary.max, summary.last) == (2, 70, 85, 100, 70)


@pytest.mark.parametrize(
    "change, field",
    [
        ({"resolution": 0}, "resolution"),
        ({"resolution": 99}, "resolution"),
        ({"metric": ""}, "metric"),
        ({"metric": "mood"}, "metric"),
        ({"metric": "position"}, "metric"),
        ({"to_us": T0}, "to_us"),
        ({"to_us": T0 - 1}, "to_us"),
        ({"time_zone": "Middle/Earth"}, "time_zone"),
        ({"page_size": -1}, "page_size"),
        ({"page_token": "x"}, "page_token"),
        ({"person_id": -1}, "person_id"),
    ],
)
def test_a_summary_of_nonsense_is_refused_by_field(operator, person, change, field):
    good = {"person_id": person, "metric": "heart_rate", "from_us": T0, "to_us": T0 + 1, "resolution": DAY}
    operator.summarize(**good)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
        operator.summarize(**{**good, **change})


@pytest.mark.parametrize(
    "change, field",
    [
        ({"metrics": ["mood"]}, "metrics"),
        ({"from_us": 10, "to_us": 5}, "to_us"),
        ({"order": 9}, "order"),
        ({"page_size": -5}, "page_size"),
        ({"page_token": "nonsense"}, "page_token"),
    ],
)
def test_a_history_of_nonsense_is_refused_by_field(operator, person, change, field):
    with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
        operator.list(person, **change)
    assert any(f.partition("[")[0] == field for f in failure.fields), failure.fields


def test_status_export_and_watch_refuse_nonsense_by_field(operator, person):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "person_id"):
        operator.status(-3)
    with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
        list(operator.export(person, metrics=["mood"]))
    assert any(f.partition("[")[0] == "metrics" for f in failure.fields)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "cursor"):
        list(operator.watch(person, cursor="nonsense"))
