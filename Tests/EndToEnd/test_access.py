"""Who may do what (B-R.D4): an operator everything, a person's token that person's readings, others nothing."""

import grpc
import pytest

from trackme.protocol import ingest, readings

from failures import fails
from server_process import wait_until
from streams import Caller, fresh_client, reading, scalars

T0 = 1_700_000_000_000_000
NOT_YOURS = ingest.REJECTION_REASON_NOT_YOURS

CALLS = {
    "ListMetrics": lambda c, p: c.metrics(),
    "GetCurrentStatus": lambda c, p: c.status(p),
    "ListReadings": lambda c, p: c.list(p),
    "SummarizeReadings": lambda c, p: c.summarize(person_id=p, metric="steps", from_us=1, to_us=2, resolution=5),
    "ExportReadings": lambda c, p: list(c.export(p)),
    "WatchReadings": lambda c, p: next(c.watch(p)),
    "RecordReadings": lambda c, p: c.record([reading(p, T0, 60)]),
    "PushReadings": lambda c, p: c.push(),
    "Subscribe": lambda c, p: c.subscribe([p]).frame(),
}


@pytest.mark.parametrize("name", CALLS)
def test_nothing_works_without_a_token(anonymous, person, name):
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        CALLS[name](anonymous, person)


@pytest.mark.parametrize("token", ["", "wrong", "Bearer", "é", "x" * 4000])
def test_nothing_works_with_a_token_that_nobody_has(server, person, token):
    if not token.isascii():
        token = "%C3%A9"
    with Caller(server.target, token) as caller, fails(grpc.StatusCode.UNAUTHENTICATED):
        caller.list(person)


@pytest.mark.parametrize("value", ["{}", "Basic {}", "bearer", "Bearer {} {}"])
def test_only_a_bearer_token_counts(server, channel, value):
    from trackme.protocol import ReadingServiceStub, reading_service

    metadata = (("authorization", value.format(*["wrong"] * 2)),)
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        ReadingServiceStub(channel).ListMetrics(reading_service.ListMetricsRequest(), metadata=metadata, timeout=60)


def test_a_person_pushes_and_reads_the_own_readings(as_person, person):
    with as_person.subscribe([person]) as subscription, as_person.push() as push:
        subscription.standing()
        assert push.commit(1, scalars(person, [(T0, 60)])).accepted == 1
        assert subscription.times(1) == [T0]
    assert as_person.record([reading(person, T0 + 1, 61)]).accepted == 1
    for name in CALLS:
        CALLS[name](as_person, person)


def test_person_0_is_the_caller(as_person, operator, person):
    operator.record([reading(person, T0, 60)])
    assert [r.person_id for r in as_person.history(0)] == [person]
    assert [r.scalar for r in as_person.status(0)] == [60]
    assert [r.scalar for part in as_person.export(0) for r in part.readings] == [60]
    assert len(as_person.summarize(person_id=0, metric="heart_rate", from_us=T0, to_us=T0 + 1, resolution=5).summaries)
    assert next(as_person.watch(0)).cursor


def test_an_operator_must_say_whom_it_means(operator):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "person_id"):
        operator.list(0)


@pytest.mark.parametrize(
    "name", ["GetCurrentStatus", "ListReadings", "SummarizeReadings", "ExportReadings", "WatchReadings", "Subscribe"]
)
def test_a_person_reads_nobody_else(as_person, operator, person, name):
    operator.record([reading(person + 500_000, T0, 60)])
    with fails(grpc.StatusCode.PERMISSION_DENIED):
        CALLS[name](as_person, person + 500_000)


def test_a_person_may_not_subscribe_to_everyone_nor_to_others_beside_the_own(as_person, person):
    for persons in ([], [person, person + 500_000]):
        with as_person.subscribe(persons) as subscription, fails(grpc.StatusCode.PERMISSION_DENIED):
            subscription.frame()


def test_readings_of_others_are_refused_one_by_one(as_person, operator, person):
    columns = readings.ReadingColumns(
        scalars=readings.ScalarColumns(
            person_id=[person, person + 500_000, person], metric=[1], time_us=[T0, T0, T0 + 1], value=[60, 61, 62]
        )
    )
    with as_person.push() as push:
        answer = push.commit(1, columns)
    assert answer.accepted == 2 and [(r.index, r.reason) for r in answer.rejections] == [(1, NOT_YOURS)]
    answer = as_person.record([reading(person + 500_000, T0, 60), reading(person, T0 + 2, 60)])
    assert answer.accepted == 1 and [(r.index, r.reason) for r in answer.rejections] == [(0, NOT_YOURS)]
    assert operator.history(person + 500_000) == []


def test_client_names_of_different_tokens_do_not_meet(as_person, operator, person):
    client = fresh_client()
    with operator.push(client) as theirs, as_person.push(client) as ours:
        assert theirs.commit(5, scalars(person, [(T0, 60)])).accepted == 1
        answer = ours.commit(1, scalars(person, [(T0 + 1, 60)]))
        assert (answer.accepted, answer.repeated) == (1, False)
    with as_person.push(client) as again:
        assert again.welcome.last_sequence == 1


def test_a_token_made_while_the_server_runs_works_at_once(server, person):
    token = server.person_token(person)
    assert len(token) >= 32
    with Caller(server.target, token) as caller:

        def works():
            try:
                caller.list(0)
            except grpc.RpcError:
                return False
            return True

        wait_until(works, what="the token")


def test_tokens_are_stored_as_hashes_alone(server, person):
    token = server.person_token(person)
    rows = server.sql("SELECT t::text FROM access_token t")
    assert rows and not any(token in row[0] for row in rows)


def test_the_operator_token_is_for_its_owner_alone(server):
    path = server.data_dir / "data" / "operator.token"
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(server.operator_token) >= 32
