"""The noise in answers about groups is that of opendp, and costs what opendp says (B-R.D6).

opendp is a library of differential privacy that shares nothing with the product. 4,000 persons are asked about of whom
everything is known, so that each number of an answer tells its noise. Tests fail by chance once in a million runs.
"""

from __future__ import annotations

import itertools
import math
import statistics
from bisect import bisect
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import NormalDist

import opendp.prelude as dp
import pytest

from trackme.protocol import groups

from group_town import HOUR_US, Town, day, midnight_us

pytestmark = pytest.mark.strict

DAYS, QUESTIONS = 30, 240
"""Each question has an answer for every day, with noise of its own."""
PERSONS, BINS = 4_000, 20
LOWER, UPPER = 40.0, 130.0
PER_PLACE = (UPPER - LOWER) / 200
"""A pulse is put down as one of the places from -100 to 100 on this scale."""
MULTIPLIERS = {
    groups.GROUP_PRECISION_HIGH: 20, groups.GROUP_PRECISION_MEDIUM: 50, groups.GROUP_PRECISION_LOW: 500,
}  # fmt: skip
HIGH = MULTIPLIERS[groups.GROUP_PRECISION_HIGH]
DELTA = 1e-10
FALSE_ALARM = 1e-7
"""How often noise of the same kind is told apart."""
DRAWS = 40_000
"""Of opendp, beside 7,200 of the product: enough to see a scale that is a tenth off."""

MEAN, DEVIATION, HISTOGRAM, QUANTILES, HOURS = (
    groups.GROUP_STATISTIC_MEAN, groups.GROUP_STATISTIC_STANDARD_DEVIATION, groups.GROUP_STATISTIC_HISTOGRAM,
    groups.GROUP_STATISTIC_QUANTILES, groups.GROUP_STATISTIC_HOUR_PROFILE,
)  # fmt: skip

dp.enable_features("contrib")


# What opendp says


def sensitivities() -> dict[str, float]:
    """The most that one person can change: coming (a record more), or being another one (a record less, and one more)."""
    apart = dp.symmetric_distance()

    def of_sum(bounds: tuple[int, int]) -> int:
        comes = dp.t.make_sum(dp.vector_domain(dp.atom_domain(bounds=bounds)), apart).map(1)
        changes = dp.t.make_sum(dp.vector_domain(dp.atom_domain(bounds=bounds), size=PERSONS), apart).map(2)
        return max(comes, changes)

    return {
        "count": dp.t.make_count(dp.vector_domain(dp.atom_domain(T=int)), apart).map(1),
        "sum": of_sum((-100, 100)),
        "squares": of_sum((0, 100 * 100)),
        # Out of one bin and into another; opendp says 2 of it, the sum of the two.
        "bins": math.sqrt(2),
    }


def draws(scale: float, count: int = DRAWS) -> list[int]:
    """Noise of opendp."""
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    return (space >> dp.m.then_gaussian(scale=scale))([0] * count)


def rho(sensitivity: float, scale: float) -> float:
    """What opendp says that a number costs."""
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    return (space >> dp.m.then_gaussian(scale=scale)).map(float(sensitivity))


def cost(numbers: int, multiplier: int) -> tuple[float, float]:
    """ρ, and the ε that follows from it, of so many numbers together."""
    space = dp.atom_domain(T=int), dp.absolute_distance(T=float)
    number = space >> dp.m.then_gaussian(scale=float(multiplier))
    together = dp.c.make_composition([number] * numbers)
    epsilon, _ = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(together), DELTA).map(1.0)
    return together.map(1.0), epsilon


# What tells noise apart


def differences(ours: list[float], theirs: list[float], scale: float) -> list[str]:
    """In what two samples differ that should be of the same scale: in their mean, spread or shape."""
    found = []
    limit = NormalDist().inv_cdf(1 - FALSE_ALARM / 6)
    each = 1 / len(ours) + 1 / len(theirs)
    if abs(statistics.fmean(ours) - statistics.fmean(theirs)) > limit * scale * math.sqrt(each):
        found.append("mean")
    # The logarithm of a Gaussian's variance has twice the variance of its mean.
    if abs(math.log(statistics.pvariance(ours) / statistics.pvariance(theirs))) > limit * math.sqrt(2 * each):
        found.append("variance")
    cuts = [scale * NormalDist().inv_cdf(n / 16) for n in range(1, 16)]
    counts = [Counter(bisect(cuts, value) for value in sample) for sample in (ours, theirs)]
    ratio = math.sqrt(len(theirs) / len(ours))
    pearson = sum((ratio * a - b / ratio) ** 2 / (a + b) for a, b in ((counts[0][c], counts[1][c]) for c in range(16)))
    if pearson > _chi_squared(15, NormalDist().inv_cdf(1 - FALSE_ALARM / 3)):
        found.append("shape")
    return found


def _chi_squared(freedom: int, deviations: float) -> float:
    """Where as much is beyond as beyond so many deviations of a Gaussian (Wilson and Hilferty, 1931)."""
    share = 2 / (9 * freedom)
    return freedom * (1 - share + deviations * math.sqrt(share)) ** 3


# What the product says


@dataclass
class Noise:
    """What was told, less what is true: each number of a sample from another answer or day."""

    count: list[float] = field(default_factory=list)
    sum: list[float] = field(default_factory=list)
    squares: list[float] = field(default_factory=list)
    bins: list[float] = field(default_factory=list)
    all_bins: list[float] = field(default_factory=list)
    """Of an answer and day together."""
    all_days: list[float] = field(default_factory=list)
    """Of the counts of an answer together."""


def place(number: int) -> int:
    """Of a person: in the middle of one of the bins, of which each has as many persons."""
    return 10 * (number % BINS) + 4 - 100


TRUTH = {"sum": sum(map(place, range(PERSONS))), "squares": sum(place(n) ** 2 for n in range(PERSONS))}


def whole(number: float) -> float:
    """A number that was divided on its way."""
    assert abs(number - round(number)) < 1e-3
    return round(number)


@pytest.fixture(scope="module")
def town():
    made = Town(TRACKME_GROUP_BUDGET="10000000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000000")
    try:
        persons = made.seed(PERSONS, "heart_rate")
        with made.server.connect() as database:
            # Adults on every day that is asked about.
            database.execute("UPDATE person SET date_of_birth = '1980-01-01'")
        pulses = [(LOWER + UPPER) / 2 + place(n) * PER_PLACE for n in range(PERSONS)]
        for ago in range(1, DAYS + 1):
            noon = midnight_us(ago) + 12 * HOUR_US
            made.push("heart_rate", ((p, noon, pulse) for p, pulse in zip(persons, pulses, strict=True)))
        made.gathered()
        yield made
    finally:
        made.close()


def question(**changes) -> groups.GroupQuestion:
    fields = {
        "metrics": ["heart_rate"], "from_date": day(DAYS).isoformat(), "to_date": day().isoformat(),
        "buckets": groups.GROUP_BUCKETS_DAY, "statistics": [DEVIATION, HISTOGRAM],
        "precision": groups.GROUP_PRECISION_HIGH, **changes,
    }  # fmt: skip
    return groups.GroupQuestion(**fields)


@pytest.fixture(scope="module")
def noise(town):
    """Of questions that differ in their words, and in nothing that changes who is in the answer: all readings are of noon."""
    party = town.accounts.third_party()
    words = itertools.islice(itertools.product(range(12), range(13, 25), (1_000, 1_001)), QUESTIONS)

    def ask(hours_and_fewest: tuple[int, int, int]) -> groups.QueryGroupResponse:
        first, end, fewest = hours_and_fewest
        return party.ask("QueryGroup", question=question(from_hour=first, to_hour=end, minimum_persons=fewest))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, words))
    found = Noise()
    for answer in answers:
        assert answer.cost.rho == pytest.approx(DAYS * 4 * rho(1, HIGH))
        assert len(answer.answer.results) == DAYS
        for result in answer.answer.results:
            _take(found, result)
        found.all_days.append(sum(found.count[-DAYS:]))
    return found


def _take(found: Noise, result: groups.GroupResult) -> None:
    count, mean = result.persons.value, (result.mean.value - (LOWER + UPPER) / 2) / PER_PLACE
    deviation = result.standard_deviation.value / PER_PLACE
    found.count.append(count - PERSONS)
    found.sum.append(whole(mean * count) - TRUTH["sum"])
    found.squares.append(whole((deviation**2 + mean**2) * count) - TRUTH["squares"])
    bins = [b.value - PERSONS / BINS for b in result.histogram]
    found.bins += bins
    found.all_bins.append(sum(bins))
    # What is added is a whole number, and what the answer says of it is its deviation.
    assert all(number.is_integer() for number in (count, *bins))
    assert result.persons.error == HIGH and {b.error for b in result.histogram} == {HIGH * math.sqrt(2)}


SCALES = {name: HIGH * most for name, most in sensitivities().items()}


@pytest.mark.parametrize("name", SCALES)
def test_each_number_has_the_noise_of_opendp(noise, name):
    ours, scale = getattr(noise, name), SCALES[name]
    assert len(ours) == DAYS * QUESTIONS * (BINS if name == "bins" else 1)
    assert not differences(ours, draws(scale), scale)
    # With so many answers a tenth more or less would be seen.
    for other in (0.9, 1.1):
        assert "variance" in differences(ours, draws(other * scale), scale)


@pytest.mark.parametrize(
    "name, scale", [("all_bins", SCALES["bins"] * math.sqrt(BINS)), ("all_days", SCALES["count"] * math.sqrt(DAYS))]
)
def test_each_number_has_noise_of_its_own(noise, name, scale):
    """Noise that came twice would not become less where numbers are added up."""
    assert not differences(getattr(noise, name), draws(scale), scale)


@pytest.mark.parametrize("name, most", sensitivities().items())
@pytest.mark.parametrize("multiplier", MULTIPLIERS.values())
def test_each_number_costs_the_same(name, most, multiplier):
    """As much as opendp says of the noise that it has."""
    assert rho(most, multiplier * most) == pytest.approx(1 / (2 * multiplier**2))


@pytest.mark.parametrize(
    "asked, days, numbers",
    [
        ([], 1, 1), ([MEAN], 1, 2), ([MEAN], 7, 14), ([MEAN, DEVIATION], 1, 3), ([HISTOGRAM], 1, 2), ([QUANTILES], 1, 2),
        ([HOURS], 1, 1 + 48), ([MEAN, DEVIATION, HISTOGRAM, QUANTILES, HOURS], DAYS, 4 * DAYS + 48),
    ],
)  # fmt: skip
@pytest.mark.parametrize("precision", MULTIPLIERS)
def test_an_answer_costs_what_opendp_says(town, precision, asked, days, numbers):
    party = town.accounts.third_party()
    told = party.ask(
        "QueryGroup", dry_run=True,
        question=question(from_date=day(days).isoformat(), statistics=asked, precision=precision),
    ).cost  # fmt: skip
    theirs, epsilon = cost(numbers, MULTIPLIERS[precision])
    assert told.rho == pytest.approx(theirs, rel=1e-6)
    # The formula that the product follows is shorter than the best known, and on the safe side of it.
    assert epsilon <= told.epsilon <= 1.3 * epsilon
