"""Subscriptions on groups: each period has exactly one release, which is silent below the threshold (A-R11, A-R12)."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime, timezone

import grpc
import pytest

from trackme.protocol import groups, sharing

from accounts import Party
from failures import fails
from group_town import HOUR_US, Town, day, midnight_us
from server_process import wait_until
from streams import Subscribe

pytestmark = pytest.mark.strict

# How many persons have a pulse, by how many days ago: at high precision 1,120 are enough, and 1,240 after a pause.
HAVE = {9: 1_210, 8: 900, 7: 1_150, 6: 1_150, 5: 1_150, 4: 1_340, 3: 1_340, 2: 1_340}


@pytest.fixture(scope="module")
def town():
    made = Town(
        TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000", TRACKME_GROUP_EPOCH_SECONDS="1"
    )
    made.persons = made.seed(1_340, "heart_rate")
    for ago, count in HAVE.items():
        made.push("heart_rate", ((p, midnight_us(ago) + 8 * HOUR_US, 60 + n % 21) for n, p in enumerate(made.persons[:count])))
    made.gathered()
    yield made
    made.close()


@pytest.fixture
def institute(town):
    party = town.accounts.third_party()
    yield party
    for subscription in party.ask("ListSubscriptions", active_only=True, page_size=100).subscriptions:
        party.ask("CancelSubscription", subscription_id=subscription.subscription_id)


def question(**changes) -> groups.GroupQuestion:
    return groups.GroupQuestion(
        **{"metrics": ["heart_rate"], "precision": groups.GROUP_PRECISION_HIGH,
           "statistics": [groups.GROUP_STATISTIC_MEAN], **changes})  # fmt: skip


def order(party, cadence=sharing.CADENCE_DAILY, **fields) -> sharing.Subscription:
    fields.setdefault("group", question())
    return party.ask("CreateSubscription", cadence=cadence, **fields).subscription


def begin(town, made: sharing.Subscription, start: str, end: str) -> None:
    """Lets its first period be an older one."""
    town.server.sql(
        "UPDATE group_subscription SET period_start = %s::timestamptz, period_end = %s::timestamptz WHERE id = %s",
        (start, end, made.subscription_id),
    )


def begin_days_ago(town, made: sharing.Subscription, ago: int) -> None:
    begin(town, made, f"{day(ago)} 00:00+00", f"{day(ago - 1)} 00:00+00")


def at(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat()


def made_of(town, made: sharing.Subscription) -> int:
    """How many periods have been released, of which the last may be over by now, or not."""
    query = "SELECT count(*), count(DISTINCT period_start) FROM group_release WHERE subscription = %s"
    ((count, periods),) = town.server.sql(query, (made.subscription_id,))
    assert count == periods
    return count


@contextmanager
def follow(party, made: sharing.Subscription, **start):
    start.setdefault("start_at", sharing.START_AT_BEGINNING)
    with Subscribe(party.channel, party.token, subscription_id=made.subscription_id, **start) as stream:
        yield stream


def releases(stream, count: int) -> list[sharing.GroupRelease]:
    """The next ones; the cursor of the stream is that of the last."""
    got = []
    while len(got) < count:
        frame = stream.frame()
        if frame.WhichOneof("frame") == "group_release":
            got.append(frame.group_release)
        else:
            assert frame.HasField("heartbeat"), frame
    return got


def test_a_release_answers_for_its_period_and_costs_what_the_question_costs(town, institute):
    made = order(institute)
    assert made.group == question(from_age=18, to_hour=24, minimum_persons=1_000), "on the grid, without dates"
    assert made.release_cost.rho == pytest.approx(2 * 0.00125)
    assert not made.access_request_id and list(made.metrics) == ["heart_rate"]
    begin_days_ago(town, made, 4)
    with follow(institute, made) as stream:
        first, second, third = releases(stream, 3)
    assert [r.question.from_date for r in (first, second, third)] == [day(n).isoformat() for n in (4, 3, 2)]
    assert first.question.from_date == first.question.to_date and first.period_start.seconds == midnight_us(4) // 10**6
    for before, after in ((first, second), (second, third)):
        assert before.period_end == after.period_start and before.release_id < after.release_id
    for release in (first, second, third):
        (told,) = release.answer.results
        assert abs(told.persons.value - 1_340) < 6 * told.persons.error and abs(told.mean.value - 70) < 6 * told.mean.error
        assert release.cost == made.release_cost and release.gathered.seconds >= release.period_end.seconds + 3_600

    def is_paid() -> bool:
        # Yesterday's may be released by now, or paid before it is released: without readings it costs less than the others.
        query = "SELECT release FROM group_release WHERE subscription = %s"
        costs = [sharing.GroupRelease.FromString(bytes(r)).cost.rho for (r,) in town.server.sql(query, (made.subscription_id,))]
        return len(costs) >= 3 and institute.ask("GetGroupBudget").budget.spent.rho == pytest.approx(sum(costs))

    wait_until(is_paid, what="each release to have cost what the question costs")


def test_a_stream_goes_on_after_its_cursor_and_nothing_comes_twice(town, institute):
    made = order(institute)
    begin_days_ago(town, made, 6)
    with follow(institute, made) as stream:
        whole = releases(stream, 5)
    with follow(institute, made, max_outstanding=1) as stream:
        some = releases(stream, 1)
        cursor = stream.cursor
    town.server.kill()
    town.server.start()
    institute.log_in()
    with follow(institute, made, cursor=cursor) as stream:
        some += releases(stream, 4)
    assert some == whole
    assert made_of(town, made) >= 5


def test_it_pauses_below_the_threshold_and_noise_alone_does_not_end_the_pause(town, institute):
    made = order(institute)
    begin_days_ago(town, made, 9)
    with follow(institute, made) as stream:
        got = releases(stream, 6)
    told = [release.pause == sharing.GROUP_PAUSE_UNSPECIFIED for release in got]
    assert told == [True, False, False, False, False, True], "1,210, 900, three times 1,150, 1,340"
    for release in got:
        assert release.HasField("answer") == (release.pause == sharing.GROUP_PAUSE_UNSPECIFIED)
        assert release.pause in (sharing.GROUP_PAUSE_UNSPECIFIED, sharing.GROUP_PAUSE_TOO_SMALL)
    assert [r.question.minimum_persons for r in got] == [1_000, 1_000, 1_120, 1_120, 1_120, 1_120]
    assert {r.cost.rho for r, is_told in zip(got, told) if not is_told} == {0.00125}, "a refusal has no number but one"


def test_a_spent_budget_pauses_and_costs_nothing_more(town, institute):
    town.server.sql(
        "INSERT INTO group_budget (third_party, year, spent) VALUES (%s, %s, %s)",
        (institute.account_id, datetime.now(timezone.utc).year, 10_000_000_000 - 2 * 2_500_000 - 1),
    )
    made = order(institute)
    begin_days_ago(town, made, 4)
    with follow(institute, made) as stream:
        got = releases(stream, 3)
    assert [r.pause for r in got[:2]] == [sharing.GROUP_PAUSE_UNSPECIFIED] * 2
    assert got[2].pause == sharing.GROUP_PAUSE_BUDGET_SPENT and got[2].cost.rho == 0
    assert not got[2].HasField("answer") and not got[2].HasField("gathered")
    (shown,) = institute.ask("ListSubscriptions", active_only=True).subscriptions
    assert shown.pause == sharing.GROUP_PAUSE_BUDGET_SPENT
    assert institute.ask("GetGroupBudget").budget.left.rho == pytest.approx(1e-9)


def test_a_period_waits_an_hour_for_readings_that_come_late(town, institute):
    def released_at_once() -> tuple[int, int]:
        made, later = (order(institute, sharing.CADENCE_HOURLY) for _ in range(2))
        ((hour,),) = town.server.sql("SELECT extract(epoch FROM date_trunc('hour', now()))::bigint")
        begin(town, made, at(hour - 7_200), at(hour - 3_600))
        with follow(institute, made) as stream:
            releases(stream, 1)
        # Whatever is due beside it has been made by the time another one is.
        begin(town, later, at(hour - 7_200), at(hour - 3_600))
        with follow(institute, later) as stream:
            releases(stream, 1)
        count = made_of(town, made)
        ((now,),) = town.server.sql("SELECT extract(epoch FROM date_trunc('hour', now()))::bigint")
        return count, now - hour

    count, passed = released_at_once()
    if passed:  # The hour has turned: the next one does not.
        count, passed = released_at_once()
    assert count == 1


def test_a_third_party_that_leaves_follows_nothing_more(town):
    leaving = town.accounts.third_party()
    made = order(leaving, request_id="mine")
    leaving.ask("DeactivateAccount", password=leaving.credentials.password)
    query = "SELECT ended_at IS NOT NULL FROM group_subscription WHERE id = %s"
    wait_until(lambda: town.server.sql(query, (made.subscription_id,)) == [(True,)], 30, "the end")


def test_days_and_hours_are_those_of_the_zone_and_of_utc(town, institute):
    autumn = order(institute, time_zone="Europe/Rome")
    begin(town, autumn, "2026-10-25 00:00 Europe/Rome", "2026-10-26 00:00 Europe/Rome")
    hourly = order(institute, sharing.CADENCE_HOURLY)
    begin(town, hourly, f"{day(2)} 23:00+00", f"{day(1)} 00:00+00")
    with follow(institute, autumn) as stream:
        first, second = releases(stream, 2)
    assert first.period_end.seconds - first.period_start.seconds == 25 * 3_600
    assert second.period_end.seconds - second.period_start.seconds == 24 * 3_600
    assert (first.question.from_date, first.question.to_date) == ("2026-10-25", "2026-10-25")
    assert first.question.time_zone == "Europe/Rome"
    with follow(institute, hourly) as stream:
        first, second = releases(stream, 2)
    assert (first.question.from_date, first.question.from_hour, first.question.to_hour) == (day(2).isoformat(), 23, 24)
    assert (second.question.from_date, second.question.from_hour, second.question.to_hour) == (day(1).isoformat(), 0, 1)


def test_an_area_may_be_followed(town, institute):
    made = order(institute, group=question(area="IT-R03", statistics=[]))
    assert made.group.area == "IT-R03" and made.release_cost.rho == pytest.approx(0.00125)
    begin_days_ago(town, made, 3)
    with follow(institute, made) as stream:
        (release,) = releases(stream, 1)
    assert release.question.area == "IT-R03" and release.pause == sharing.GROUP_PAUSE_TOO_SMALL, "nobody says where they are"
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "group.area"):
        order(institute, group=question(area="IT-R99"))


def test_a_persons_ledger_has_what_releases_told(town, institute):
    made = order(institute)
    begin_days_ago(town, made, 3)
    with follow(institute, made) as stream:
        (release,) = releases(stream, 1)
    person = Party(town.server.target, town.server.person_token(town.persons[0]))
    told = person.ask("ListGroupDisclosures", page_size=100).disclosures
    assert release.question in [d.question for d in told if d.third_party_id == institute.account_id]
    person.channel.close()


def test_it_is_listed_changed_and_cancelled_like_others(town, institute):
    first, second = order(institute), order(institute, sharing.CADENCE_WEEKLY)
    listed = institute.ask("ListSubscriptions").subscriptions
    assert [s.subscription_id for s in listed] == [second.subscription_id, first.subscription_id]
    page = institute.ask("ListSubscriptions", page_size=1)
    assert list(page.subscriptions) == listed[:1]
    assert list(institute.ask("ListSubscriptions", page_size=1, page_token=page.next_page_token).subscriptions) == listed[1:]

    def change(made, **fields):
        return institute.ask(
            "UpdateSubscription", subscription_id=made.subscription_id, **{"etag": made.etag, **fields}).subscription  # fmt: skip

    changed = change(first, cadence=sharing.CADENCE_MONTHLY, group=question(from_age=40))
    assert changed.cadence == sharing.CADENCE_MONTHLY and changed.group.from_age == 40 and changed.etag != first.etag
    assert changed.next_digest.seconds >= first.next_digest.seconds
    assert change(changed).group == changed.group, "what is left out stays"
    with fails(grpc.StatusCode.ABORTED):
        change(first, cadence=sharing.CADENCE_DAILY)
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        change(second, cadence=sharing.CADENCE_HOURLY)
    assert failure.reason == "DELIVERY_FIXED"
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        change(second, time_zone="Europe/Rome")
    with follow(institute, second) as stream:
        stream.frame()
        assert institute.ask("CancelSubscription", subscription_id=second.subscription_id).subscription.HasField("ended")
        with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
            while True:
                stream.frame()
    assert failure.reason == "SUBSCRIPTION_ENDED"
    with fails(grpc.StatusCode.FAILED_PRECONDITION), follow(institute, second) as stream:
        stream.frame()
    assert len(institute.ask("ListSubscriptions", active_only=True).subscriptions) == 1


def test_a_stream_stays_open_while_its_subscription_does(town, institute):
    """Other servers' cancellations are looked for in the database, where a subscription on a group must be found."""
    made = order(institute)
    with follow(institute, made, start_at=sharing.START_AT_NOW) as stream:
        stream.standing()
        begin_days_ago(town, made, 3)
        releases(stream, 2)
        town.server.sql("UPDATE group_subscription SET ended_at = now() WHERE id = %s", (made.subscription_id,))
        with fails(grpc.StatusCode.FAILED_PRECONDITION):
            while True:
                stream.frame()


def test_others_do_not_find_it(town, institute):
    made = order(institute)
    other = town.accounts.third_party()
    for rpc, fields in (("CancelSubscription", {}), ("UpdateSubscription", {"etag": made.etag})):
        with fails(grpc.StatusCode.NOT_FOUND):
            other.ask(rpc, subscription_id=made.subscription_id, **fields)
    with fails(grpc.StatusCode.NOT_FOUND), follow(other, made) as stream:
        stream.frame()
    assert not other.ask("ListSubscriptions").subscriptions


@pytest.mark.parametrize(
    "fields, names",
    [
        ({"cadence": sharing.CADENCE_AS_PRODUCED}, ["cadence"]),
        ({"cadence": 0}, ["cadence"]),
        ({"access_request_id": 1}, ["access_request_id"]),
        ({"metrics": ["heart_rate"]}, ["metrics"]),
        ({"time_zone": "Europe/Nowhere"}, ["time_zone"]),
        ({"time_zone": "Europe/Rome", "cadence": sharing.CADENCE_HOURLY}, ["time_zone"]),
        ({"request_id": "x" * 65}, ["request_id"]),
        ({"group": question(metrics=["nothing"])}, ["group.metrics[0]"]),
        ({"group": question(from_date="2026-01-01", to_date="2026-01-01")}, ["group.from_date", "group.to_date"]),
        ({"group": question(time_zone="UTC", buckets=groups.GROUP_BUCKETS_DAY)}, ["group.time_zone", "group.buckets"]),
        ({"group": question(from_hour=7), "cadence": sharing.CADENCE_HOURLY}, ["group.from_hour"]),
        ({"group": question(minimum_persons=999)}, ["group.minimum_persons"]),
        ({"group": question(statistics=[groups.GROUP_STATISTIC_RECORDS])}, ["group.statistics[0]"]),
        ({"group": question(from_age=17, to_age=17)}, ["group.to_age"]),
    ],
)
def test_what_can_not_be_ordered_is_refused_with_the_names_of_its_fields(institute, fields, names):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, *names):
        order(institute, **fields)


def test_a_repeat_makes_no_second_one_and_twenty_may_be_active(institute):
    first = order(institute, request_id="mine")
    assert order(institute, sharing.CADENCE_WEEKLY, request_id="mine") == first
    for _ in range(19):
        order(institute, sharing.CADENCE_MONTHLY)
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
        order(institute)
    assert failure.reason == "TOO_MANY_SUBSCRIPTIONS"
    institute.ask("CancelSubscription", subscription_id=first.subscription_id)
    order(institute)
