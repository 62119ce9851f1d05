"""A person sees which answers about groups may have been made of their readings too (A-R10, B-R.R6)."""

from __future__ import annotations

import grpc
import pytest

from trackme.protocol import groups

from accounts import Party
from failures import fails
from group_town import HOUR_US, Town, day, midnight_us

pytestmark = pytest.mark.strict


@pytest.fixture(scope="module")
def town():
    made = Town(TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000")
    made.persons = made.seed(2_400, "heart_rate", "blood_oxygen")
    made.push("heart_rate", ((p, midnight_us() + 8 * HOUR_US, 70) for p in made.persons))
    made.gathered()
    yield made
    made.close()


@pytest.fixture(scope="module")
def institute(town):
    return town.accounts.third_party()


@pytest.fixture
def person(town):
    """Gives a seeded person, who is a woman where the number is even, in a session."""
    opened = []

    def give(number: int) -> Party:
        opened.append(Party(town.server.target, town.server.person_token(town.persons[number])))
        return opened[-1]

    yield give
    for party in opened:
        party.channel.close()


def ask(party, **changes) -> groups.GroupQuestion:
    """The question that was answered."""
    fields = {"metrics": ["heart_rate"], "from_date": day().isoformat(), "to_date": day().isoformat(),
              "precision": groups.GROUP_PRECISION_HIGH, **changes}  # fmt: skip
    return party.ask("QueryGroup", question=groups.GroupQuestion(**fields)).question


def disclosed(party) -> list[groups.GroupQuestion]:
    return [d.question for d in party.ask("ListGroupDisclosures", page_size=100).disclosures]


def test_an_answer_is_told_to_those_who_may_be_in_it_and_to_nobody_else(town, institute, person):
    woman, man = person(0), person(1)
    stranger = town.accounts.person()
    asked = ask(institute, sex=groups.GROUP_SEX_FEMALE, from_hour=7)
    (told,) = woman.ask("ListGroupDisclosures").disclosures[:1]
    assert told.question == asked and told.third_party_id == institute.account_id and told.third_party_name
    assert told.answered.seconds > 0
    assert asked not in disclosed(man) and disclosed(stranger) == []


def test_ages_leave_out_those_who_are_older(institute, person):
    asked = ask(institute, to_age=84, from_hour=6)
    assert asked in disclosed(person(0)) and asked not in disclosed(person(139)), "18 and 87 years"


def test_each_third_party_that_is_given_an_answer_is_told_of_once(town, institute, person):
    other = town.accounts.third_party()
    asked = ask(institute, from_hour=5)
    assert ask(institute, from_hour=5) == ask(other, from_hour=5) == asked
    given = [d.third_party_id for d in person(2).ask("ListGroupDisclosures").disclosures if d.question == asked]
    assert given == [other.account_id, institute.account_id]


def test_what_was_refused_or_only_priced_is_not_in_it(institute, person):
    before = disclosed(person(4))
    institute.ask("QueryGroup", dry_run=True, question=groups.GroupQuestion(
        metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat()))  # fmt: skip
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        ask(institute, from_hour=9)
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        ask(institute, metrics=["blood_oxygen"])
    assert disclosed(person(4)) == before


def test_who_has_withdrawn_sees_what_was_before_and_nothing_after(town, institute, person):
    leaving = person(6)
    before = ask(institute, from_hour=4)
    etag = leaving.ask("GetAnonymousSharing").sharing.etag
    leaving.ask("UpdateAnonymousSharing", metrics=["blood_oxygen"], etag=etag)
    after = ask(institute, from_hour=3)
    assert before in disclosed(leaving) and after not in disclosed(leaving)
    assert after in disclosed(person(8))
    # Chosen again, it counts from the next hour: an answer about yesterday is not made of it.
    etag = leaving.ask("GetAnonymousSharing").sharing.etag
    leaving.ask("UpdateAnonymousSharing", metrics=["blood_oxygen", "heart_rate"], etag=etag)
    town.gathered()
    assert ask(institute, from_hour=2) not in disclosed(leaving)


def test_pages_follow_each_other(institute, person):
    reader = person(10)
    for hour in range(13, 16):
        ask(institute, to_hour=hour)
    whole, read, token = disclosed(reader), [], ""
    while True:
        page = reader.ask("ListGroupDisclosures", page_size=2, page_token=token)
        read += [d.question for d in page.disclosures]
        if not (token := page.next_page_token):
            break
    assert read == whole and len(read) >= 3
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "page_token"):
        person(12).ask("ListGroupDisclosures", page_token="x")
