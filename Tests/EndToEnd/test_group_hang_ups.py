"""Who asks about a group may hang up: what the question was charged stays charged and is answered, and those who were in the
answer are told of it (A-R10, B-R.R6, B-R.D6)."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager

import grpc
import pytest

from trackme.protocol import GroupServiceStub, groups

from accounts import Party
from failures import fails
from group_town import HOUR_US, Town, day, midnight_us
from server_process import wait_until
from streams import metadata

pytestmark = pytest.mark.strict

ANSWER = 2 * 0.001_25
"""ρ of an answer with a count and a mean, of high precision."""


@pytest.fixture(scope="module")
def town():
    made = Town(TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000")
    made.persons = made.seed(1_400, "heart_rate")
    made.push("heart_rate", ((p, midnight_us() + h * HOUR_US, 70) for p in made.persons for h in range(24)))
    made.gathered()
    yield made
    made.close()


@pytest.fixture
def institute(town):
    return town.accounts.third_party()


def question(hour: int, **changes) -> groups.GroupQuestion:
    fields = {
        "metrics": ["heart_rate"], "from_date": day().isoformat(), "to_date": day().isoformat(), "from_hour": hour,
        "statistics": [groups.GROUP_STATISTIC_MEAN], "precision": groups.GROUP_PRECISION_HIGH, **changes,
    }  # fmt: skip
    return groups.GroupQuestion(**fields)


def spent(party) -> float:
    return party.ask("GetGroupBudget").budget.spent.rho


@contextmanager
def held(town):
    """Cells can be read when the block has ended: who asks within it is answered then."""
    with closing(town.server.connect()) as database, database.transaction():
        database.execute("LOCK TABLE group_cell IN ACCESS EXCLUSIVE MODE")
        yield


def begun(town, party, hour: int, timeout: float = 30, **changes):
    """A call that is being answered: what there is has been charged, and is about to be read."""
    stub = GroupServiceStub(party.channel)
    request = groups.QueryGroupRequest(question=question(hour, **changes))
    call = stub.QueryGroup.future(request, metadata=metadata(party.token), timeout=timeout)
    wait_until(lambda: readers(town), what="the reader")
    return call


def readers(town) -> list[int]:
    """The PostgreSQL processes of those who wait for cells."""
    query = """
        SELECT pid FROM pg_locks WHERE relation = 'group_cell'::regclass AND NOT granted AND mode = 'AccessShareLock'
        """
    return [pid for (pid,) in town.server.sql(query)]


def answers(town, party) -> int:
    ((count,),) = town.server.sql("SELECT count(*) FROM group_charge WHERE third_party = %s", (party.account_id,))
    return count


def reserved(town, party) -> int:
    ((count,),) = town.server.sql("SELECT count(*) FROM group_reservation WHERE third_party = %s", (party.account_id,))
    return count


def is_answered_for_what_was_charged(town, party, hour: int) -> None:
    again = party.ask("QueryGroup", question=question(hour))
    assert again.answer.results[0].mean.value and spent(party) == again.cost.rho == pytest.approx(ANSWER)
    assert (answers(town, party), reserved(town, party)) == (1, 0)


@pytest.mark.parametrize("hangs_up", ["the client cancels", "the deadline passes"])
def test_a_question_is_answered_for_what_it_was_charged_when(town, institute, hangs_up):
    hour, is_cancelled = (1, True) if hangs_up == "the client cancels" else (2, False)
    with held(town):
        call = begun(town, institute, hour, timeout=60 if is_cancelled else 1)
        if is_cancelled:
            call.cancel()
        else:
            with pytest.raises(grpc.RpcError) as ended:
                call.result()
            assert ended.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        assert spent(institute) == pytest.approx(ANSWER), "nothing is given back"
    wait_until(lambda: answers(town, institute), what="the answer that nobody waits for")
    is_answered_for_what_was_charged(town, institute, hour)


def test_who_is_asked_about_is_read_for_whoever_matches(town, institute):
    """Nobody weighs so much."""
    with held(town):
        call = begun(town, institute, 9, from_weight_kg=500)
    with pytest.raises(grpc.RpcError) as refused:
        call.result()
    assert refused.value.code() == grpc.StatusCode.FAILED_PRECONDITION


def test_whoever_asks_the_same_meanwhile_waits_for_the_same_answer(town, institute):
    with held(town):
        calls = [begun(town, institute, 3) for _ in range(4)]
        assert len(readers(town)) == 1, "it is read once"
        assert spent(institute) == pytest.approx(ANSWER)
    told = [call.result().answer for call in calls]
    assert told == [told[0]] * 4 and told[0].results[0].mean.value
    is_answered_for_what_was_charged(town, institute, 3)


def test_a_question_that_could_not_be_read_is_not_charged_again(town, institute):
    with held(town):
        call = begun(town, institute, 4)
        (reader,) = readers(town)
        town.server.sql("SELECT pg_terminate_backend(%s)", (reader,))
        with pytest.raises(grpc.RpcError):
            call.result()
        assert spent(institute) == pytest.approx(ANSWER) and reserved(town, institute) == 1
    is_answered_for_what_was_charged(town, institute, 4)


def test_an_answer_of_others_settles_what_was_charged(town, institute):
    with held(town):
        call = begun(town, institute, 5)
        town.server.sql("SELECT pg_terminate_backend(%s)", tuple(readers(town)))
        with pytest.raises(grpc.RpcError):
            call.result()
    of_all = "SELECT spent FROM group_budget WHERE third_party = 0"
    ((before,),) = town.server.sql(of_all)
    town.accounts.third_party().ask("QueryGroup", question=question(5))
    is_answered_for_what_was_charged(town, institute, 5)
    assert town.server.sql(of_all) == [(before,)], "for the persons it is one answer"


def test_what_an_answer_has_cost_is_seen_when_it_would_have_left(town, institute):
    """A bucket that is withheld costs less than is charged at first: how long it took to know is not seen."""
    request = groups.QueryGroupRequest(question=question(1, from_date=day(2).isoformat(), buckets=groups.GROUP_BUCKETS_DAY))
    began = time.monotonic()
    call = GroupServiceStub(institute.channel).QueryGroup.future(request, metadata=metadata(institute.token), timeout=30)
    wait_until(lambda: spent(institute) > 0, what="the charge")
    call.cancel()
    wait_until(lambda: spent(institute) == pytest.approx(1.5 * ANSWER), what="what is given back")
    assert time.monotonic() - began >= 0.1


def test_a_time_zone_that_is_none_is_refused_before_anything_is_charged(town, institute):
    for asked in ({"dry_run": True}, {}):
        with fails(grpc.StatusCode.INVALID_ARGUMENT, "question.time_zone"):
            institute.ask("QueryGroup", question=question(6, time_zone="Europe/Atlantis"), **asked)
    assert not town.server.sql("SELECT FROM group_budget WHERE third_party = %s", (institute.account_id,))


def test_who_withdraws_while_an_answer_is_made_is_told_that_they_are_in_it(town, institute):
    leaving = Party(town.server.target, town.server.person_token(town.persons[7]))
    with held(town):
        call = begun(town, institute, 7)
        leaving.ask("UpdateAnonymousSharing", metrics=[], etag=leaving.ask("GetAnonymousSharing").sharing.etag)
    asked = call.result().question
    after = institute.ask("QueryGroup", question=question(8)).question
    told = [d.question for d in leaving.ask("ListGroupDisclosures", page_size=100).disclosures]
    leaving.channel.close()
    assert asked in told and after not in told
