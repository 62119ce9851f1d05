"""What answers about groups cost is counted, for each third party and for all together (A-R10, B-R.D6)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from trackme.protocol import groups

from failures import fails
from group_town import HOUR_US, Town, day, midnight_us

pytestmark = pytest.mark.strict

ANSWER = 2 * 0.001_25
"""ρ of an answer with a count and a mean, of high precision: four of them are the budget of a third party."""
SHARED = 0.01
"""Half the budget of all, which is dealt out in shares."""


@pytest.fixture
def town():
    """1,400 persons, and budgets as they are where nobody sets them."""
    made = Town()
    persons = made.seed(1_400, "heart_rate")
    made.push("heart_rate", ((p, midnight_us() + h * HOUR_US, 70) for p in persons for h in range(24)))
    made.gathered()
    yield made
    made.close()


def ask(party, hour: int, statistics=(groups.GROUP_STATISTIC_MEAN,), **filters) -> groups.QueryGroupResponse:
    question = groups.GroupQuestion(
        metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat(), from_hour=hour, to_hour=hour + 1,
        statistics=statistics, precision=groups.GROUP_PRECISION_HIGH, **filters,
    )  # fmt: skip
    return party.ask("QueryGroup", question=question)


def answered(party, hour: int) -> bool:
    try:
        ask(party, hour)
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        return False
    return True


def budget(party) -> groups.GroupBudget:
    return party.ask("GetGroupBudget").budget


def take_all(party, hours: range) -> list[int]:
    """Asks about many hours at once, as a budget is checked where it is spent: about which it was told."""
    with ThreadPoolExecutor(len(hours)) as pool:
        return [hour for hour, told in zip(hours, pool.map(lambda hour: answered(party, hour), hours)) if told]


def test_two_third_parties_can_not_take_the_share_of_a_third(town):
    first, second, third = (town.accounts.third_party() for _ in range(3))
    share = SHARED / 4
    assert budget(third).reserved.rho == pytest.approx(share), "a share is kept for whoever comes later"
    for party, hours in ((first, range(8)), (second, range(8, 16))):
        before = budget(party)
        assert before.reserved.rho == pytest.approx(share) and before.left.rho >= before.reserved.rho
        assert before.left.rho <= before.left_in_year.rho <= before.total.rho == 0.01
        told = take_all(party, hours)
        # How much is free besides is a question of the day.
        assert len(told) == min(int(before.left.rho / ANSWER + 1e-6), 4) >= 1
        after = budget(party)
        assert after.spent.rho == pytest.approx(len(told) * ANSWER) and after.left.rho < ANSWER
        assert after.reserved.rho == 0 and after.renewed.seconds % 86_400 == 0
        assert budget(third).reserved.rho == pytest.approx(share)
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
        ask(second, 16)
    assert failure.reason == "PRIVACY_BUDGET_SPENT" and "-01-01" in failure.message
    ask(third, 16)
    assert budget(third).reserved.rho == 0
    # Less than a share is left for whoever comes only now, but something.
    last = town.accounts.third_party()
    assert 0.001_25 <= budget(last).reserved.rho + 1e-12 and budget(last).reserved.rho < share
    ask(last, 17, statistics=())
    assert budget(last).spent.rho == pytest.approx(0.001_25)


@pytest.mark.long
def test_an_answer_that_somebody_has_had_costs_who_asks_and_nobody_else(town):
    first, second = (town.accounts.third_party() for _ in range(2))
    kept = ask(first, 0)
    before = budget(second)
    assert ask(second, 0).answer == kept.answer
    after = budget(second)
    assert after.spent.rho == pytest.approx(ANSWER)
    # Of the share nothing is taken.
    assert after.reserved == before.reserved
    assert ask(first, 0).answer == kept.answer and budget(first).spent.rho == pytest.approx(ANSWER)


@pytest.mark.long
def test_what_is_withheld_is_given_back_to_the_share(town):
    party = town.accounts.third_party()
    before = budget(party)
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        ask(party, 0, sex=groups.GROUP_SEX_FEMALE)
    assert failure.reason == "GROUP_TOO_SMALL"
    after = budget(party)
    # The count was looked at, and no mean was drawn.
    assert after.spent.rho == pytest.approx(ANSWER / 2)
    assert before.reserved.rho - after.reserved.rho == pytest.approx(ANSWER / 2)


def test_nothing_is_told_for_nothing_that_others_have_paid_for(town):
    first, second = (town.accounts.third_party() for _ in range(2))
    told = take_all(first, range(4))
    town.server.sql(
        "INSERT INTO group_budget (third_party, year, spent) VALUES (%s, extract(year FROM now() AT TIME ZONE 'UTC'), %s)",
        (second.account_id, 10_000_000 - 1),
    )
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED):
        ask(second, told[0])


@pytest.mark.long
def test_budgets_outlive_the_server(town):
    party = town.accounts.third_party()
    take_all(party, range(4))
    before = budget(party)
    assert before.spent.rho > 0
    town.server.kill()
    town.server.start()
    assert budget(party) == before
