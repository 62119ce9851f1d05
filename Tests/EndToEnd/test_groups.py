"""Anonymous groups over the wire: questions on a grid, answers with noise, a thousand persons at least, a budget
(A-R9, A-R10, B-R.R4 to B-R.R6, B-R.D6, B-3.7.3)."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import grpc
import pytest

from trackme.protocol import groups

from failures import fails
from group_town import HOUR_US, Town, day, midnight_us, timed

pytestmark = pytest.mark.strict

SAMPLE = Path(__file__).parents[2] / "clients/python/samples/group_chart.py"
MILAN, ROME = (45.4641, 9.1919), (41.8902, 12.4922)


def pulse(number: int) -> float:
    """Between 60 and 80, with the mean 70."""
    return 60 + number % 21


@pytest.fixture(scope="module")
def town():
    """1,400 persons with a pulse, of whom 900 have their oxygen taken; all are in Milan, and in the evening in Rome. There
    is budget enough for everything."""
    made = Town(TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000")
    made.persons = made.seed(1_400, "heart_rate", "blood_oxygen", "position")
    dawn = midnight_us()
    made.push("heart_rate", ((p, dawn + h * HOUR_US + 7, pulse(n)) for n, p in enumerate(made.persons) for h in (8, 20)))
    made.push("blood_oxygen", ((p, dawn + 9 * HOUR_US, 97) for p in made.persons[:900]))
    made.place((p, dawn + 8 * HOUR_US, *MILAN) for p in made.persons)
    made.place((p, dawn + 20 * HOUR_US, *ROME) for p in made.persons)
    # One person with very many readings counts like all others.
    made.push("heart_rate", ((made.persons[0], dawn + 12 * HOUR_US + n * 1_000, 130) for n in range(50_000)))
    made.gathered()
    yield made
    made.close()


@pytest.fixture(scope="module")
def institute(town):
    return town.accounts.third_party()


def question(**changes) -> groups.GroupQuestion:
    fields = {
        "metrics": ["heart_rate"], "from_date": day().isoformat(), "to_date": day().isoformat(),
        "statistics": [groups.GROUP_STATISTIC_MEAN], "precision": groups.GROUP_PRECISION_HIGH, **changes,
    }  # fmt: skip
    return groups.GroupQuestion(**fields)


def ask(party, dry_run: bool = False, **changes) -> groups.QueryGroupResponse:
    return party.ask("QueryGroup", question=question(**changes), dry_run=dry_run)


def refused(party, **changes) -> None:
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        ask(party, **changes)
    assert failure.reason == "GROUP_TOO_SMALL" and not any(c.isdigit() for c in failure.message)


def near(estimate: groups.GroupEstimate, truth: float) -> bool:
    """Within five standard deviations of the noise: wrong once in two million times."""
    return estimate.error > 0 and abs(estimate.value - truth) <= 5 * estimate.error


def test_a_group_of_1400_is_answered(town, institute):
    answer = ask(institute)
    (result,) = answer.answer.results
    mean = statistics.fmean([pulse(n) for n in range(1_400)][1:] + [130])
    assert not result.is_withheld and near(result.persons, 1_400) and near(result.mean, mean)
    assert result.persons.error == 20 and 0 < result.mean.error < 5
    assert (result.scale_from, result.scale_to) == (40, 130)
    assert result.from_date == result.to_date == day().isoformat()
    assert not result.HasField("standard_deviation") and not result.histogram and not result.quantiles
    assert answer.cost.rho == pytest.approx(2 * 0.001_25)


def test_a_group_of_900_is_refused_without_a_number(town, institute):
    refused(institute, metrics=["blood_oxygen"])


def test_nobody_is_told_of_who_does_not_share(town, institute):
    persons = town.seed(1_500, "steps")
    town.push("respiratory_rate", ((p, midnight_us() + HOUR_US, 80) for p in persons))
    town.gathered()
    refused(institute, metrics=["respiratory_rate"])
    refused(institute, metrics=["steps"])


def test_the_same_question_has_the_same_answer_and_costs_once(town):
    party = town.accounts.third_party()
    first = ask(party, from_weight_kg=53, to_age=118)
    for changes in ({"from_weight_kg": 50}, {"from_weight_kg": 57.5, "to_age": 93, "time_zone": "UTC", "from_age": 5}):
        again = ask(party, **changes)
        assert again.answer == first.answer and again.question == first.question and again.gathered == first.gathered
        assert again.budget == first.budget
    assert first.question.from_weight_kg == 50 and (first.question.from_age, first.question.to_age) == (18, 0)
    # Another third party pays for it as well, and hears the same.
    other = town.accounts.third_party()
    heard = ask(other, from_weight_kg=51)
    assert heard.answer == first.answer and heard.budget.spent == first.budget.spent


def test_statistics_agree_with_the_readings(town, institute):
    answer = ask(
        institute, precision=groups.GROUP_PRECISION_HIGH, from_hour=20, to_hour=21,
        statistics=[
            groups.GROUP_STATISTIC_STANDARD_DEVIATION, groups.GROUP_STATISTIC_HISTOGRAM,
            groups.GROUP_STATISTIC_QUANTILES,
        ],
    )  # fmt: skip
    (result,) = answer.answer.results
    values = [pulse(n) for n in range(1_400)]
    assert near(result.mean, statistics.fmean(values))
    assert near(result.standard_deviation, statistics.pstdev(values))
    assert len(result.histogram) == 20
    for number, count in enumerate(result.histogram):
        low = 40 + 4.5 * number
        # Values are put down as one of 100 steps: those at an edge may be in the next bin.
        inside = sum(low + 0.5 <= v < low + 4 for v in values)
        around = sum(low - 0.5 <= v < low + 5 for v in values)
        assert inside - 5 * count.error <= count.value <= around + 5 * count.error
    assert [round(q.share, 2) for q in result.quantiles] == [0.05, 0.25, 0.5, 0.75, 0.95]
    assert abs(result.quantiles[2].estimate.value - 70) < 5
    assert answer.cost.rho == pytest.approx(4 * 0.001_25)


def test_the_profile_of_the_day_tells_of_hours_with_a_thousand_persons(town):
    party = town.accounts.third_party()
    answer = ask(party, statistics=[groups.GROUP_STATISTIC_HOUR_PROFILE], time_zone="Europe/Rome", from_date=day(2).isoformat())
    (profile,) = answer.answer.profiles
    assert [h.hour for h in profile.hours] == list(range(24))
    told = [h for h in profile.hours if not h.is_withheld]
    assert len(told) == 2 and (told[1].hour - told[0].hour) % 24 == 12
    for hour in told:
        assert near(hour.persons, 1_400) and near(hour.mean, 70)
    # Of an hour that is withheld only the number of persons was looked at.
    assert answer.cost.rho == pytest.approx((1 + 22 + 2 * 2) * 0.001_25)
    assert answer.budget.spent == answer.cost, "what is withheld is given back"
    assert all(not h.HasField("persons") and not h.HasField("mean") for h in profile.hours if h.is_withheld)


def test_a_profile_costs_the_hours_that_it_is_about(town, institute):
    asked = question(statistics=[groups.GROUP_STATISTIC_HOUR_PROFILE], from_hour=22, to_hour=6)
    told = institute.ask("QueryGroup", question=asked, dry_run=True)
    assert told.cost.rho == pytest.approx((1 + 2 * 8) * 0.001_25)


def test_buckets_are_told_one_by_one(town, institute):
    answer = ask(institute, from_date=day(2).isoformat(), buckets=groups.GROUP_BUCKETS_DAY)
    before, yesterday = answer.answer.results
    assert before.is_withheld and not before.HasField("persons") and before.from_date == day(2).isoformat()
    assert not yesterday.is_withheld and yesterday.to_date == day().isoformat()


def test_a_person_in_two_places_is_in_both_and_once_in_the_whole(town, institute):
    def around(place) -> groups.GroupCircle:
        return groups.GroupCircle(latitude=place[0], longitude=place[1], radius_m=20_000)

    for place, hour in ((MILAN, 8), (ROME, 20)):
        (result,) = ask(institute, circle=around(place)).answer.results
        assert near(result.persons, 1_400)
        assert near(result.mean, 70)
        refused(institute, circle=around(place), from_hour=(hour + 4) % 24, to_hour=(hour + 4) % 24 + 1)
    italy = groups.GroupBox(south=36, west=6.5, north=47.1, east=18.6)
    assert near(ask(institute, box=italy).answer.results[0].persons, 1_400)
    refused(institute, box=groups.GroupBox(south=50, west=0, north=52, east=2))


@pytest.mark.parametrize(
    "changes, share",
    [
        ({"sex": groups.GROUP_SEX_FEMALE}, 1 / 2), ({"from_weight_kg": 80}, 1 / 2), ({"from_age": 90}, 0),
        ({"address": "MILANO"}, 1 / 3), ({"address": "via  appia"}, 2 / 3), ({"address": "Torino"}, 0),
    ],
)  # fmt: skip
def test_filters_leave_persons_out(town, institute, changes, share):
    """None of these groups has a thousand persons; in a town three times as large they do."""
    refused(institute, **changes)


def test_filters_count_who_they_are_about():
    town = Town(TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000")
    try:
        persons = town.seed(4_200, "heart_rate")
        town.push("heart_rate", ((p, midnight_us() + HOUR_US, 70) for p in persons))
        town.gathered()
        party = town.accounts.third_party()
        for changes, count in (
            ({"sex": groups.GROUP_SEX_FEMALE}, 2_100), ({"from_weight_kg": 80}, 2_100), ({"address": "MILANO"}, 1_400),
            ({"address": "via  appia"}, 2_800), ({"from_age": 20, "to_age": 54, "from_weight_kg": 60}, 1_750),
        ):  # fmt: skip
            (result,) = ask(party, statistics=[], **changes).answer.results
            assert near(result.persons, count), (changes, result.persons)
            refused(party, minimum_persons=count + 200, statistics=[], **changes)
    finally:
        town.close()


def test_a_dry_run_costs_nothing_and_tells_what_it_would(town):
    party = town.accounts.third_party()
    told = ask(party, dry_run=True, buckets=groups.GROUP_BUCKETS_DAY, from_date=day(7).isoformat())
    assert told.cost.rho == pytest.approx(7 * 2 * 0.001_25) and not told.HasField("answer")
    assert told.budget.spent.rho == 0
    budget = party.ask("GetGroupBudget").budget
    assert budget.spent.rho == 0 and budget.total.rho == 10 and budget.renewed.seconds > 0


@pytest.mark.parametrize(
    "field, changes",
    [
        ("question.metrics", {"metrics": []}), ("question.metrics[0]", {"metrics": ["mood"]}),
        ("question.metrics[0]", {"metrics": ["position"]}), ("question.metrics", {"metrics": ["steps"] * 11}),
        ("question.to_age", {"from_age": 40, "to_age": 30}), ("question.to_age", {"to_age": 17}),
        ("question.to_age", {"from_age": -1}), ("question.to_weight_kg", {"from_weight_kg": 90, "to_weight_kg": 80}),
        ("question.to_weight_kg", {"to_weight_kg": float("nan")}), ("question.sex", {"sex": 9}),
        ("question.address", {"address": "x" * 101}), ("question.address", {"address": "a|b"}),
        ("question.circle.radius_m", {"circle": groups.GroupCircle(latitude=45, longitude=9)}),
        ("question.circle.latitude", {"circle": groups.GroupCircle(latitude=float("nan"), radius_m=5_000)}),
        ("question.box", {"box": groups.GroupBox(south=-80, west=-180, north=80, east=180)}),
        ("question.box", {"circle": groups.GroupCircle(latitude=45, radius_m=9_000), "box": groups.GroupBox(north=5, east=5)}),
        ("question.box.north", {"box": groups.GroupBox(south=5, north=5)}),
        ("question.from_date", {"from_date": ""}), ("question.to_date", {"to_date": "2026-02-30"}),
        ("question.to_date", {"from_date": "2026-03-02", "to_date": "2026-03-01"}),
        ("question.to_date", {"from_date": "2025-01-01", "to_date": "2026-01-02"}),
        ("question.time_zone", {"time_zone": "Europe/Atlantis"}), ("question.time_zone", {"time_zone": "x" * 5_000}),
        ("question.to_hour", {"from_hour": 24}), ("question.to_hour", {"from_hour": 5, "to_hour": 5}),
        ("question.buckets", {"buckets": 9}), ("question.statistics[1]", {"statistics": [1, 0]}),
        ("question.precision", {"precision": 9}), ("question.minimum_persons", {"minimum_persons": 999}),
        ("question.minimum_persons", {"minimum_persons": -5}),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_question_is_named_and_costs_nothing(town, institute, field, changes):
    before = institute.ask("GetGroupBudget").budget
    with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
        ask(institute, **changes)
    assert institute.ask("GetGroupBudget").budget == before


def test_answers_and_refusals_leave_after_a_tenth_of_a_second_at_the_soonest(town, institute):
    spent = town.accounts.third_party()
    town.server.sql(
        "INSERT INTO group_budget (third_party, year, spent) VALUES (%s, extract(year FROM now() AT TIME ZONE 'UTC'), 10^10)",
        (spent.account_id,),
    )
    for party, changes in (
        (institute, {"sex": groups.GROUP_SEX_MALE}), (institute, {}), (institute, {}),
        (institute, {"minimum_persons": 1_000_000}), (institute, {"dry_run": True}), (spent, {}),
        (spent, {"from_age": 40}),
    ):  # fmt: skip
        def call():
            try:
                ask(party, **changes)
            except grpc.RpcError as error:
                assert error.code() in (grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.RESOURCE_EXHAUSTED)

        _, seconds = timed(call)
        assert seconds >= 0.1


def test_the_sample_draws_an_answer_with_its_error_bars(town):
    party = town.accounts.third_party()
    command = [
        sys.executable, SAMPLE, "--server", town.server.target, "--from", day(2).isoformat(), "--to", day().isoformat(),
        "--precision", "high",
    ]  # fmt: skip
    drawn = subprocess.run(
        command, env=os.environ | {"TRACKME_TOKEN": party.token}, capture_output=True, text=True, timeout=60
    )
    assert drawn.returncode == 0 and "is left" in drawn.stderr, drawn.stderr
    svg = ElementTree.fromstring(drawn.stdout)
    # The day before is withheld.
    (bar,), (mean,) = svg.findall("{*}line"), svg.findall("{*}circle")
    assert float(bar.get("y2")) < float(mean.get("cy")) < float(bar.get("y1"))
    assert mean.find("{*}title").text.startswith(day().isoformat())
    refused = subprocess.run([*command, "--metric", "blood_oxygen"], env=os.environ | {"TRACKME_TOKEN": party.token},
                             capture_output=True, text=True, timeout=60)  # fmt: skip
    assert refused.returncode == 1 and "too small" in refused.stderr and not refused.stdout
