"""What answers about groups cost is counted, for each third party and for all together (A-R10, B-R.D6)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from trackme.protocol import groups

from failures import fails
from group_town import HOUR_US, Town, day, midnight_us

ANSWER = 2 * 0.001_25
"""ρ of an answer with a count and a mean, of high precision: four of them are the budget of a third party, eight that of
all."""


@pytest.fixture(scope="module")
def town():
    """1,200 persons, and budgets as they are where nobody sets them."""
    made = Town()
    persons = made.seed(1_200, "heart_rate")
    made.push("heart_rate", ((p, midnight_us() + h * HOUR_US, 70) for p in persons for h in range(24)))
    made.gathered()
    yield made
    made.close()


def ask(party, hour: int) -> groups.QueryGroupResponse:
    question = groups.GroupQuestion(
        metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat(), from_hour=hour, to_hour=hour + 1,
        statistics=[groups.GROUP_STATISTIC_MEAN], precision=groups.GROUP_PRECISION_HIGH,
    )  # fmt: skip
    return party.ask("QueryGroup", question=question)


def answered(party, hour: int) -> bool:
    try:
        ask(party, hour)
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        return False
    return True


def test_a_budget_is_spent_once_and_shared_by_all(town):
    first, second, third = (town.accounts.third_party() for _ in range(3))
    # All at once: a budget is checked where it is spent.
    with ThreadPoolExecutor(12) as pool:
        done = list(pool.map(lambda hour: answered(first, hour), range(12)))
    assert sum(done) == 4
    budget = first.ask("GetGroupBudget").budget
    assert budget.total.rho == 0.01 and budget.spent.rho == pytest.approx(0.01) and budget.left.rho == 0
    assert budget.renewed.seconds % 86_400 == 0
    # What was answered is still there, and costs nobody in it anything more.
    hour = done.index(True)
    kept = ask(first, hour)
    assert ask(second, hour).answer == kept.answer
    assert second.ask("GetGroupBudget").budget.spent.rho == pytest.approx(ANSWER)
    refused = [h for h in range(12) if not done[h]]
    for other in refused[:3]:
        ask(second, other)
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
        ask(second, refused[3])
    assert failure.reason == "PRIVACY_BUDGET_SPENT" and "-01-01" in failure.message
    # Nor is anything told for nothing that others have paid for.
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED):
        ask(second, [h for h in range(12) if done[h]][1])
    # Seven answers so far: of what all may have together, there is one left for whoever comes third.
    assert third.ask("GetGroupBudget").budget.left.rho == pytest.approx(ANSWER)
    ask(third, refused[4])
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
        ask(third, refused[5])
    assert third.ask("GetGroupBudget").budget.spent.rho == pytest.approx(ANSWER)


def test_budgets_outlive_the_server(town):
    before = town.accounts.third_party().ask("GetGroupBudget").budget.left
    assert before.rho == 0
    town.server.kill()
    town.server.start()
    assert town.accounts.third_party().ask("GetGroupBudget").budget.left == before
