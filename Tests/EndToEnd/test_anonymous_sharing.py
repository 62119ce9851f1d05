"""What persons share anonymously is their choice, at registration and at any time after (B-UC.1)."""

import time
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from failures import fails

pytestmark = pytest.mark.strict

HOUR_S = 3_600


def shared(person) -> dict[str, int]:
    """By the name of the kind, from when on readings count."""
    return {m.metric: m.counts_from.seconds for m in person.ask("GetAnonymousSharing").sharing.metrics}


def share(person, *metrics: str):
    etag = person.ask("GetAnonymousSharing").sharing.etag
    return person.ask("UpdateAnonymousSharing", metrics=metrics, etag=etag).sharing


def test_nothing_is_shared_that_was_not_chosen(accounts):
    assert shared(accounts.person()) == {}


def test_the_choice_at_registration_counts_from_the_next_full_hour(accounts):
    before = time.time()
    person = accounts.person(anonymous_metrics=["steps", "heart_rate", "steps"])
    after = time.time()
    times = shared(person)
    assert list(times) == ["heart_rate", "steps"]
    for counts_from in times.values():
        assert counts_from % HOUR_S == 0 and before <= counts_from < after + HOUR_S


def test_a_choice_that_is_none_is_named_and_nobody_is_registered(accounts):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "anonymous_metrics[1]"):
        accounts.person(anonymous_metrics=["heart_rate", "mood"])
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "anonymous_metrics"):
        accounts.person(anonymous_metrics=["heart_rate"] * 101)


def test_it_changes_at_any_time_and_what_stays_is_not_counted_anew(accounts):
    person = accounts.person(anonymous_metrics=["heart_rate", "steps"])
    first = shared(person)
    changed = share(person, "blood_oxygen", "heart_rate")
    assert [m.metric for m in changed.metrics] == ["blood_oxygen", "heart_rate"]
    assert shared(person)["heart_rate"] == first["heart_rate"]
    again = share(person, "heart_rate", "blood_oxygen")
    assert again == changed, "the same choice is no change"
    assert share(person).metrics == []
    assert shared(person) == {}


def test_a_stale_or_missing_etag_changes_nothing(accounts):
    person = accounts.person()
    etag = person.ask("GetAnonymousSharing").sharing.etag
    person.ask("UpdateAnonymousSharing", metrics=["heart_rate"], etag=etag)
    with fails(grpc.StatusCode.ABORTED) as failure:
        person.ask("UpdateAnonymousSharing", metrics=["steps"], etag=etag)
    assert failure.reason == "STALE_ETAG"
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "etag", "metrics[0]"):
        person.ask("UpdateAnonymousSharing", metrics=["mood"])
    assert list(shared(person)) == ["heart_rate"]


@pytest.mark.parametrize("metrics", [["heart_rate"] * 101, [""], ["heart_rate", "x" * 5_000]])
def test_bad_names_are_named(accounts, metrics):
    person = accounts.person()
    with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
        person.ask("UpdateAnonymousSharing", metrics=metrics, etag="0")
    assert all(field.startswith("metrics") for field in failure.fields) and failure.fields
    assert shared(person) == {}


def test_at_most_twenty_changes_a_day_choose_something_and_withdrawing_is_always_allowed(accounts):
    person = accounts.person()
    for number in range(20):
        share(person, "heart_rate" if number % 2 == 0 else "steps")
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
        share(person, "heart_rate")
    assert failure.reason == "TOO_MANY_CHANGES"
    assert list(shared(person)) == ["steps"]
    assert share(person).metrics == []


def test_of_changes_at_once_one_is_made(accounts):
    person = accounts.person()

    def choose(metric: str) -> str:
        try:
            person.ask("UpdateAnonymousSharing", metrics=[metric], etag="0")
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.ABORTED
            return ""
        return metric

    with ThreadPoolExecutor(8) as pool:
        made = [m for m in pool.map(choose, ["heart_rate", "steps", "weight", "blood_oxygen"] * 2) if m]
    assert len(made) == 1 and list(shared(person)) == made
